import { tick } from 'svelte';
import { viewNames } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { queryOf, viewName } from '../../features/feed/index.ts';
import type { ViewId } from '../../ui/page-context.ts';
import type { Command, GoCommand } from '../../features/settings/index.ts';
import type { AppState } from '../app-state.svelte.ts';
import type { ViewName } from '../../../src-main/contract/location.ts';
import { isClicked } from '../../ui/focus-regions.ts';
import { openKey } from '../history.svelte.ts';
import { KeySequence } from './key-sequence.svelte.ts';
import { unreadViewsAfter } from './unread-views.ts';

type ReadingCommand = Extract<
  Command,
  | 'next'
  | 'previous'
  | 'nextUnread'
  | 'back'
  | 'pageDown'
  | 'pageUp'
  | 'paneLeft'
  | 'paneRight'
  | 'undo'
  | 'go'
  | 'escape'
>;

/** Moves through lists, articles and views by keyboard. After every command the focus is where the next key applies. */
export class Keyboard {
  readonly #app: AppState;
  readonly sequence = new KeySequence();
  /** Generation of the commands that wait for a list: a later one supersedes an earlier one. */
  #run = 0;

  constructor(app: AppState) {
    this.#app = app;
  }

  readonly commands: Record<ReadingCommand, () => void> = {
    next: () => void this.#step(1),
    previous: () => void this.#step(-1),
    nextUnread: () => void this.#nextUnread(),
    back: () => void this.#back(),
    pageDown: () => this.#pageDown(),
    pageUp: () => this.#pageUp(),
    paneLeft: () => this.#paneLeft(),
    paneRight: () => this.#paneRight(),
    undo: () => void this.#app.actions.takeBack(),
    go: () => this.#startSequence(),
    escape: () => this.#escape(),
  };

  readonly goCommands: Record<GoCommand, () => void> = {
    goFront: () => this.#goView('today'),
    goSelected: () => this.goFeed({ kind: 'selected' }),
    goEverything: () => this.goFeed({ kind: 'everything' }),
    goUnread: () => this.goFeed({ kind: 'unread' }),
    goStarred: () => this.goFeed({ kind: 'starred' }),
    goDaily: () => void this.#goDaily(),
    goHotTopics: () => this.#goView('hotTopics'),
    goStories: () => this.#goView('stories', () => this.#app.views.stories.choose('all')),
    goArchive: () => this.#goView('archive'),
    goModels: () => this.#goView('models'),
    goNotes: () => this.#goView('notes'),
    goSources: () => this.#goView('sources', () => this.#app.views.sources.show('list')),
    goStatistics: () => this.#goView('sources', () => this.#app.views.sources.show('statistics')),
  };

  focusList(): void {
    this.#app.focus.focusList(this.#app.views.current);
  }

  focusReading(): void {
    const { focus, views } = this.#app;
    if (!focus.focus(views.current, 'text')) focus.focusIn(views.current, 'reading');
  }

  /** Focuses the list at its open row, or the open item where it covers the list. */
  focusOpen(): void {
    const { layout, focus, views } = this.#app;
    const reads = this.#reads;
    const covers = layout.panes === 'one' || this.#isAlone;
    if (!covers || !reads) this.focusList();
    if (reads && !focus.holds(views.current, 'list')) this.focusReading();
  }

  /** Moves the focus to a view that was just shown if it is in the one that was left. */
  async keepFocus(view: ViewName): Promise<void> {
    const { focus, history, views } = this.#app;
    await views.ready;
    await tick();
    if (views.current !== view || !focus.isLost()) return;
    if (this.#reads && !history.isPreview(view)) this.focusReading();
    else this.focusList();
  }

  /** True if the shown view has something open for reading. */
  get #reads(): boolean {
    const { navigation, views } = this.#app;
    return navigation.reads(views.current);
  }

  /** True while a report is shown without the list. */
  get #isAlone(): boolean {
    const { archive, current } = this.#app.views;
    return current === 'archive' && archive.alone;
  }

  /** True if there is a text to scroll. */
  get #scrolls(): boolean {
    return this.#reads || this.#app.views.current === 'today';
  }

  /** True if steps move the focus through a text, instead of opening rows of a list. */
  get #walks(): boolean {
    const { views } = this.#app;
    return views.current === 'today' || (views.current === 'archive' && views.archive.open !== null);
  }

  #escape(): void {
    const { feed, focus, navigation, toasts, views } = this.#app;
    const view = views.current;
    if (toasts.note) toasts.dismiss();
    else if (navigation.covers(view)) navigation.back();
    else if (view === 'models' && views.models.chooseNone()) this.focusList();
    else if (view === 'search') this.#app.endSearch();
    else if (view !== 'feed') return;
    else if (feed.overlay.kind !== null) void feed.overlay.leave(focus);
    else if (feed.list.query.text !== undefined) this.#app.endSearch();
  }

  async #step(by: 1 | -1): Promise<void> {
    const { announcer } = this.#app;
    const walks = this.#walks;
    await this.#leaveItem();
    const moved = await this.#app.actions.move(by);
    if (!moved) announcer.say(by === 1 ? m.keys_list_end() : m.keys_list_start());
    if (walks) return;
    await tick();
    this.focusOpen();
  }

  async #nextUnread(): Promise<void> {
    const { views, items } = this.#app;
    const run = ++this.#run;
    const inReport = views.current === 'archive' && views.archive.open !== null;
    await this.#leaveItem();
    const found =
      views.current === 'feed'
        ? await items.stepUnread()
        : inReport
          ? this.#app.actions.nextUnreadStory()
          : views.stepUnread();
    if (run !== this.#run || (found && inReport)) return;
    if (!found) await this.#nextView(run);
    await tick();
    if (run === this.#run) this.focusOpen();
  }

  async #nextView(run: number): Promise<void> {
    const { counts, feed, items, sync, toasts, views } = this.#app;
    const shown = views.current === 'feed' ? feed.list.query : null;
    for (const { view, unread } of unreadViewsAfter(shown, counts, !sync.firstCopy)) {
      this.#app.navigation.showView('feed');
      feed.filter(queryOf(view, feed.list.query.scope));
      await feed.ready;
      if (run !== this.#run) return;
      if (await items.stepUnread('top')) {
        toasts.show(m.keys_moved_on({ view: viewName(view), count: unread }));
        return;
      }
      if (run !== this.#run) return;
    }
    toasts.show(m.keys_nothing_unread());
  }

  /**
   * Closes an item that covers a story or a report, because the keys act on what is below. Returns false if there was
   * none.
   */
  async #leaveItem(): Promise<boolean> {
    const { reading, views } = this.#app;
    if (!reading.covers(views.current)) return false;
    await reading.uncover();
    return true;
  }

  /** Goes back to what was read before. */
  async #back(): Promise<void> {
    this.#run += 1;
    if (await this.#leaveItem()) return;
    const { announcer, history } = this.#app;
    const open = openKey(history.location);
    const found = history.step(-1, (location) => location.open.length > 0 && openKey(location) !== open);
    if (!found) announcer.say(m.keys_history_start());
  }

  /** The text or the list takes the focus from a button that was clicked: what follows is for what is shown then. */
  #leaveClicked(): void {
    const { focus, views } = this.#app;
    if (!isClicked(document.activeElement)) return;
    if (focus.holds(views.current, 'reading')) this.focusReading();
    else this.focusList();
  }

  #pageDown(): void {
    const { focus, history, reading, views } = this.#app;
    this.#leaveClicked();
    const wasPreview = history.isPreview(views.current);
    history.confirm(views.current);
    if ((this.#scrolls && focus.scrollPage(views.current, 'text', 1)) || wasPreview) return;
    const inReport = views.current === 'archive' && views.archive.open !== null && !reading.covers('archive');
    if (inReport) this.#goView('today');
    else void this.#nextUnread();
  }

  #pageUp(): void {
    const { focus, views } = this.#app;
    this.#leaveClicked();
    if (!this.#scrolls || !focus.scrollPage(views.current, 'text', -1)) void this.#back();
  }

  #paneLeft(): void {
    const { focus, layout, views } = this.#app;
    if (focus.holds('app', 'sidebar')) return;
    if (!focus.holds(views.current, 'reading')) {
      if (layout.openSidebar) layout.openSidebar();
      else focus.focusIn('app', 'sidebar');
    } else if (layout.panes === 'one' || this.#isAlone) this.#app.navigation.back();
    else this.focusList();
  }

  #paneRight(): void {
    const { focus } = this.#app;
    if (focus.holds('app', 'sidebar')) this.focusList();
    else if (this.#reads) this.focusReading();
    else void this.#step(1);
  }

  #startSequence(): void {
    this.sequence.start();
    this.#app.announcer.say(m.keys_go_waiting());
  }

  goFeed(view: ViewId): void {
    this.#app.navigation.show(view);
    void this.#arrive('feed', this.#app.feed.ready, viewName(view));
  }

  #goView(view: ViewName & keyof typeof viewNames, show = () => this.#app.navigation.showView(view)): void {
    show();
    void this.#arrive(view, this.#app.views.ready, viewNames[view]());
  }

  async #goDaily(): Promise<void> {
    const { announcer, focus, toasts, views } = this.#app;
    const run = ++this.#run;
    announcer.say(m.keys_view({ view: m.settings_keyboard_commands_go_daily() }));
    await views.today.load();
    if (run !== this.#run) return;
    if (!views.today.openDaily()) {
      toasts.show(m.keys_no_daily());
      return;
    }
    await views.ready;
    await tick();
    // The next story may have the focus already.
    if (run === this.#run && this.#isAlone && !focus.holds('archive', 'reading')) this.focusReading();
  }

  /** Announces the view, and moves the focus there as soon as it has content. */
  async #arrive(view: ViewName, ready: Promise<void>, name: string): Promise<void> {
    const run = ++this.#run;
    this.#app.announcer.say(m.keys_view({ view: name }));
    await ready;
    await tick();
    if (run === this.#run && this.#app.views.current === view) this.focusOpen();
  }
}

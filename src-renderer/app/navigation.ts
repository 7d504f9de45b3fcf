import { tick } from 'svelte';
import { missingMessages } from '../../src-main/common/i18n/labels.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import type { ListOf, Location, StoryList, ViewName } from '../../src-main/contract/location.ts';
import type { Reply } from '../../src-main/contract/methods.ts';
import type { StoredItem } from '../../src-main/contract/model/item.ts';
import type { ReportKind } from '../../src-main/contract/model/report.ts';
import type { ModelListName } from '../../src-main/contract/model/resource.ts';
import {
  parseFragment,
  writeFragment,
  type Ref,
  type Target,
  type WindowTarget,
} from '../../src-main/contract/refs.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { LiveAnswers } from '../api/live.ts';
import { sameView, viewOf, type FeedState } from '../features/feed/index.ts';
import type { ReadingState } from '../features/reading/index.ts';
import type { FocusRegions } from '../ui/focus-regions.ts';
import { leaveDialogs } from '../ui/open-dialogs.ts';
import type { Layout, PageNavigation, PageSettings, Tabs, Toasts, ViewId } from '../ui/page-context.ts';
import type { Entry, History } from './history.svelte.ts';
import type { ItemsState } from './items.svelte.ts';
import type { Panel } from './panels.ts';
import { lastTab, tabsOf } from './tabs.ts';
import type { ViewsState } from './views.svelte.ts';

type Missing = keyof typeof missingMessages;

interface App {
  readonly wire: Wire;
  readonly live: LiveAnswers;
  readonly focus: FocusRegions;
  readonly feed: FeedState;
  readonly history: History;
  readonly items: ItemsState;
  readonly layout: Layout;
  readonly location: { reopen: (left: Entry | null) => Promise<void> };
  readonly reading: ReadingState;
  readonly settings: Pick<PageSettings, 'capabilities' | 'current' | 'set'>;
  readonly toasts: Toasts;
  readonly views: ViewsState;
  panel: Panel | null;
}

/** A separate window for reading, in px; the browser shrinks it to fit the screen. */
const WINDOW = 'noopener,noreferrer,popup,width=820,height=900';

/** Leads to views and what has a page in them, for the page itself, links, notifications and menus. */
export class Navigation implements PageNavigation {
  readonly #app: App;
  /** Generation of targets: a later one supersedes an earlier one. */
  #run = 0;

  constructor(app: App) {
    this.#app = app;
  }

  showView(view: ViewName): void {
    const { history, layout } = this.#app;
    this.#app.panel = null;
    const { list, open, alone } = history.in('archive');
    // Reports have their list, also if one was opened without it.
    if (view === 'archive' && alone) history.go({ view, list, open: layout.panes === 'one' ? [] : open });
    else history.show(view);
  }

  /** Shows a view of the feed. Returning to the current one leaves it as it was. */
  show(view: ViewId): void {
    const { feed, history, layout, location, views } = this.#app;
    const { open } = history.in('feed');
    const { query } = feed;
    this.#app.panel = null;
    if (views.current !== 'feed' && query.text === undefined && sameView(view, viewOf(query))) {
      history.go({ view: 'feed', query, open });
      return;
    }
    const chosen: ListOf = { view: 'feed', query: feed.queryOf(view) };
    const left = history.leftIn(chosen);
    // With one pane an open item would cover the list.
    history.go({ ...chosen, open: layout.panes === 'one' ? [] : open });
    void location.reopen(left);
  }

  /** True if the reading pane of a view has content; it may cover the list. */
  reads(view: ViewName): boolean {
    const { reading, views } = this.#app;
    return view === 'feed' ? reading.item !== null : views.reads(view);
  }

  /** True if what is open covers the list, and Esc leads back to that. */
  covers(view: ViewName): boolean {
    const { layout, reading, views } = this.#app;
    const isOver = layout.panes === 'one' || view === 'models' || (view === 'archive' && views.archive.alone);
    return reading.covers(view) || (isOver && this.reads(view));
  }

  tabsIn(view: ViewName): Tabs | null {
    return tabsOf(this.#app, this, view);
  }

  showTabs(subject: 'saved' | 'topics'): void {
    this.#app.panel = null;
    lastTab(this.#app, this, subject)?.show();
  }

  readonly back = (): void => void this.#back();

  async #back(): Promise<void> {
    const { feed, focus, history, layout, reading, views } = this.#app;
    const { view } = history;
    if (layout.ownWindow) {
      // From a model to the item that mentions it, and from there to the window's story or report.
      if (history.location.open.length > 1) history.close();
      return;
    }
    if (view === 'archive' && views.archive.alone && !reading.covers(view)) {
      // Passes over other reports that were read there.
      const isElsewhere = (location: Location): boolean => location.view !== 'archive' || !location.alone;
      if (!history.step(-1, isElsewhere)) this.showView('today');
      return;
    }
    // Where Today covers everything, what was opened there is over it.
    if (layout.panes === 'one' && view !== 'search' && history.previous?.view === 'today') {
      history.step(-1);
      return;
    }
    if (view !== 'feed') {
      if (!views.back()) return;
    } else if (reading.item) history.close();
    else history.go({ view, query: feed.query, open: [] });
    await tick();
    focus.focusList(view);
  }

  /** @param alone without the list of reports */
  openReport(kind: ReportKind, label: string, story: string | null = null, alone = false): void {
    const { archive } = this.#app.views;
    this.#app.panel = null;
    void archive.show(kind, label, story, { list: kind, alone });
  }

  /** Opens the page of a story; from a window of its own, which has no other views, in another window. */
  openStory(publicId: string, list?: StoryList): void {
    if (this.#app.layout.ownWindow) {
      void this.openWindow({ view: 'story', publicId });
      return;
    }
    this.#app.panel = null;
    const { stories } = this.#app.views;
    // Starred ones are in Saved.
    stories.open(publicId, list ?? (stories.which === 'starred' ? 'all' : stories.which));
  }

  /** Opens a hot topic by its key or its item's id; one that is no longer ranked by its story. */
  async openTopic(name: string): Promise<void> {
    this.showView('hotTopics');
    const isRanked = await this.#app.views.hotTopics.openBy(name);
    const [, publicId] = name.split(' ');
    if (!isRanked && publicId && this.#app.history.view === 'hotTopics') this.openStory(publicId);
  }

  readonly open = (ref: Ref, story: string | null = null): void => {
    switch (ref.view) {
      case 'item':
        return void this.#openItem(ref.id);
      case 'topic':
        return void this.openTopic(ref.id);
      case 'story':
        return this.openStory(ref.publicId);
      case 'report':
        return this.openReport(ref.kind, ref.label, story);
      case 'model':
        return this.openModel(ref.modelList, ref.id);
    }
  };

  /** Opens a saved item in the feed; in a window of its own, over what it shows. */
  async showItem(id: string): Promise<void> {
    if (this.#app.layout.ownWindow) return this.#openItem(id);
    const item = await this.#savedItem(id);
    if (!item) return;
    this.#app.panel = null;
    this.#app.feed.overlay.close();
    this.#app.items.open(item);
  }

  /** Opens a saved item over what is open, if it can be there, else in the feed. */
  async #openItem(id: string): Promise<void> {
    const { history, items } = this.#app;
    const { view } = history;
    const item = await this.#savedItem(id);
    if (!item || view !== history.view || items.openInPlace(item)) return;
    if (view === 'feed') items.open(item);
    else if (!this.#app.layout.ownWindow) await this.showItem(id);
  }

  /** Opens a model; in a window of its own, over what it shows. */
  openModel(modelList: ModelListName, id: string): void {
    const { history, layout, views } = this.#app;
    this.#app.panel = null;
    if (layout.ownWindow) history.open({ view: 'model', modelList, id });
    else views.models.openModel(id, modelList);
  }

  find(text: string): void {
    this.#showList();
    this.#app.feed.search(text);
    void this.#app.location.reopen(null);
  }

  /** Shows the online search with an initial text. Sends nothing until it is started. */
  searchOnline(text: string): void {
    this.#showList();
    this.#app.feed.overlay.openOnline(text);
  }

  /** With one pane an open item would cover the list. */
  #showList(): void {
    const { feed, history, layout } = this.#app;
    this.#app.panel = null;
    const open = layout.panes === 'one' ? [] : history.in('feed').open;
    history.go({ view: 'feed', query: feed.query, open });
  }

  /** Returns null if it can't be read, which is reported. */
  async #savedItem(id: string): Promise<StoredItem | null> {
    const { live, toasts } = this.#app;
    const answer = live.get('items.get', { id });
    await answer.ready();
    const { failure, value } = answer;
    if (failure?.code === 'not_found') toasts.show(m.missing_item(), { tone: 'problem' });
    else if (failure && !value) toasts.complain(m.failure_title(), failure);
    return failure?.code === 'not_found' ? null : value;
  }

  /** Goes to the target in the address and to those that the host sends. Returns a function that stops it. */
  follow(): () => void {
    const take = async (): Promise<void> => {
      const reply = await this.#app.wire.call('app.takeTarget', {});
      if (reply.ok && reply.value.target) await this.goTo(reply.value.target);
    };
    const opened = parseFragment('open', location.hash);
    if (opened) {
      // After a reload the page shows where the reader went since.
      history.replaceState(history.state, '', location.pathname + location.search);
      void this.goTo(opened);
    } else void take();
    return this.#app.wire.on('app.goTo', () => void take());
  }

  /** Goes to a target. If it is not saved here, says so and stays. */
  readonly goTo = async (target: Target): Promise<void> => {
    const run = ++this.#run;
    const missing = await this.#missing(target);
    // Another target was chosen meanwhile.
    if (run !== this.#run) return;
    if (missing === null) this.#arrive(target);
    else this.#app.toasts.show(missingMessages[missing](), { tone: 'problem' });
  };

  /** Opens a story or a report in a separate window of the host, or else of the browser. */
  async openWindow(target: WindowTarget): Promise<void> {
    const { wire, settings } = this.#app;
    if (settings.capabilities?.windows) {
      const reply = await wire.call('app.openWindow', { target });
      if (!reply.ok) this.#app.toasts.complain(m.window_failed(), reply.error);
      return;
    }
    const fragment = writeFragment('window', target);
    if (fragment === null) this.#app.toasts.show(m.window_failed(), { tone: 'problem' });
    else window.open(`${location.pathname}${fragment}`, '_blank', WINDOW);
  }

  /** Returns the missing part of a target, if any. Other failures may be temporary, and the view itself shows them. */
  async #missing(target: Target): Promise<Missing | null> {
    const { wire } = this.#app;
    switch (target.view) {
      case 'item':
        return isUnknown(await wire.call('items.get', { id: target.id })) ? 'item' : null;
      case 'model':
        return isUnknown(await wire.call('models.get', { modelList: target.modelList, id: target.id }))
          ? 'model'
          : null;
      case 'saved': {
        const reply = await wire.call('saved.list', {});
        return reply.ok && !reply.value.searches.some(({ id }) => id === target.id) ? 'saved' : null;
      }
      case 'story': {
        const { publicId } = target;
        const isStored = (await wire.call('stories.get', { publicId })).ok;
        // Fetches only ids that the service itself named.
        return !isStored && isUnknown(await wire.call('stories.open', { publicId })) ? 'story' : null;
      }
      case 'report': {
        const { kind, label } = target;
        const isStored = (await wire.call('reports.get', { kind, label })).ok;
        return !isStored && isUnknown(await wire.call('reports.open', { kind, label })) ? 'report' : null;
      }
      default:
        return null;
    }
  }

  #arrive(target: Target): void {
    leaveDialogs();
    switch (target.view) {
      case 'feed':
        return this.showView('feed');
      case 'item':
        return void this.showItem(target.id);
      case 'topic':
        return void this.openTopic(target.id);
      case 'saved':
        return this.show({ kind: 'saved', id: target.id });
      case 'story':
        return this.openStory(target.publicId);
      case 'report':
        return this.openReport(target.kind, target.label);
      case 'model':
        return this.openModel(target.modelList, target.id);
      case 'modelChanges':
        return this.#app.views.models.openChanges();
      case 'notifications':
      case 'settings':
        this.#app.panel = target.view;
    }
  }
}

function isUnknown(reply: Reply<unknown>): boolean {
  return !reply.ok && reply.error.code === 'not_found';
}

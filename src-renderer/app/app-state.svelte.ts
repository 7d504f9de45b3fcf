import { flushSync } from 'svelte';
import { m } from '../../src-main/common/i18n/messages.ts';
import type { AppCommand } from '../../src-main/contract/events.ts';
import type { ItemRow, StoredItem } from '../../src-main/contract/model/item.ts';
import { reportNoteId, reportOfNote, type NoteKey } from '../../src-main/contract/model/note.ts';
import type { ReportKind } from '../../src-main/contract/model/report.ts';
import type { ModelListName } from '../../src-main/contract/model/resource.ts';
import type { WindowTarget } from '../../src-main/contract/targets.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { CitationStop } from '../features/archive/index.ts';
import { FeedState, sameView, viewOf, type ViewId } from '../features/feed/index.ts';
import { FrontPageState, type FrontActions } from '../features/front-page/index.ts';
import { GuideState } from '../features/guide/index.ts';
import { ModelActions } from '../features/models/index.ts';
import { NotesState } from '../features/notes/index.ts';
import { BrowserNotifications, NotificationsState } from '../features/notifications/index.ts';
import { ReadingState } from '../features/reading/index.ts';
import { GatewayState, SettingsState, type SettingsSection } from '../features/settings/index.ts';
import { markdownList, sharedItem } from '../features/share/index.ts';
import { SearchState, withSearch } from '../features/search/index.ts';
import { RulesState } from '../features/rules/index.ts';
import { SinceLastVisitState } from '../features/since-last-visit/index.ts';
import { SyncState } from '../features/sync-status/index.ts';
import { ClockState } from '../ui/clock.svelte.ts';
import { Announcer } from '../ui/feedback/announcer.svelte.ts';
import { ToastsState } from '../ui/feedback/toasts.svelte.ts';
import { FocusRegions } from '../ui/focus-regions.ts';
import { dialogsNow } from '../ui/open-dialogs.ts';
import { startTypingAhead } from '../ui/type-ahead.ts';
import type { Connection, PageContext } from '../ui/page-context.ts';
import { connectionOf } from './connection.ts';
import { frontActionsOf } from './front-actions.ts';
import { ItemsState } from './items.svelte.ts';
import { LayoutState } from './layout.svelte.ts';
import { WebLinks } from './links.svelte.ts';
import { Navigation } from './navigation.svelte.ts';
import { firstTouch } from './places/first-touch.ts';
import type { Places } from './places/places.svelte.ts';
import type { FinderName, Panel } from './panels.ts';
import { PageProblems } from './page-problems.svelte.ts';
import { StorageActions } from './storage-actions.svelte.ts';
import { UndoStack } from './undo.svelte.ts';
import { UndoableMarks } from './undoable-marks.ts';
import { ViewsState, type ViewName } from './views.svelte.ts';

/**
 * Creates the state of every feature and connects the features. Only the components of the app get it; views get the parts
 * that they need.
 */
export class AppState implements PageContext {
  readonly wire: Wire;
  readonly clock = new ClockState();
  readonly announcer = new Announcer();
  readonly toasts = new ToastsState();
  readonly undo = new UndoStack();
  readonly focus = new FocusRegions();
  readonly settings: SettingsState;
  readonly sync: SyncState;
  readonly connection: Connection;
  readonly feed: FeedState;
  readonly reading: ReadingState;
  readonly items: ItemsState;
  readonly sinceLastVisit: SinceLastVisitState;
  readonly front: FrontPageState;
  readonly frontActions: FrontActions;
  readonly guide: GuideState;
  readonly views: ViewsState;
  readonly modelActions: ModelActions;
  readonly gateway: GatewayState;
  readonly notes: NotesState;
  readonly notifications: NotificationsState;
  readonly rules: RulesState;
  readonly problems: PageProblems;
  readonly storage: StorageActions;
  readonly search: SearchState;
  readonly links: WebLinks;
  readonly layout: LayoutState;
  readonly marks = new UndoableMarks(this);
  readonly navigation = new Navigation(this);
  readonly windows = { open: (target: WindowTarget): Promise<void> => this.navigation.openWindow(target) };
  /** Where the reader is and was: null until the page shows that, and in a window without lists. */
  places = $state.raw<Places | null>(null);
  /** The dialog that is open. */
  panel = $state<Panel | null>(null);
  /** What is open over everything else. */
  finder = $state<FinderName | null>(null);
  /** What the search is opened with. */
  searchedFirst = '';
  /** The section that the settings open at. */
  settingsSection = $state<SettingsSection>('news');
  /** Whether they open with the focus in the first field of that section. */
  settingsAtField = false;

  /** @param ownWindow whether the window shows one story or report only */
  constructor(wire: Wire, ownWindow = false) {
    this.wire = wire;
    const { toasts } = this;
    this.settings = new SettingsState(wire);
    this.layout = new LayoutState({
      textSize: () => this.settings.current.textSize,
      ownWindow,
      openSidebar: () => (this.panel = 'views'),
    });
    this.links = new WebLinks({ wire, toasts, hostOpens: () => this.settings.capabilities?.opensLinks === true });
    this.feed = new FeedState(wire, () => this.settings.current.foldStories);
    this.reading = new ReadingState(wire);
    this.notes = new NotesState({ wire, toasts, undo: this.undo });
    this.views = new ViewsState(wire, this.notes);
    this.items = new ItemsState({
      wire,
      feed: this.feed,
      reading: this.reading,
      inPlace: this.views.inPlace.reading,
      toasts,
      announcer: this.announcer,
      undo: this.undo,
      countsAsRead: () => this.settings.current.countsAsRead,
    });
    this.sinceLastVisit = new SinceLastVisitState(wire);
    this.front = new FrontPageState(wire);
    this.frontActions = frontActionsOf(this);
    this.guide = new GuideState(wire);
    this.modelActions = new ModelActions({
      models: this.views.models,
      settings: this.settings,
      toasts,
      complain: (what, failure) => toasts.complain(what, failure),
    });
    this.gateway = new GatewayState(wire);
    this.notifications = new NotificationsState(wire);
    this.rules = new RulesState({
      wire,
      toasts,
      undo: this.undo,
      onmatched: () => this.feed.rulesMatched(),
      onsearches: (ids) => this.feed.searchesRead(ids),
    });
    this.problems = new PageProblems(wire);
    this.search = new SearchState(wire);
    this.storage = new StorageActions(wire);
    this.sync = new SyncState(wire, (why) => this.#showNewContent(why));
    this.connection = connectionOf(this.sync, {
      openSettings: () => this.openSettings('news'),
      useDemo: () =>
        void this.toasts.complainIfFailed(m.failure_settings_failed(), this.settings.set({ newsAddress: null })),
    });
    this.#connectMessages();
  }

  /** Ends when everything that the first paint needs is there. */
  async load(): Promise<void> {
    const { ownWindow } = this.layout;
    const settings = this.settings.load();
    const own = [settings, this.sync.load()];
    void this.notes.start();
    // Settings decide what the list folds: without them it would be read twice.
    const before = ownWindow || this.places ? null : this.#placeBefore(firstTouch());
    const feed = async (): Promise<void> => {
      const [places] = await Promise.all([before, settings]);
      await (places ? places.start() : this.feed.load());
      this.places ??= places;
    };
    await Promise.all(ownWindow ? own : [...own, feed(), this.sinceLastVisit.load()]);
    if (ownWindow) return;
    // Beside it the first download goes on.
    if (!this.settings.current.welcomed) this.panel ??= 'welcome';
    void this.views.stories.countNews();
    void this.gateway.load();
    void this.notifications.load();
    void this.rules.load();
  }

  /** Where the reader was when the page was left; null if that part of the page can't be loaded. */
  async #placeBefore(touched: () => boolean): Promise<Places | null> {
    // A page with an entry in its history knows it already; asked while that part of the page is on its way.
    const saved = history.state === null ? this.wire.call('app.lastPlace', {}) : null;
    try {
      const { Places } = await import('./places/places.svelte.ts');
      const places = new Places(this, touched);
      await places.read(saved);
      return places;
    } catch {
      return null;
    }
  }

  /** Tells a desktop that the page shows what it has, so that it shows the window. */
  reportPaint(): void {
    if (this.settings.capabilities?.host !== 'node') void this.wire.call('app.painted', {});
  }

  /** Follows the host: its links into the app, its notifications and its menus. Answers how to stop. */
  followHost(commands: Record<AppCommand, () => void>): () => void {
    const notifications = new BrowserNotifications({
      notifications: this.notifications,
      isWanted: () => this.settings.capabilities?.host === 'node',
      goTo: (target) => void this.navigation.goTo(target),
    });
    const ends = [this.navigation.follow(), notifications.listen(), this.onCommand(commands)];
    return () => ends.forEach((end) => end());
  }

  /** Listens to the commands of the desktop's menus. Answers how to stop. */
  onCommand(commands: Partial<Record<AppCommand, () => void>>): () => void {
    return this.wire.on('app.command', ({ command }) => commands[command]?.());
  }

  /** Shows a view of the feed. Returning to the current one leaves it as it was. */
  show(view: ViewId): void {
    this.front.leave();
    const { query } = this.feed.list;
    const returns = this.views.current !== 'feed' && query.text === undefined && sameView(view, viewOf(query));
    this.showView('feed');
    // An open item would stand in place of the list that was asked for.
    if (!returns && this.layout.panes === 'one') this.reading.close();
    if (returns) this.feed.overlay.close();
    else {
      this.feed.show(view);
      void this.places?.reopen();
    }
  }

  /** Whether the feed's reading pane has something of its own to show, even where it takes the place of the list. */
  get feedReads(): boolean {
    return this.reading.item !== null || (this.layout.panes === 'one' && this.front.chosen);
  }
  /** Whether the reader went to the front page, and sees it. */
  get frontShown(): boolean {
    return this.views.current === 'feed' && this.front.chosen && this.reading.item === null;
  }

  /** Shows the front page: in place of the list where there is one pane, otherwise beside it. */
  showFrontPage(): void {
    this.showView('feed');
    this.reading.close();
    this.front.choose();
  }

  /** Closes the open item, or leaves the front page for the list. */
  leaveReading(): void {
    if (this.reading.item) this.reading.close();
    else this.front.leave();
  }

  /** Opens a report, at the story with the key `story` if there is one. */
  openReport(kind: ReportKind, label: string, story: string | null = null): void {
    this.showView('archive');
    this.views.archive.kind = kind;
    void this.views.archive.show(kind, label, story);
  }

  /** Goes on to the next unread story of the open report. Answers whether there was somewhere to go. */
  nextUnreadStory(): boolean {
    const marks = this.settings.current.countsAsRead !== 'byHand';
    const step = this.views.current === 'archive' ? this.views.archive.nextUnread({ marks }) : null;
    if (step?.done) this.marks.left(step.done, step.marked);
    return step !== null;
  }

  /** Opens the palette over whatever is shown. */
  openPalette(): void {
    void this.places?.recents.load();
    this.#openFinder('palette');
  }

  /** Opens the search over whatever is shown, with a text: with that of the list, if it is searched. */
  readonly openSearch = (text = this.feed.list.query.text ?? ''): void => {
    this.searchedFirst = text;
    this.#openFinder('search');
  };

  #openFinder(finder: FinderName): void {
    startTypingAhead();
    // The same one again, just after it was closed: the old dialog is removed first.
    if (this.finder === finder && dialogsNow() === 'closing') flushSync(() => (this.finder = null));
    this.finder = finder;
  }

  /** Shows the list of all saved items that match a text; an empty one ends the search. */
  find(text: string): void {
    this.front.leave();
    this.showView('feed');
    if (this.layout.panes === 'one') this.reading.close();
    this.feed.search(text);
  }

  /** Keeps a text among the recent searches. */
  noteSearch(text: string): void {
    const recentSearches = withSearch(this.settings.current.recentSearches, text);
    if (recentSearches[0] !== this.settings.current.recentSearches[0]) void this.settings.set({ recentSearches });
  }

  /** Shows the online search, with a first text. Nothing is sent before it is started. */
  searchOnline(text: string): void {
    this.showView('feed');
    if (this.layout.panes === 'one') this.leaveReading();
    this.feed.overlay.openOnline(text);
  }

  showView(view: ViewName): void {
    this.panel = null;
    this.views.show(view);
  }

  /** The reader has seen or skipped the welcome. It stays in the help. */
  endWelcome(): void {
    if (!this.settings.current.welcomed) void this.settings.set({ welcomed: true });
  }

  openSettings(section: SettingsSection, atField = false): void {
    this.settingsSection = section;
    this.settingsAtField = atField;
    this.panel = 'settings';
  }

  /** Opens the page of a model. */
  openModel(modelList: ModelListName, id: string): void {
    this.showView('models');
    this.views.models.openModel(id, modelList);
  }

  /** Shows the items of a source; null in an own window, which has no lists. */
  get openSource(): ((name: string) => void) | null {
    return this.layout.ownWindow ? null : (source) => this.show({ kind: 'source', source });
  }

  /** Opens the page of a story: in its own window from an own window, which has no other views. */
  openStory(publicId: string): void {
    if (this.layout.ownWindow) {
      void this.windows.open({ view: 'story', publicId });
      return;
    }
    this.showView('stories');
    void this.views.stories.open(publicId);
  }

  /** Opens a hot topic, if it is still ranked. */
  async openTopic(id: string): Promise<void> {
    this.showView('hotTopics');
    await this.views.hotTopics.openById(id);
  }

  /** Opens a saved item in the feed's reading pane. */
  async showItem(id: string): Promise<void> {
    const item = await this.#savedItem(id);
    if (!item) return;
    this.showView('feed');
    this.feed.overlay.close();
    this.items.open(item);
  }

  /** Opens a saved item over what the current view has open, else in the feed. */
  async showItemInPlace(id: string): Promise<void> {
    const view = this.views.current;
    if (view === 'feed' || this.layout.ownWindow) return this.showItem(id);
    const item = await this.#savedItem(id);
    if (item && view === this.views.current && this.views.inPlace.place(view)) this.items.openInPlace(item);
  }

  /** Null if it can't be read, which is said. */
  async #savedItem(id: string): Promise<StoredItem | null> {
    const reply = await this.wire.call('items.get', { id });
    if (reply.ok) return reply.value;
    if (reply.error.code === 'not_found') {
      this.toasts.show(m.missing_item(), { tone: 'problem' });
    } else {
      this.toasts.complain(m.failure_title(), reply.error);
    }
    return null;
  }

  /** Opens the next (1) or previous (-1) entry of the current view. */
  step(by: 1 | -1): void {
    void this.move(by);
  }

  /** As {@link step}. Answers whether there was one. */
  async move(by: 1 | -1): Promise<boolean> {
    if (this.layout.ownWindow) return this.views.current === 'archive' && this.views.archive.walk.step(by);
    return this.views.current === 'feed' ? this.items.step(by) : this.views.step(by);
  }

  toggleRead(): void {
    const { current, archive, inPlace } = this.views;
    const story = this.#walkedStory;
    const rows = this.feed.selectedRows;
    if (inPlace.covers(current)) this.items.toggleRead(inPlace.reading.item);
    else if (current === 'feed' && rows.length > 0) {
      void this.items.markSeveral(rows, rows.some(({ state }) => state.readAt === null) ? 'read' : 'unread');
    } else if (current === 'feed') this.items.toggleRead();
    else if (story) this.marks.story(story.citation);
    else if (current === 'archive' && archive.report) this.marks.report(archive.report);
  }

  toggleStar(): void {
    const { current, backStack, inPlace } = this.views;
    const story = this.#walkedStory;
    const rows = this.feed.selectedRows;
    if (inPlace.covers(current)) this.items.toggleStar(inPlace.reading.item);
    else if (current === 'feed' && rows.length > 0) {
      void this.items.markSeveral(rows, rows.some(({ state }) => state.starredAt === null) ? 'star' : 'unstar');
    } else if (current === 'feed') this.items.toggleStar();
    else if (story) void this.marks.starItem(story.citation);
    else if (current === 'models') void this.modelActions.toggleFavourite();
    else if (backStack?.story) this.marks.starStory(backStack, backStack.story);
  }

  /** What is open and may have a note: an item, a story or a report; null for nothing. */
  get notable(): NoteKey | null {
    const { current, inPlace, backStack, archive } = this.views;
    const item = current === 'feed' ? this.reading.item : inPlace.itemIn(current);
    if (item) return { kind: 'item', id: item.id };
    if (backStack) return backStack.story && { kind: 'story', id: backStack.story.publicId };
    const report = current === 'archive' ? archive.report : null;
    return report && { kind: 'report', id: reportNoteId(report.kind, report.label) };
  }

  /** Goes to the note about what is open. */
  writeNote(): void {
    const key = this.notable;
    if (key) this.notes.ask(key);
    else this.toasts.show(m.note_nothing_open());
  }

  /** Opens what a note is about. */
  openNoted({ kind, id }: NoteKey): void {
    const report = kind === 'report' ? reportOfNote(id) : null;
    if (kind === 'item') void this.navigation.goTo({ view: 'item', id });
    else if (kind === 'story') void this.navigation.goTo({ view: 'story', publicId: id });
    else if (report) void this.navigation.goTo({ view: 'report', ...report });
  }

  /** Copies the selected items of the feed as a Markdown list. */
  async copySelected(): Promise<void> {
    const rows = this.feed.selectedRows;
    try {
      await navigator.clipboard.writeText(markdownList(rows.map(sharedItem)));
      this.toasts.show(m.selection_copied({ count: rows.length }));
    } catch {
      this.toasts.show(m.share_failed(), { tone: 'problem' });
    }
  }

  /** What can be done with a row of the feed's list. */
  actionsAt(row: ItemRow, index: number): { label: string; run: () => void }[] {
    const { items } = this;
    return [
      {
        label: row.state.readAt === null ? m.article_mark_read() : m.article_mark_unread(),
        run: () => items.toggleRead(row),
      },
      { label: row.state.starredAt === null ? m.article_star() : m.list_unstar(), run: () => items.toggleStar(row) },
      { label: m.list_mark_above(), run: () => void items.markBeside('above', index) },
      { label: m.list_mark_below(), run: () => void items.markBeside('below', index) },
      ...this.rules.actionsFor(row),
    ];
  }

  /** Takes back the latest mark or bulk action. */
  async takeBack(): Promise<void> {
    // What was scrolled past just now is the latest.
    void this.items.savePassed();
    if (!(await this.undo.undo())) this.toasts.show(m.undo_nothing());
  }

  openOriginal(): void {
    const item = this.reading.item;
    const story = this.#walkedStory;
    if (story) story.open();
    else if (this.views.current === 'feed') {
      if (item) this.links.open(item.links.original ?? item.links.aihot);
    } else if (this.views.openAddress !== null) {
      this.links.open(this.views.openAddress);
    }
  }

  /** The story of the open report that has the focus. */
  get #walkedStory(): CitationStop | null {
    const { archive, current, inPlace } = this.views;
    return current === 'archive' && !inPlace.covers(current) ? archive.walk.current : null;
  }

  #showNewContent(why: 'firstCopy' | 'otherService'): void {
    if (why === 'otherService') {
      this.undo.clear();
      this.items.dropPassed();
      this.reading.close();
      this.feed.overlay.close();
      this.views.closeAll();
      this.places?.forget();
    }
    const { list } = this.feed;
    // The newest selected items are shown before the first download is complete: the others join them.
    if (why === 'firstCopy' && list.query.scope === 'selected' && list.rows.length > 0) void list.extend();
    else void list.load();
  }

  #connectMessages(): void {
    this.sync.onNotYet = (permittedAt) => {
      const seconds = Math.max(1, Math.ceil((Date.parse(permittedAt) - Date.now()) / 1000));
      this.toasts.show(m.sync_not_yet({ seconds }));
    };
    this.problems.onFirst = () => {
      const action = { label: m.sync_status_open(), run: () => (this.panel = 'health') };
      this.toasts.show(m.problems_met(), { tone: 'problem', action });
    };
  }
}

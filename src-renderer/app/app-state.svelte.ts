import { LiveAnswers } from '../api/live.ts';
import { flushSync } from 'svelte';
import { m } from '../../src-main/common/i18n/messages.ts';
import type { AppCommand } from '../../src-main/contract/events.ts';
import type { Counts } from '../../src-main/contract/model/item.ts';
import type { SettingsSection } from '../../src-main/contract/settings.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { setArchiveContext, type ArchiveContext } from '../features/archive/index.ts';
import { FeedState, setFeedContext } from '../features/feed/index.ts';
import { ModelsState, setModelsContext } from '../features/models/index.ts';
import { RecentsState } from '../features/palette/index.ts';
import { NotesState, setNoteListContext, setNotesContext } from '../features/notes/index.ts';
import { BrowserNotifications, SeenNotifications } from '../features/notifications/index.ts';
import { ReadingState, setReadingContext } from '../features/reading/index.ts';
import { SettingsState } from '../features/settings/index.ts';
import { prepareSearch, SearchListState, setSearchContext } from '../features/search/index.ts';
import { setSourcesContext } from '../features/sources/index.ts';
import { setTodayContext, TodayState } from '../features/today/index.ts';
import { setHotTopicsContext, setStoriesContext } from '../features/topics/index.ts';
import { RulesState, setRulesContext } from '../features/rules/index.ts';
import { SyncState } from '../features/sync-status/index.ts';
import { ClockState } from '../ui/clock.svelte.ts';
import { Announcer, ToastsState } from '../ui/feedback/toasts.svelte.ts';
import { FocusRegions } from '../ui/focus-regions.ts';
import { dialogsNow } from '../ui/open-dialogs.ts';
import { Listening, setListenContext, Speaker } from '../features/listen/index.ts';
import { programsOf } from './programs.ts';
import { setPageContext, type Connection, type PageContext, type SettingsField } from '../ui/page-context.ts';
import { actOf } from './act.ts';
import { connectionOf } from './connection.ts';
import { CurrentActions } from './current-actions.ts';
import type { History } from './history.svelte.ts';
import { ItemsState } from './items.svelte.ts';
import { LayoutState } from './layout.svelte.ts';
import { WebLinks } from './links.svelte.ts';
import { Navigation } from './navigation.ts';
import { firstTouch, LocationState } from './location-state.svelte.ts';
import type { Panel } from './panels.ts';
import { PageProblems } from './page-problems.svelte.ts';
import { StorageActions } from './storage-actions.svelte.ts';
import { UndoStack } from './undo.svelte.ts';
import { UndoableMarks } from './undoable-marks.ts';
import { ViewsState } from './views.svelte.ts';

/**
 * Creates the state of each feature and connects them. Only the components of the app get all of it; views get the
 * parts that they need.
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
  readonly live: LiveAnswers;
  readonly act = actOf(this);
  readonly views: ViewsState;
  readonly notes: NotesState;
  readonly seenNotifications: SeenNotifications;
  readonly rules: RulesState;
  readonly problems: PageProblems;
  readonly storage: StorageActions;
  readonly links: WebLinks;
  readonly layout: LayoutState;
  readonly marks = new UndoableMarks(this);
  readonly navigation: Navigation = new Navigation(this);
  readonly actions = new CurrentActions(this);
  readonly location: LocationState = new LocationState(this);
  readonly history: History = this.location.history;
  /** Recently opened, for the palette. */
  readonly recents: RecentsState;
  readonly archive: ArchiveContext;
  readonly listening: Listening;
  readonly listenTo = programsOf(this);
  panel = $state<Panel | null>(null);
  paletteOpen = $state(false);
  settingsSection = $state<SettingsSection>('general');
  settingsField: SettingsField | null = null;

  /** @param ownWindow whether the window shows one story or report only */
  constructor(wire: Wire, ownWindow = false) {
    this.wire = wire;
    const { toasts } = this;
    this.live = new LiveAnswers(wire);
    this.recents = new RecentsState(wire, pageStorage());
    this.settings = new SettingsState(this.live);
    this.layout = new LayoutState({
      textSize: () => this.settings.current.textSize,
      ownWindow,
      openSidebar: () => (this.panel = 'views'),
    });
    this.links = new WebLinks({ wire, toasts, hostOpens: () => this.settings.capabilities?.opensLinks === true });
    this.feed = new FeedState(this.live, this.history, this.settings);
    this.reading = new ReadingState(this.live, this.history);
    this.notes = new NotesState(this);
    const models = new ModelsState({
      live: this.live,
      history: this.history,
      settings: this.settings,
      toasts,
      isShown: () => this.views.current === 'models',
    });
    const today = new TodayState({
      live: this.live,
      act: this.act,
      focus: this.focus,
      history: this.history,
      open: (ref, story) => {
        if (ref.view === 'report') this.navigation.openReport(ref.kind, ref.label, story, true);
        else this.navigation.open(ref);
      },
      openFollowed: (publicId) => this.navigation.openStory(publicId, 'followed'),
    });
    const search = new SearchListState({
      live: this.live,
      history: this.history,
      focus: this.focus,
      layout: this.layout,
      settings: this.settings,
      onall: (text, filters) => {
        this.navigation.find(text);
        this.feed.filtersOpen = filters;
      },
      ononline: (text) => this.navigation.searchOnline(text),
      onitem: (id) => void this.items.openedIn('search', id),
      onagain: (ref) => {
        if (ref.view === 'report' || ref.view === 'model') void this.navigation.goTo(ref);
        else this.actions.openOriginal();
      },
    });
    this.views = new ViewsState(wire, {
      live: this.live,
      today,
      models,
      search,
      reading: this.reading,
      history: this.history,
      onnoted: (id) => void this.items.openedIn('notes', id),
    });
    this.archive = {
      walk: this.views.archive,
      marks: this.marks,
      next: () => void this.actions.nextUnreadStory(),
      startExport: () => (this.panel = 'export'),
    };
    this.items = new ItemsState({
      act: this.act,
      live: this.live,
      feed: this.feed,
      reading: this.reading,
      history: this.history,
      toasts,
      undo: this.undo,
      countsAsRead: () => this.settings.current.countsAsRead,
    });
    this.listening = new Listening({
      speaker: 'speechSynthesis' in window ? new Speaker(window.speechSynthesis) : null,
      speed: () => this.settings.current.listenSpeed,
      onsilent: () => this.toasts.show(m.listen_silent()),
    });
    window.addEventListener('pagehide', () => this.listening.stop());
    this.seenNotifications = new SeenNotifications(this.live);
    this.rules = new RulesState({
      live: this.live,
      act: this.act,
      toasts,
      open: () => this.reading.itemIn(this.views.current),
      leave: () => this.navigation.back(),
      onmatched: () => this.feed.rulesMatched(),
      onsearches: (ids) => this.feed.searchesRead(ids),
    });
    this.problems = new PageProblems(wire);
    this.storage = new StorageActions(wire);
    this.sync = new SyncState(wire, this.live, (why) => this.#showNewContent(why));
    this.connection = connectionOf(this.sync, this.clock, this.problems, {
      openSettings: () => this.openSettings('general', 'service'),
      useDemo: () =>
        void this.toasts.complainIfFailed(m.failure_settings_failed(), this.settings.set({ newsAddress: null })),
    });
    this.#connectMessages();
  }

  /** Gives the components of a window what they need. Called by its root while that is created. */
  setContexts(): void {
    setPageContext(this);
    setNotesContext(this.notes);
    setNoteListContext(this.views.notes);
    setRulesContext(this.rules);
    setModelsContext(this.views.models);
    setArchiveContext(this.archive);
    setFeedContext(this);
    setReadingContext(this);
    setListenContext(this);
    setStoriesContext(this.views.stories);
    setTodayContext(this.views.today);
    setSearchContext(this.views.search);
    setHotTopicsContext(this.views.hotTopics);
    setSourcesContext(this.views.sources);
  }

  /** Resolves when everything that the first paint needs is loaded. */
  async load(): Promise<void> {
    const settings = this.settings.load();
    const own = [settings, this.sync.load()];
    void this.notes.start();
    if (this.layout.ownWindow) {
      await Promise.all(own);
      return;
    }
    // The list folds rows as the settings say: without them it would be read twice.
    const isFirst = !this.location.isShown;
    const touched = firstTouch();
    const before = isFirst ? this.location.before() : null;
    const feed = async (): Promise<void> => {
      const [entry] = await Promise.all([before, settings]);
      const stays = touched() || this.history.hasMoved;
      await (isFirst ? this.location.start(stays ? null : entry) : this.feed.load());
    };
    const shown = (['counts.get', 'visits.sinceLast', 'notes.keys'] as const).map((method) =>
      this.live.get(method, {}),
    );
    await Promise.all([...own, feed(), ...shown.map((live) => live.read())]);
    // The first download continues behind it.
    if (!this.settings.current.welcomed) this.panel ??= 'welcome';
    void this.seenNotifications.load();
    this.rules.follow();
  }

  /** Tells the desktop host that the page has painted, so that it shows the window. */
  reportPaint(): void {
    if (this.settings.capabilities?.host !== 'node') void this.wire.call('app.painted', {});
  }

  /** Follows the host's links into the app, notifications and menus. Returns a function that stops it. */
  followHost(commands: Record<AppCommand, () => void>): () => void {
    const notifications = new BrowserNotifications({
      onRaised: (listener) => this.wire.on('notifications.raised', listener),
      isWanted: () => this.settings.capabilities?.host === 'node',
      goTo: (target) => void this.navigation.goTo(target),
    });
    const ends = [this.navigation.follow(), notifications.listen(), this.onCommand(commands)];
    return () => ends.forEach((end) => end());
  }

  /** Listens to commands of the desktop's menus. Returns a function that stops it. */
  onCommand(commands: Partial<Record<AppCommand, () => void>>): () => void {
    return this.wire.on('app.command', ({ command }) => commands[command]?.());
  }

  /** Null until they are read, and in a window without lists. */
  get counts(): Counts | null {
    return this.live.get('counts.get', {}).value;
  }

  openPalette(): void {
    void this.recents.load();
    // The same dialog again, just after it was closed: removes the old one first.
    if (this.paletteOpen && dialogsNow() === 'closing') flushSync(() => (this.paletteOpen = false));
    this.paletteOpen = true;
  }

  get searchText(): string {
    const { overlay, list } = this.feed;
    const { current, search } = this.views;
    if (current !== 'feed') return current === 'search' ? search.text : '';
    return (overlay.kind === 'online' ? overlay.request.q : list.query.text) ?? '';
  }

  /** Shows the search with a text and the focus in its box; by default with what is searched for already, selected. */
  readonly openSearch = (text?: string): void => {
    const { search, current } = this.views;
    this.panel = null;
    if (text !== undefined || current !== 'search') search.type(text ?? this.searchText);
    // A result would cover the box.
    else if (this.layout.panes === 'one') this.history.go({ ...this.history.in('search'), open: [] });
    // The box may be in the view, or in a sidebar that was covered.
    flushSync();
    const box = this.focus.element('search', 'filter');
    box?.focus();
    if (text === undefined && box instanceof HTMLInputElement) box.select();
  };

  /** Ends the search: shows again what was shown before it. */
  readonly endSearch = (): void => {
    if (!this.views.search.leave()) this.navigation.find('');
  };

  prepareSearch(): void {
    prepareSearch(this.live);
  }

  readonly report = (error: unknown): void => this.problems.report(error);

  // The same dialog again, just after it was closed: removes the old one first.
  openPanel(panel: Panel): void {
    if (this.panel === panel && dialogsNow() === 'closing') flushSync(() => (this.panel = null));
    this.panel = panel;
  }

  /** Remembers that the welcome was seen or skipped. It stays in the help. */
  endWelcome(): void {
    if (!this.settings.current.welcomed) void this.settings.set({ welcomed: true });
  }

  readonly openSettings = (section: SettingsSection, field?: SettingsField): void => {
    this.settingsSection = section;
    this.settingsField = field ?? null;
    this.panel = 'settings';
  };

  #showNewContent(why: 'firstCopy' | 'otherService'): void {
    if (why === 'otherService') {
      this.listening.stop();
      this.undo.clear();
      this.items.dropPassed();
      this.feed.overlay.close();
      this.reading.forget();
      this.views.reload();
      this.history.forget();
    }
    const { list } = this.feed;
    // The newest selected items are shown before the first download is complete; adds the others.
    if (why === 'firstCopy' && list.query.scope === 'selected' && list.count > 0) void list.extend();
    else void this.feed.reload();
  }

  #connectMessages(): void {
    this.sync.onNotYet = (permittedAt) => {
      const seconds = Math.max(1, Math.ceil((Date.parse(permittedAt) - Date.now()) / 1000));
      this.toasts.show(m.sync_not_yet({ seconds }));
    };
    this.problems.onFirst = () => {
      const action = { label: m.sync_status_title(), run: () => (this.panel = 'health') };
      this.toasts.show(m.problems_met(), { tone: 'problem', action });
    };
  }
}

/** Null if the browser forbids it. */
function pageStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

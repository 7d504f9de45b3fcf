import { errorMessages } from '../../src-main/common/i18n/labels.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import type { CitationWithStatus } from '../../src-main/contract/model/report.ts';
import type { Failure } from '../../src-main/contract/errors.ts';
import type { ItemRow, ItemsQuery, ItemAction, ItemStatus, StoredItem } from '../../src-main/contract/model/item.ts';
import type { ModelListName } from '../../src-main/contract/model/resource.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { queryOf, sameView, viewOf, withText, type ViewId } from '../features/feed/query.ts';
import { safeLink } from '../ui/text/safe-link.ts';
import type { SettingsSection } from '../features/settings/settings-sections.ts';
import { ClockState } from '../ui/clock.svelte.ts';
import { CountsState } from '../features/feed/counts.svelte.ts';
import { ViewsState, type ViewName } from './views.svelte.ts';
import { OverlayListState } from '../features/feed/overlay-list.svelte.ts';
import { GatewayState } from '../features/settings/models/gateway.svelte.ts';
import { LayoutState } from './layout.svelte.ts';
import { ReadTimer } from '../features/reading/read-timer.ts';
import { ListState } from '../features/feed/list.svelte.ts';
import { ModelActions } from '../features/models/model-actions.ts';
import { Navigation } from './navigation.svelte.ts';
import { ToastsState } from '../ui/feedback/toasts.svelte.ts';
import { NotificationsState } from '../features/notifications/notifications.svelte.ts';
import { PageProblems } from './page-problems.svelte.ts';
import { ReadingState } from '../features/reading/reading.svelte.ts';
import { SettingsState } from '../features/settings/settings.svelte.ts';
import { SyncState } from '../features/sync-status/sync.svelte.ts';
import { SinceLastVisitState } from '../features/since-last-visit/since-last-visit.svelte.ts';

export type Panel = 'settings' | 'help' | 'views' | 'guide' | 'health' | 'notifications' | 'export';

/** The page's whole state, and what the app can do. */
export class AppState {
  readonly wire: Wire;
  readonly settings: SettingsState;
  readonly sync: SyncState;
  readonly counts: CountsState;
  readonly list: ListState;
  readonly reading: ReadingState;
  readonly found: OverlayListState;
  readonly visits: SinceLastVisitState;
  readonly views: ViewsState;
  readonly modelActions: ModelActions;
  readonly gateway: GatewayState;
  readonly notifications: NotificationsState;
  readonly problems: PageProblems;
  readonly navigation = new Navigation(this);
  readonly toasts = new ToastsState();
  readonly clock = new ClockState();
  readonly #readTimer = new ReadTimer();
  /** Whether the window shows a story or a report only. */
  readonly ownWindow: boolean;
  readonly layout: LayoutState;
  #panel = $state<Panel | null>(null);
  /** Which section of the settings is shown when they are. */
  settingsSection = $state<SettingsSection>('news');
  #place = 0;

  constructor(wire: Wire, ownWindow = false) {
    this.wire = wire;
    this.ownWindow = ownWindow;
    this.layout = new LayoutState(() => this.settings.current.textSize, ownWindow);
    this.settings = new SettingsState(wire);
    this.list = new ListState(wire);
    this.reading = new ReadingState(wire);
    this.found = new OverlayListState(wire);
    this.visits = new SinceLastVisitState(wire);
    this.views = new ViewsState(wire);
    this.modelActions = new ModelActions(this.views.models, this.toasts, (what, failure) =>
      this.complain(what, failure),
    );
    this.gateway = new GatewayState(wire);
    this.notifications = new NotificationsState(wire);
    this.problems = new PageProblems(wire);
    this.counts = new CountsState(wire);
    this.sync = new SyncState(wire, (why) => {
      if (why === 'otherService') {
        this.reading.close();
        this.found.close();
        this.views.closeAll();
      }
      void this.list.load();
    });
    this.sync.onNotYet = (permittedAt) => {
      const seconds = Math.max(1, Math.ceil((Date.parse(permittedAt) - Date.now()) / 1000));
      this.toasts.show(m.sync_not_yet({ seconds }));
    };
    this.problems.onFirst = () => {
      const action = { label: m.sync_status_open(), run: () => (this.panel = 'health') };
      this.toasts.show(m.problems_met(), { tone: 'problem', action });
    };
  }

  /** Ends when everything that the first paint needs is there. */
  async load(): Promise<void> {
    const own = [this.settings.load(), this.sync.load()];
    await Promise.all(this.ownWindow ? own : [...own, this.counts.load(), this.list.load(), this.visits.load()]);
    if (this.ownWindow) return;
    void this.views.stories.countNews();
    void this.gateway.load();
    void this.notifications.load();
  }

  get panel(): Panel | null {
    return this.#panel;
  }
  set panel(panel: Panel | null) {
    this.#panel = panel;
  }

  /** Shows a view of the feed. Coming back to the one that was left finds it as it was. */
  show(view: ViewId): void {
    this.#panel = null;
    const returns = this.views.current !== 'feed' && sameView(view, viewOf(this.list.query));
    this.views.show('feed');
    this.found.close();
    if (returns) return;
    void this.list.load(queryOf(view, this.list.query.scope));
  }

  showView(view: ViewName): void {
    this.#panel = null;
    this.views.show(view);
  }

  openSettings(section: SettingsSection): void {
    this.settingsSection = section;
    this.#panel = 'settings';
  }

  /** Opens the page of a model. */
  openModel(modelList: ModelListName, id: string): void {
    this.showView('models');
    this.views.models.openModel(id, modelList);
  }

  /** Opens a stored item in the feed's reading pane. */
  async showItem(id: string): Promise<void> {
    const reply = await this.wire.call('items.get', { id });
    if (reply.ok) {
      this.showView('feed');
      this.found.close();
      this.open(reply.value);
    } else if (reply.error.code === 'not_found') {
      this.toasts.show(m.missing_item(), { tone: 'problem' });
    } else {
      this.complain(m.failure_title(), reply.error);
    }
  }

  filter(query: ItemsQuery): void {
    this.found.close();
    void this.list.load(query);
  }

  search(text: string): void {
    if (text.trim() !== (this.list.query.text ?? '').trim()) void this.list.load(withText(this.list.query, text));
  }

  /** The rows that are gone through: of the list that lies over the feed, where one does. */
  get rows(): readonly ItemRow[] {
    return this.found.kind === null ? this.list.rows : this.found.rows;
  }

  placeOf(id: string): number {
    return this.found.kind === null ? this.list.indexOf(id) : this.found.indexOf(id);
  }

  /** Opens what was found: as it is stored, where it is. */
  async openFound(row: ItemRow): Promise<void> {
    if (!this.found.isStored(row.id)) {
      this.open(row, false);
      return;
    }
    const reply = await this.wire.call('items.get', { id: row.id });
    this.open(reply.ok ? reply.value : row, reply.ok);
  }

  /** `untilMs` is ms since 1970; null until the app resumes. */
  async pause(untilMs: number | null): Promise<void> {
    const failure = await this.sync.pauseUntil(untilMs);
    if (failure) this.complain(m.sync_pause_failed(), failure);
  }

  async resume(): Promise<void> {
    const failure = await this.sync.resume();
    if (failure) this.complain(m.sync_pause_resume_failed(), failure);
  }

  async endVisit(): Promise<void> {
    const failure = await this.visits.end();
    if (failure) this.complain(m.since_last_visit_end_failed(), failure);
  }

  /** Opens an item for reading; it counts as read when the app's setting says so. */
  open(item: StoredItem, stored = true): void {
    this.reading.open(item, stored);
    this.#place = Math.max(0, this.placeOf(item.id));
    this.#readTimer.end();
    if (item.state.readAt !== null) return;
    const { countsAsRead } = this.settings.current;
    if (countsAsRead === 'opened') void this.mark(item, 'read');
    else if (countsAsRead === 'afterDelay') this.#readTimer.begin(() => this.#readAfterDelay(item.id));
  }

  /** It has been open for long enough: if it still is, and the app has not said otherwise meanwhile. */
  #readAfterDelay(id: string): void {
    const { item } = this.reading;
    if (item?.id === id && item.state.readAt === null) void this.mark(item, 'read');
  }

  /** Opens the item after (1) or before (-1) the open one; the first one if none is open. */
  step(by: 1 | -1): void {
    if (this.ownWindow) return;
    if (this.views.current !== 'feed') return this.views.step(by);
    const id = this.reading.item?.id;
    const known = id === undefined ? -1 : this.placeOf(id);
    // An open item that left the list keeps its place in it.
    const from = known >= 0 ? known : id === undefined ? -1 : this.#place - (by === 1 ? 1 : 0);
    const row = this.rows[Math.max(0, from + by)];
    if (!row || row.id === id) return;
    if (this.found.kind === null) this.open(row);
    else void this.openFound(row);
  }

  toggleRead(): void {
    if (this.views.current !== 'feed') return this.#toggleReportRead();
    const item = this.reading.item;
    if (item) void this.mark(item, item.state.readAt === null ? 'read' : 'unread');
  }

  toggleStar(): void {
    if (this.views.current === 'models') return void this.modelActions.toggleFavourite();
    if (this.views.current !== 'feed') return this.toggleStoryStar();
    const item = this.reading.item;
    if (item) void this.mark(item, item.state.starredAt === null ? 'star' : 'unstar');
  }

  /** Marks at once on the page, then in the core; goes back if the core could not keep it. */
  async mark(item: StoredItem, mark: ItemAction): Promise<void> {
    if (mark === 'read' || mark === 'unread') this.#readTimer.end();
    this.#patch(item.id, marked(item.state, mark));
    const reply = await this.wire.call('items.mark', { ids: [item.id], mark });
    if (reply.ok) return;
    this.#patch(item.id, item.state);
    this.complain(m.failure_mark_failed(), reply.error);
  }

  async markAllRead(): Promise<void> {
    const receipt = await this.list.markAllRead();
    if ('code' in receipt) {
      this.complain(m.failure_mark_failed(), receipt);
      return;
    }
    const { changed, undo } = receipt;
    if (undo === null) {
      this.toasts.show(m.list_nothing_to_mark());
      return;
    }
    const open = this.reading.item;
    if (open && this.list.indexOf(open.id) >= 0) this.#patch(open.id, marked(open.state, 'read'));
    this.toasts.show(m.list_marked_read({ count: changed }), {
      action: { label: m.list_undo(), run: () => void this.#undo(undo) },
    });
  }

  toggleStoryStar(): void {
    const { stories, backStack } = this.views;
    if (backStack?.story) void this.#kept(stories.star(backStack, backStack.story));
  }

  toggleFollow(): void {
    const { stories, backStack } = this.views;
    if (backStack?.story) void this.#kept(stories.follow(backStack, backStack.story));
  }

  toggleCitation(citation: CitationWithStatus, read = citation.readAt === null): void {
    void this.#kept(this.views.archive.markCitation(citation, read));
  }

  openOriginal(): void {
    if (this.views.current !== 'feed') {
      const address = this.views.openAddress;
      if (address !== null) this.openLink(address);
      return;
    }
    const item = this.reading.item;
    if (item) this.openLink(item.links.original ?? item.links.aihot);
  }

  /** Opens a web link in the app's browser; anything else is refused in words. */
  openLink(address: string | null): void {
    const url = safeLink(address);
    if (url === null)
      return this.toasts.show(address ? m.article_link_refused() : m.article_no_link(), { tone: 'problem' });
    if (!this.settings.capabilities?.opensLinks) {
      window.open(url, '_blank', 'noopener,noreferrer');
      return;
    }
    void this.wire.call('links.open', { url }).then((reply) => {
      if (!reply.ok) this.complain(m.failure_title(), reply.error);
    });
  }

  async copyLink(address: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      this.toasts.show(m.article_copied());
    } catch {
      this.toasts.show(m.article_copy_failed(), { tone: 'problem' });
    }
  }

  async #undo(action: string): Promise<void> {
    const restored = await this.list.undo(action);
    if (typeof restored === 'number') this.toasts.show(m.list_undone({ count: restored }));
    else this.complain(m.failure_title(), restored);
  }

  #toggleReportRead(): void {
    const { current, archive } = this.views;
    if (current === 'archive' && archive.report) void this.#kept(archive.mark(archive.report.readAt === null));
  }

  async #kept(mark: Promise<Failure | null>): Promise<void> {
    const failure = await mark;
    if (failure) this.complain(m.failure_mark_failed(), failure);
  }

  #patch(id: string, state: ItemStatus): void {
    this.list.patchState(id, state);
    this.found.patchState(id, state);
    this.reading.patchState(id, state);
  }

  /** Says in words what failed and why. */
  complain(what: string, failure: Failure): void {
    const why = failure.code === 'unreachable' ? m.failure_host() : errorMessages[failure.code]();
    this.toasts.show(`${what} ${why}`, { tone: 'problem' });
  }
}

function marked(state: ItemStatus, mark: ItemAction): ItemStatus {
  const now = new Date().toISOString();
  switch (mark) {
    case 'read':
      return { ...state, readAt: state.readAt ?? now };
    case 'unread':
      return { ...state, readAt: null };
    case 'star':
      return { ...state, starredAt: state.starredAt ?? now };
    case 'unstar':
      return { ...state, starredAt: null };
  }
}

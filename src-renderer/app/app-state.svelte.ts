import type { ShownCitation } from '../../src-main/contract/model/report.ts';
import type { Failure } from '../../src-main/contract/errors.ts';
import type {
  ItemRow,
  ItemsQuery,
  Listing,
  Mark,
  ReaderState,
  StoredItem,
} from '../../src-main/contract/model/item.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { language } from '../i18n/language.svelte.ts';
import { queryOf, sameView, viewOf, withText, type ViewId } from '../features/feed/query.ts';
import { safeLink } from '../ui/text/safe-link.ts';
import type { SettingsSection } from '../features/settings/settings-sections.ts';
import { ClockState } from '../ui/clock.svelte.ts';
import { CountsState } from '../features/feed/counts.svelte.ts';
import { Desks, type Desk } from './views.svelte.ts';
import { FoundState } from '../features/feed/overlay-list.svelte.ts';
import { GatewayState } from '../features/settings/models/gateway.svelte.ts';
import { LayoutState } from './layout.svelte.ts';
import { Linger } from '../features/reading/read-timer.ts';
import { ListState } from '../features/feed/list.svelte.ts';
import { ModelActions } from '../features/models/model-actions.ts';
import { Navigation } from './navigation.svelte.ts';
import { NotesState } from '../ui/feedback/toasts.svelte.ts';
import { NoticesState } from '../features/notifications/notifications.svelte.ts';
import { PageProblems } from './page-problems.svelte.ts';
import { ReadingState } from '../features/reading/reading.svelte.ts';
import { SettingsState } from '../features/settings/settings.svelte.ts';
import { SyncState } from '../features/sync-status/sync.svelte.ts';
import { VisitsState } from '../features/since-last-visit/since-last-visit.svelte.ts';

export type Panel = 'settings' | 'help' | 'views' | 'guide' | 'health' | 'notices' | 'export';

/** The page's whole state, and what the reader can do. */
export class Reader {
  readonly wire: Wire;
  readonly settings: SettingsState;
  readonly sync: SyncState;
  readonly counts: CountsState;
  readonly list: ListState;
  readonly reading: ReadingState;
  readonly found: FoundState;
  readonly visits: VisitsState;
  readonly desks: Desks;
  readonly modelActions: ModelActions;
  readonly gateway: GatewayState;
  readonly notices: NoticesState;
  readonly problems: PageProblems;
  readonly navigation = new Navigation(this);
  readonly notes = new NotesState();
  readonly clock = new ClockState();
  readonly #linger = new Linger();
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
    this.found = new FoundState(wire);
    this.visits = new VisitsState(wire);
    this.desks = new Desks(wire);
    this.modelActions = new ModelActions(this.desks.models, this.notes, (what, failure) =>
      this.complain(what, failure),
    );
    this.gateway = new GatewayState(wire);
    this.notices = new NoticesState(wire);
    this.problems = new PageProblems(wire);
    this.counts = new CountsState(wire);
    this.sync = new SyncState(wire, (why) => {
      if (why === 'otherService') {
        this.reading.close();
        this.found.close();
        this.desks.restart();
        void this.notices.look();
      }
      void this.list.load();
    });
    this.sync.onNotYet = (permittedAt) => {
      const seconds = Math.max(1, Math.ceil((Date.parse(permittedAt) - Date.now()) / 1000));
      this.notes.show(language.words.sync.notYet(seconds));
    };
    this.problems.onFirst = () => {
      const action = { label: language.words.health.open, run: () => (this.panel = 'health') };
      this.notes.show(language.words.defects.met, { tone: 'problem', action });
    };
  }

  /** Ends when everything that the first paint needs is there. */
  async load(): Promise<void> {
    const own = [this.settings.load(), this.sync.load()];
    await Promise.all(this.ownWindow ? own : [...own, this.counts.load(), this.list.load(), this.visits.load()]);
    if (this.ownWindow) return;
    void this.desks.stories.countNews();
    void this.gateway.load();
    void this.notices.load();
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
    const returns = this.desks.current !== 'feed' && sameView(view, viewOf(this.list.query));
    this.desks.show('feed');
    this.found.close();
    if (returns) return;
    void this.list.load(queryOf(view, this.list.query.scope));
  }

  showDesk(desk: Desk): void {
    this.#panel = null;
    this.desks.show(desk);
  }

  openSettings(section: SettingsSection): void {
    this.settingsSection = section;
    this.#panel = 'settings';
  }

  /** Opens the page of a model. */
  openModel(listing: Listing, id: string): void {
    this.showDesk('models');
    this.desks.models.openModel(id, listing);
  }

  /** Opens a stored item in the feed's reading pane. */
  async showItem(id: string): Promise<void> {
    const reply = await this.wire.call('items.get', { id });
    if (reply.ok) {
      this.showDesk('feed');
      this.found.close();
      this.open(reply.value);
    } else if (reply.error.code === 'not_found') {
      this.notes.show(language.words.places.missing.item, { tone: 'problem' });
    } else {
      this.complain(language.words.failure.title, reply.error);
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

  /** `untilMs` is ms since 1970; null until the reader resumes. */
  async pause(untilMs: number | null): Promise<void> {
    const failure = await this.sync.pauseUntil(untilMs);
    if (failure) this.complain(language.words.sync.pause.failed, failure);
  }

  async resume(): Promise<void> {
    const failure = await this.sync.resume();
    if (failure) this.complain(language.words.sync.pause.resumeFailed, failure);
  }

  async endVisit(): Promise<void> {
    const failure = await this.visits.end();
    if (failure) this.complain(language.words.visit.endFailed, failure);
  }

  /** Opens an item for reading; it counts as read when the reader's setting says so. */
  open(item: StoredItem, stored = true): void {
    this.reading.open(item, stored);
    this.#place = Math.max(0, this.placeOf(item.id));
    this.#linger.end();
    if (item.state.readAt !== null) return;
    const { countsAsRead } = this.settings.current;
    if (countsAsRead === 'opened') void this.mark(item, 'read');
    else if (countsAsRead === 'lingered') this.#linger.begin(() => this.#lingered(item.id));
  }

  /** It has been open for long enough: if it still is, and the reader has not said otherwise meanwhile. */
  #lingered(id: string): void {
    const { item } = this.reading;
    if (item?.id === id && item.state.readAt === null) void this.mark(item, 'read');
  }

  /** Opens the item after (1) or before (-1) the open one; the first one if none is open. */
  step(by: 1 | -1): void {
    if (this.ownWindow) return;
    if (this.desks.current !== 'feed') return this.desks.step(by);
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
    if (this.desks.current !== 'feed') return this.#toggleEditionRead();
    const item = this.reading.item;
    if (item) void this.mark(item, item.state.readAt === null ? 'read' : 'unread');
  }

  toggleStar(): void {
    if (this.desks.current === 'models') return void this.modelActions.toggleFavourite();
    if (this.desks.current !== 'feed') return this.toggleStoryStar();
    const item = this.reading.item;
    if (item) void this.mark(item, item.state.starredAt === null ? 'star' : 'unstar');
  }

  /** Marks at once on the page, then in the core; goes back if the core could not keep it. */
  async mark(item: StoredItem, mark: Mark): Promise<void> {
    if (mark === 'read' || mark === 'unread') this.#linger.end();
    this.#patch(item.id, marked(item.state, mark));
    const reply = await this.wire.call('items.mark', { ids: [item.id], mark });
    if (reply.ok) return;
    this.#patch(item.id, item.state);
    this.complain(language.words.failure.markFailed, reply.error);
  }

  async markAllRead(): Promise<void> {
    const words = language.words.list;
    const receipt = await this.list.markAllRead();
    if ('code' in receipt) {
      this.complain(language.words.failure.markFailed, receipt);
      return;
    }
    const { changed, undo } = receipt;
    if (undo === null) {
      this.notes.show(words.nothingToMark);
      return;
    }
    const open = this.reading.item;
    if (open && this.list.indexOf(open.id) >= 0) this.#patch(open.id, marked(open.state, 'read'));
    this.notes.show(words.markedRead(changed), { action: { label: words.undo, run: () => void this.#undo(undo) } });
  }

  toggleStoryStar(): void {
    const { stories, trail } = this.desks;
    if (trail?.story) void this.#kept(stories.star(trail, trail.story));
  }

  toggleFollow(): void {
    const { stories, trail } = this.desks;
    if (trail?.story) void this.#kept(stories.follow(trail, trail.story));
  }

  toggleCitation(citation: ShownCitation, read = citation.readAt === null): void {
    void this.#kept(this.desks.archive.markCitation(citation, read));
  }

  openOriginal(): void {
    if (this.desks.current !== 'feed') {
      const address = this.desks.openAddress;
      if (address !== null) this.openLink(address);
      return;
    }
    const item = this.reading.item;
    if (item) this.openLink(item.links.original ?? item.links.aihot);
  }

  /** Opens a web link in the reader's browser; anything else is refused in words. */
  openLink(address: string | null): void {
    const url = safeLink(address);
    const words = language.words.article;
    if (url === null) return this.notes.show(address ? words.linkRefused : words.noLink, { tone: 'problem' });
    if (!this.settings.capabilities?.opensLinks) {
      window.open(url, '_blank', 'noopener,noreferrer');
      return;
    }
    void this.wire.call('links.open', { url }).then((reply) => {
      if (!reply.ok) this.complain(language.words.failure.title, reply.error);
    });
  }

  async copyLink(address: string): Promise<void> {
    const words = language.words.article;
    try {
      await navigator.clipboard.writeText(address);
      this.notes.show(words.copied);
    } catch {
      this.notes.show(words.copyFailed, { tone: 'problem' });
    }
  }

  async #undo(action: string): Promise<void> {
    const restored = await this.list.undo(action);
    if (typeof restored === 'number') this.notes.show(language.words.list.undone(restored));
    else this.complain(language.words.failure.title, restored);
  }

  #toggleEditionRead(): void {
    const { current, archive } = this.desks;
    if (current === 'archive' && archive.edition) void this.#kept(archive.mark(archive.edition.readAt === null));
  }

  async #kept(mark: Promise<Failure | null>): Promise<void> {
    const failure = await mark;
    if (failure) this.complain(language.words.failure.markFailed, failure);
  }

  #patch(id: string, state: ReaderState): void {
    this.list.patchState(id, state);
    this.found.patchState(id, state);
    this.reading.patchState(id, state);
  }

  /** Says in words what failed and why. */
  complain(what: string, failure: Failure): void {
    const { failures, failure: words } = language.words;
    const why = failure.code === 'unreachable' ? words.host : failures[failure.code];
    this.notes.show(`${what} ${why}`, { tone: 'problem' });
  }
}

function marked(state: ReaderState, mark: Mark): ReaderState {
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

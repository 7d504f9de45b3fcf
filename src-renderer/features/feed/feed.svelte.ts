import { createContext } from 'svelte';
import type { Failure } from '../../../src-main/contract/errors.ts';
import { openItem, type LocationIn } from '../../../src-main/contract/location.ts';
import type { ItemAction, ItemRow, ItemsQuery, StoredItem } from '../../../src-main/contract/model/item.ts';
import type { SyncProgress } from '../../../src-main/contract/model/sync-status.ts';
import type { LiveAnswers } from '../../api/live.ts';
import { ItemRows, type RowAnchor } from './item-rows.svelte.ts';
import type { Action } from '../../ui/controls/ActionMenu.svelte';
import type { ListedItems } from './listed-items.ts';
import type { PageHistory, ViewId } from '../../ui/page-context.ts';
import { OverlayListState } from './overlay-list.svelte.ts';
import { ListCursor } from '../../ui/list-cursor.svelte.ts';
import { RowSelection } from './row-selection.svelte.ts';
import {
  FIRST_QUERY,
  isPlace,
  queryKey,
  queryOf,
  withFiltersOf,
  withFold,
  withText,
  type ListFilters,
} from './query.ts';

/** Rows of which the first unread one is opened beside a list. */
const NEWEST = 100;

export class FeedState {
  readonly overlay: OverlayListState;
  /** The active row and the scroll position of the feed's own list. */
  readonly cursor = new ListCursor();
  /** Selected rows of the feed's own list. The selection ends with a new load, or when another list covers it. */
  readonly selection: RowSelection;
  readonly #live: LiveAnswers;
  readonly #history: PageHistory;
  readonly #settings: ListSettings;
  #list: ItemRows;
  #shown: ItemRows;
  #ready = Promise.resolve();
  #before: ItemsQuery = FIRST_QUERY;
  /** The initial position of the list that is being loaded. */
  #goal: RowAnchor | null = null;
  /** An item that the page opened again: the list does not scroll to it. */
  reopened: string | null = null;
  #openedAt = 0;
  filtersOpen = $state(false);
  #isFiltering = false;

  constructor(live: LiveAnswers, history: PageHistory, settings: ListSettings) {
    this.#live = live;
    this.#history = history;
    this.#settings = settings;
    this.#list = $state.raw(this.#rowsOf(FIRST_QUERY));
    this.#shown = $state.raw(this.#list);
    this.selection = new RowSelection(() => this.#shown);
    this.overlay = new OverlayListState({
      live,
      history,
      below: () => this.query,
      titleOf: (id) => this.#shown.at(this.#shown.indexOf(id))?.folded?.title ?? '',
      onopen: () => this.selection.clear(),
    });
  }

  /** The list that was chosen last, which may be loading. */
  get list(): ItemRows {
    return this.#list;
  }
  get query(): ItemsQuery {
    return withFold(this.#list.query, false);
  }
  /** The list that has rows on the page: the one before, until the chosen one is loaded or takes too long. */
  get shown(): ItemRows {
    return this.#list.slow ? this.#list : this.#shown;
  }

  /** Loads the list: as it was, or another one. */
  async load(query = this.list.query, at = this.place): Promise<void> {
    this.#load(query, at);
    await this.#ready;
  }

  async reload(): Promise<void> {
    this.#load(this.list.query, null);
    await this.#ready;
  }

  get place(): RowAnchor | null {
    return this.#list.phase === 'loading' ? this.#goal : this.#list.anchorAt(this.cursor.scrolled);
  }

  scrollTo(at: RowAnchor | null): void {
    this.cursor.scrollTo(this.#shown.rowAt(at));
  }

  get rows(): ListedItems {
    return this.overlay.kind === null ? this.#shown : this.overlay;
  }

  /** Returns the index of an item in the topmost list; -1 if it is not there. */
  placeOf(id: string): number {
    return this.rows.indexOf(id);
  }

  /** The index of the open item when it was opened: it may have left the list, or was opened from one that is there. */
  get openedAt(): number {
    return this.#openedAt;
  }

  /** Returns the row of an item in the topmost list; undefined if it is not loaded there. */
  rowOf(id: string): ItemRow | undefined {
    return this.rows.at(this.placeOf(id)) ?? undefined;
  }

  /** The first unread of the newest rows of Picks or All items; undefined while it isn't known. */
  get firstUnread(): ItemRow | undefined {
    const list = this.#list;
    if (this.overlay.kind !== null || !isPlace(list.query) || list.phase !== 'ready') return undefined;
    for (let index = 0; index < NEWEST; index += 1) {
      const row = list.at(index);
      if (row === undefined) return undefined;
      if (row?.state.readAt === null && !this.isWithdrawn(row)) return row;
    }
    return undefined;
  }

  /** Returns true if an item of the topmost list was withdrawn: there is nothing left to read. */
  isWithdrawn({ id, withdrawnAt }: ItemRow): boolean {
    return withdrawnAt !== null || this.#shown.removalReasons.get(id) === 'withdrawn';
  }

  /** Returns the query of a view, with the filters that it had when it was left. */
  queryOf(view: ViewId): ItemsQuery {
    return queryOf(view, this.list.query.scope, this.#settings.current.listFilters);
  }

  filter(query: ItemsQuery): void {
    this.#isFiltering = true;
    this.#history.go(this.#locationOf(query));
    this.#isFiltering = false;
  }

  /** Loads what a location lists, if it isn't shown; `at` is where its list was left. */
  enter(location: LocationIn<'feed'>, at: RowAnchor | null, isReturn: boolean): void {
    const query = 'query' in location ? location.query : this.query;
    this.#keepFilters(query);
    const isOther = queryKey(query) !== queryKey(this.query);
    if (isOther && !this.#isFiltering) this.filtersOpen = false;
    if (isOther) this.#load(query, at);
    else if (isReturn && this.#list.phase !== 'loading') this.scrollTo(at);
    this.overlay.enter();
    const id = openItem(location);
    if (isReturn) this.reopened = id;
    if (id !== null) this.selection.clear();
    this.keepOpen();
  }

  #keepFilters(query: ItemsQuery): void {
    const before = this.#settings.current.listFilters;
    const listFilters = withFiltersOf(before, query);
    if (listFilters !== before) void this.#settings.set({ listFilters: { ...listFilters } });
  }

  /** Keeps the row of the open item, and its index. */
  keepOpen(): void {
    const id = openItem(this.#history.in('feed'));
    if (id === null) return;
    const at = this.placeOf(id);
    if (at >= 0) this.#openedAt = at;
    this.#shown.hold(id);
  }

  #locationOf(query: ItemsQuery): LocationIn<'feed'> {
    const { open } = this.#history.in('feed');
    return { view: 'feed', query: withFold(query, false), open };
  }

  #load(query: ItemsQuery, at: RowAnchor | null): void {
    if (this.#list !== this.#shown) this.#list.close();
    const rows = this.#rowsOf(this.#withFold(query));
    this.#list = rows;
    this.#goal = at;
    this.selection.clear();
    this.#ready = rows.open(at).then((row) => {
      if (rows !== this.#list) return;
      this.#shown.close();
      this.#shown = rows;
      this.cursor.active = -1;
      this.cursor.scrollTo(row);
      this.selection.clear();
      this.keepOpen();
    });
  }

  #rowsOf(query: ItemsQuery): ItemRows {
    return new ItemRows({ live: this.#live, query, moving: (change) => this.#keepPlace(change) });
  }

  /** Changes the order of the rows without moving the topmost visible one. The active row stays the same, too. */
  #keepPlace(change: () => void): void {
    const { cursor } = this;
    const rows = this.#shown;
    const { scrolled, active } = cursor;
    const [key, activeKey] = [rows.keyAt(Math.floor(scrolled)), rows.keyAt(active)];
    change();
    const to = key === undefined ? 0 : rows.indexOfKey(key) + (scrolled % 1);
    if (to !== scrolled) cursor.scrollTo(to);
    if (activeKey !== undefined) cursor.active = rows.indexOfKey(activeKey);
  }

  /** Loads the list again if folding was switched on or off. */
  refold(): void {
    const query = this.#withFold(this.list.query);
    if (query.foldStories === this.list.query.foldStories) return;
    this.overlay.close();
    this.#load(query, this.place);
  }

  /** Resolves when the list that was chosen last is loaded. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  #withFold(query: ItemsQuery): ItemsQuery {
    return withFold(query, this.#settings.current.foldStories);
  }

  /** Reads again after rules were matched: the list may have other items, even with as many hidden ones as before. */
  rulesMatched(): void {
    this.#load(this.list.query, this.place);
  }

  /** Takes the existing saved searches: if the shown one was removed, shows everything. */
  searchesRead(ids: ReadonlySet<string>): void {
    const isGone = ({ saved }: ItemsQuery): boolean => saved !== undefined && !ids.has(saved);
    if (isGone(this.#before)) this.#before = queryOf({ kind: 'everything' }, 'all');
    if (isGone(this.list.query)) this.#history.put(this.#locationOf(queryOf({ kind: 'everything' }, 'all')));
  }

  /** Searches all saved items; with an empty text, shows again what the list showed before the search. */
  search(text: string): void {
    const { query } = this.list;
    const wanted = text.trim();
    if (wanted === '' && query.text !== undefined) return this.#history.go(this.#locationOf(this.#before));
    if (wanted === '' || wanted === query.text) return this.overlay.close();
    if (query.text === undefined) this.#before = query;
    // Another text keeps the filters of the search.
    const other = withText(query.text === undefined ? { ...FIRST_QUERY, scope: 'all' } : query, wanted);
    this.#history.go(this.#locationOf(other));
  }

  /** The visible selected rows: none while another list covers the feed's own. */
  get selectedRows(): readonly ItemRow[] {
    return this.overlay.kind === null ? this.selection.rows : [];
  }
}

interface ListSettings {
  readonly current: { readonly foldStories: boolean; readonly listFilters: ListFilters };
  set: (patch: { listFilters: Record<string, string> }) => unknown;
}

interface FirstDownload {
  /** True until it is complete. */
  readonly firstCopy: boolean;
  readonly running: boolean;
  readonly failure: Failure | null;
  readonly selected: { readonly progress: SyncProgress | null } | null;
}

/** Ports to the app, for the feed. */
export interface FeedContext {
  readonly feed: FeedState;
  readonly sync: FirstDownload;
  readonly items: {
    openRow: (row: ItemRow) => void;
    markAllRead: () => Promise<void>;
    markBeside: (side: 'above' | 'below', index: number) => Promise<void>;
    markSeveral: (rows: readonly ItemRow[], action: ItemAction) => Promise<void>;
    toggleRead: (item: StoredItem) => void;
    toggleStar: (item: StoredItem) => void;
    markPassed: (rows: readonly ItemRow[]) => void;
  };
  readonly actions: {
    openOriginal: () => void;
    copySelected: () => Promise<void>;
    actionsAt: (row: ItemRow, index: number) => readonly Action[];
  };
  readonly archive: { startExport: () => void };
  readonly undo: {
    /** The bulk action that can be undone; null if there is none. */
    readonly bulk: { what: string } | null;
    undoBulk: () => void;
  };
}

export const [feedContext, setFeedContext] = createContext<FeedContext>();

import type { ItemRow, ItemsQuery, ItemStatus } from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { CountsState } from './counts.svelte.ts';
import type { ListPlace } from './list/list-start.ts';
import { ListState } from './list/list.svelte.ts';
import { OverlayListState } from './overlay-list.svelte.ts';
import type { Slot } from './list/row-window.ts';
import { RowSelection } from './row-selection.svelte.ts';
import { FIRST_QUERY, queryKey, queryOf, withFold, withText, type ViewId } from './query.ts';

/** Lists whose scroll position is kept. */
const MOST_KEPT = 50;

/** The feed: its list, the list that can cover it, and the counters of all views. */
export class FeedState {
  readonly list: ListState;
  readonly overlay: OverlayListState;
  readonly counts: CountsState;
  #ready = Promise.resolve();
  readonly #folds: () => boolean;
  #before: ItemsQuery = FIRST_QUERY;
  /** The scroll position of each list when it was left, by query; the latest last. */
  readonly #left = new Map<string, ListPlace | null>();
  /** The initial position of the list that is being loaded. */
  #goal: ListPlace | null = null;
  /** Scroll position of the feed's own list, in rows. */
  scrolled = 0;
  /** An item that the page opened again after a start: the list does not scroll to it. */
  reopened: string | null = null;

  /** @param folds whether lists fold stories */
  constructor(wire: Wire, folds: () => boolean) {
    this.#folds = folds;
    const endSelection = (): void => void this.selection.clear();
    this.list = new ListState(wire, endSelection);
    this.overlay = new OverlayListState(wire, endSelection);
    this.counts = new CountsState(wire);
  }

  /** Loads the counters and the list: as it was, or another one. */
  async load(query = this.list.query, at = this.place): Promise<void> {
    this.#load(query, at);
    await Promise.all([this.counts.load(), this.#ready]);
  }

  /** The scroll position of the list; null for its top. */
  get place(): ListPlace | null {
    return this.list.phase === 'loading' ? this.#goal : this.list.placeAt(this.scrolled);
  }

  /** The rows of the topmost list; undefined or null where they are not loaded. */
  get rows(): readonly Slot[] {
    return this.overlay.kind === null ? this.list.rows : this.overlay.rows;
  }

  /** Returns the index of an item in the topmost list; -1 if it is not there. */
  placeOf(id: string): number {
    return this.overlay.kind === null ? this.list.indexOf(id) : this.overlay.indexOf(id);
  }

  /** Returns true if an item of the topmost list was withdrawn: there is nothing left to read. */
  isWithdrawn({ id, withdrawnAt }: ItemRow): boolean {
    return withdrawnAt !== null || this.list.removalReasons.get(id) === 'withdrawn';
  }

  /**
   * Returns the nearest readable row after (1) or before (-1) an index; undefined if there is none, or it isn't loaded.
   */
  neighbour(index: number, by: 1 | -1): ItemRow | undefined {
    if (index < 0) return undefined;
    let at = index + by;
    for (let row = this.rows[at]; row !== undefined; row = this.rows[(at += by)]) {
      if (row !== null && !this.isWithdrawn(row)) return row;
    }
    return undefined;
  }

  /** Returns the row at an index of the topmost list, loaded if need be; null if there is none. */
  async rowAt(index: number): Promise<ItemRow | null> {
    return this.overlay.kind === null ? this.list.walk.rowAt(index) : (this.overlay.rows[index] ?? null);
  }

  /** Returns the first unread row after an index of the topmost list; null if there is none. */
  async unreadAfter(index: number): Promise<ItemRow | null> {
    if (this.overlay.kind === null) return this.list.walk.unreadAfter(index);
    return this.overlay.rows.slice(index + 1).find(({ state }) => state.readAt === null) ?? null;
  }

  show(view: ViewId): void {
    this.filter(queryOf(view, this.list.query.scope));
  }

  /** Shows the matches of a query, from where the reader left them or from another position. */
  filter(query: ItemsQuery, at = this.#left.get(queryKey(query)) ?? null): void {
    this.overlay.close();
    const key = queryKey(this.list.query);
    this.#left.delete(key);
    this.#left.set(key, this.place);
    for (const oldest of this.#left.keys()) if (this.#left.size > MOST_KEPT) this.#left.delete(oldest);
    this.#load(query, at);
  }

  #load(query: ItemsQuery, at: ListPlace | null): void {
    this.#goal = at;
    const ready = this.list.load(this.#withFold(query), at).then(() => {
      if (ready === this.#ready) this.scrolled = this.list.start.row;
    });
    this.#ready = ready;
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
    return withFold(query, this.#folds());
  }

  /** Reads again after rules were matched: the list may have other items, even with as many hidden ones as before. */
  rulesMatched(): void {
    this.#load(this.list.query, this.place);
  }

  /** Takes the existing saved searches: if the shown one was removed, shows everything. */
  searchesRead(ids: ReadonlySet<string>): void {
    const isGone = ({ saved }: ItemsQuery): boolean => saved !== undefined && !ids.has(saved);
    if (isGone(this.#before)) this.#before = queryOf({ kind: 'everything' }, 'all');
    if (isGone(this.list.query)) this.show({ kind: 'everything' });
  }

  /** Searches all saved items; with an empty text, shows again what the list showed before the search. */
  search(text: string): void {
    const { query } = this.list;
    const wanted = text.trim();
    if (wanted === '' && query.text !== undefined) return this.filter(this.#before);
    if (wanted === '' || wanted === query.text) return this.overlay.close();
    if (query.text === undefined) this.#before = query;
    // Another text keeps the filters of the search.
    this.filter(withText(query.text === undefined ? { ...FIRST_QUERY, scope: 'all' } : query, wanted));
  }

  /** Index in the feed's own list that the keys have reached; -1 for none. */
  activeAt = -1;
  /** Selected rows of the feed's own list. The selection ends with a new load, or when another list covers it. */
  readonly selection = new RowSelection();

  /** The visible selected rows: none while another list covers the feed's own. */
  get selectedRows(): readonly ItemRow[] {
    return this.overlay.kind === null ? this.selection.rows : [];
  }

  patchStates(states: ReadonlyMap<string, ItemStatus>): void {
    this.list.patchStates(states);
    this.selection.patchStates(states);
    for (const [id, state] of states) if (this.overlay.indexOf(id) >= 0) this.overlay.patchState(id, state);
  }

  /** Shows the status of an item in both lists. */
  patchState(id: string, state: ItemStatus): void {
    this.list.patchStates(new Map([[id, state]]));
    this.overlay.patchState(id, state);
  }
}

import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { Events } from '../../../../src-main/contract/events.ts';
import type { ItemsPage, ItemsQuery, ItemStatus } from '../../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import { FreshItems } from './fresh-items.svelte.ts';
import { ListCount } from './list-count.svelte.ts';
import { ListMarking } from './list-marking.svelte.ts';
import { ListReader } from './list-reader.svelte.ts';
import { findStart, type ListPlace, type ListStart } from './list-start.ts';
import { ListWalk } from './list-walk.ts';
import { LoadedRows } from './loaded-rows.svelte.ts';
import { MarkingAll } from './marking-all.ts';
import { RowUpdates, type RemovalReason } from './row-updates.svelte.ts';
import type { Slot } from './row-window.ts';

/** Only a list that takes longer to load shows a skeleton, which would otherwise flash. */
const PATIENCE_MS = 150;

/**
 * The visible list, whose order does not change by itself. New items wait behind a count until the reader asks for
 * them; revised items change in place; items that were withdrawn or no longer match stay until the next load. Only rows
 * near the view are loaded (docs/decisions/076).
 */
export class ListState {
  readonly #reader: ListReader;
  readonly #rows: LoadedRows;
  readonly #updates: RowUpdates;
  readonly count: ListCount;
  readonly fresh: FreshItems;
  readonly walk: ListWalk;
  readonly marking: ListMarking;
  #phase = $state<'loading' | 'ready' | 'failed'>('loading');
  #slow = $state(false);
  #failure = $state.raw<Failure | null>(null);
  /** Number of loads that have ended. */
  #generation = $state(0);
  #start = $state.raw<{ readonly row: number }>({ row: 0 });
  /** Number of reported status changes. */
  #marksHeard = 0;
  readonly #onload: () => void;

  /** @param onload called when a load begins, and when its rows take the place of the old ones */
  constructor(wire: Wire, onload: () => void = () => undefined) {
    const reader = new ListReader(wire);
    const count = new ListCount(reader);
    const markingAll = new MarkingAll();
    const rows = new LoadedRows({ reader, count, markingAll, onfailure: (failure) => (this.#failure = failure) });
    const updates = new RowUpdates({ reader, rows, markingAll });
    this.#reader = reader;
    this.#rows = rows;
    this.#updates = updates;
    this.count = count;
    this.fresh = new FreshItems({ reader, rows, onready: () => this.showFresh() });
    this.walk = new ListWalk(reader, rows);
    this.marking = new ListMarking({ wire, reader, rows, updates, markingAll });
    this.#onload = onload;
    wire.on('data.replaced', () => this.#itemsChanged({ added: 0, ids: null }));
    wire.on('items.changed', (change) => this.#itemsChanged(change));
    wire.on('marks.changed', ({ ids }) => this.#marksChanged(ids));
  }

  get query(): ItemsQuery {
    return this.#reader.query;
  }
  /** All rows of the list; only those near the view are loaded. */
  get rows(): readonly Slot[] {
    return this.#rows.rows;
  }
  /** Why visible rows no longer belong to the list, by item id. */
  get removalReasons(): ReadonlyMap<string, RemovalReason> {
    return this.#updates.removalReasons;
  }
  get phase(): 'loading' | 'ready' | 'failed' {
    return this.#phase;
  }
  /** True if loading has taken long enough to be shown. */
  get slow(): boolean {
    return this.#slow;
  }
  /** Why the list, or more of it, could not be loaded. */
  get failure(): Failure | null {
    return this.#failure;
  }
  get generation(): number {
    return this.#generation;
  }
  /** Scroll position in rows from the top: a new object scrolls again. */
  get start(): { readonly row: number } {
    return this.#start;
  }

  /** The index of a loaded row; -1 for others. Depends on the rows, so that derived values follow them. */
  indexOf(id: string): number {
    const { rows, window } = this.#rows;
    return rows.length === 0 ? -1 : window.indexOf(id);
  }

  /** Returns the place at `row`, in rows from the top, to find it again; null at the top, so that new items show. */
  placeAt(row: number): ListPlace | null {
    const { window } = this.#rows;
    const [index, top] = [Math.floor(row), window.placeAt(this.fresh.above)];
    const place = window.placeAt(index);
    return row <= 0 || place === undefined || top === undefined ? null : { place, part: row - index, top };
  }

  /** Scrolls the list as it is to a place; to its top for null. */
  scrollTo(at: ListPlace | null): void {
    this.#start = { row: at === null ? 0 : this.#rows.window.firstFrom(at.place) + at.part };
  }

  /** Keeps the row of the open item and its neighbours loaded, wherever the list is scrolled to. */
  hold(id: string): void {
    this.#rows.window.hold(id);
  }

  /** Shows the status of several rows, before or after it is saved. */
  patchStates(states: ReadonlyMap<string, ItemStatus>): void {
    this.#rows.patchStates(states);
  }

  /**
   * Shows the matches of a query, from the top or from where the reader was. The old rows stay until the new ones are
   * loaded or it takes too long.
   */
  async load(query: ItemsQuery = this.query, from: ListPlace | null = null): Promise<void> {
    const [load, heard] = [this.#reader.begin(query), this.#marksHeard];
    this.#onload();
    this.#phase = 'loading';
    this.#failure = null;
    this.fresh.drop();
    const isCurrent = (): boolean => load === this.#reader.load;
    const impatient = setTimeout(() => (this.#slow = isCurrent() && this.#phase === 'loading'), PATIENCE_MS);
    const [page, count] = await Promise.all([this.#reader.page(), this.#reader.count()]);
    const start = page?.ok && from ? await findStart(this.#reader, page.value, from) : null;
    clearTimeout(impatient);
    if (!page || !count || !isCurrent()) return;
    this.#slow = false;
    this.#onload();
    this.#generation += 1;
    this.count.take(count);
    if (page.ok) {
      this.#startAt(page.value, start);
      if (heard !== this.#marksHeard) this.fresh.checkEmpty();
    } else this.#fail(page.error);
  }

  /** Shows the new items. Rows further down are loaded again when they are reached. */
  showFresh(): void {
    const found = this.fresh.take();
    if (!found) return;
    this.#reader.begin();
    this.count.add(found.unknown);
    this.#adopt(found.page);
    void this.count.read();
    void this.#rows.fill();
  }

  /** Extends the list, which has grown: rows below its end follow, new ones above wait. */
  async extend(): Promise<void> {
    if (!this.#rows.ready) return;
    const [page] = await Promise.all([this.#reader.page(), this.count.read()]);
    // Most of it arrived after the rows that were shown first: marking everything as read includes all of it.
    if (page?.ok) this.marking.watermark = page.value.watermark;
    this.#rows.lookBelow();
    await this.fresh.check();
  }

  /** Takes the visible rows, and loads missing ones there and beyond. */
  see(first: number, last: number): void {
    this.#rows.see(first, last);
    if (!this.#failure) void this.#rows.fill();
  }

  async loadMore(): Promise<void> {
    this.#failure = null;
    await this.#rows.fill();
  }

  #startAt(page: ItemsPage, start: ListStart | null): void {
    this.#turnTo(start?.row ?? 0, start?.above ?? 0);
    this.#adopt(page);
    if (start) this.#rows.extendTo(start);
    this.#phase = 'ready';
    void this.#rows.fill();
  }

  #fail(failure: Failure): void {
    this.#turnTo(0, 0);
    this.#adopt(null);
    this.#failure = failure;
    this.#phase = 'failed';
  }

  #turnTo(row: number, above: number): void {
    this.#rows.turnTo(Math.floor(row));
    this.#start = { row };
    this.fresh.begin(above);
  }

  #adopt(page: ItemsPage | null): void {
    this.#rows.begin(page);
    this.#updates.begin();
    this.marking.watermark = page?.watermark ?? 0;
  }

  #itemsChanged({ added, ids }: Pick<Events['items.changed'], 'added' | 'ids'>): void {
    // A saved item may enter this list by a change: it was selected, or its category changed.
    const mayEnter = ids === null || ids.some((id) => this.indexOf(id) < 0);
    if (added > 0 || mayEnter) void this.fresh.check();
    if (added > 0) this.#rows.lookBelow();
    void this.#updates.read(ids);
  }

  #marksChanged(ids: readonly string[] | null): void {
    this.#marksHeard += 1;
    this.fresh.checkEmpty();
    void this.#updates.readMarked(ids);
  }
}

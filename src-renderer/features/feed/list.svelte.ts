import type { Reply } from '../../../src-main/contract/api.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Events } from '../../../src-main/contract/events.ts';
import type {
  ItemPlaces,
  ItemRow,
  ItemsCount,
  ItemsPage,
  ItemsQuery,
  ItemStatus,
} from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { ListPlace, ListReader, ListStart } from './list-start.ts';
import { FIRST_QUERY } from './query.ts';
import { RowWindow, type Slot } from './row-window.ts';

const FIRST_PAGE = 100;
/** Rows that are read together. */
const ROWS_A_READ = 200;
/** Rows that are loaded beyond the visible ones, in the direction of scrolling and against it, so that scrolling finds them. */
const AHEAD = 600;
const BEHIND = 100;
/** Rows further away from the visible ones are dropped. */
const KEPT = 1_500;
/** Places that are read together: all of a list, so that its scrollbar reaches every row, and as needed of a search. */
const PLACES_A_READ = 20_000;
const FOUND_A_READ = 2_000;
/** Only a list that takes longer to load shows a skeleton, so that nothing flashes. */
const PATIENCE_MS = 150;
/** Rows around the visible ones that are read again when the core can't name what changed. The others are dropped. */
const NEAR = 60;

/** Unread items that are not in the list, because they came later, are passed over this often. */
const UNREAD_TRIES = 20;

export type RemovalReason = 'withdrawn' | 'leftSelection';

interface Fresh {
  page: ItemsPage;
  unknown: number;
}

/**
 * The visible list, whose order does not change by itself. New items wait behind a count until they are asked for; revised
 * items change in place; items that were withdrawn or no longer match stay until the list is loaded again. Only the rows
 * near the view are loaded (docs/decisions/076).
 */
export class ListState {
  readonly #wire: Wire;
  #query = $state.raw<ItemsQuery>(FIRST_QUERY);
  #rows = $state.raw<readonly Slot[]>([]);
  #removalReasons = $state.raw<ReadonlyMap<string, RemovalReason>>(new Map());
  #total = $state<number | null>(null);
  #hasMore = $state(false);
  #folded = $state(0);
  #phase = $state<'loading' | 'ready' | 'failed'>('loading');
  #slow = $state(false);
  #failure = $state.raw<Failure | null>(null);
  #fresh = $state.raw<Fresh | null>(null);
  /** Counts the loads. */
  #generation = $state(0);
  #start = $state.raw<{ readonly row: number }>({ row: 0 });
  /** How many rows of the loaded list are above what was its top when the reader left it. */
  #above = $state(0);

  readonly #window = new RowWindow();
  /** Whether there are rows below the last known place. */
  #hasPlacesLeft = false;
  /** Places whose rows were gone when they were read: what is below is then read again, once for each of them. */
  readonly #gone = new Set<number>();
  #watermark = 0;
  #run = 0;
  #filling = false;
  #checking = false;
  #checkAgain = false;
  #seen = { first: 0, last: 0 };
  #direction: 1 | -1 = 1;
  /** While everything is being marked as read: the time, for rows that are loaded meanwhile. */
  #markingAt: string | null = null;
  /** Counts the beginnings and ends of marking everything: rows that were read across one may be older than it. */
  #markings = 0;
  /** Counts what was heard of marks. */
  #marksHeard = 0;
  /** The loaded rows that the last marking of all changed, with their status before, and its key. */
  #marked: { action: string | null; before: Map<string, ItemStatus> } = { action: null, before: new Map() };

  readonly #onanew: () => void;

  /** @param onanew called when a load begins, and when its rows take the place of the old ones */
  constructor(wire: Wire, onanew: () => void = () => undefined) {
    this.#wire = wire;
    this.#onanew = onanew;
    wire.on('data.replaced', () => void this.#itemsChanged({ added: 0, ids: null }));
    wire.on('items.changed', (change) => void this.#itemsChanged(change));
    wire.on('marks.changed', ({ ids }) => void this.#marksChanged(ids));
  }

  get query(): ItemsQuery {
    return this.#query;
  }
  /** All rows of the list; only those near the view are there. */
  get rows(): readonly Slot[] {
    return this.#rows;
  }
  get removalReasons(): ReadonlyMap<string, RemovalReason> {
    return this.#removalReasons;
  }
  get phase(): 'loading' | 'ready' | 'failed' {
    return this.#phase;
  }
  /** Whether loading has taken long enough to be shown. */
  get slow(): boolean {
    return this.#slow;
  }
  get failure(): Failure | null {
    return this.#failure;
  }
  get generation(): number {
    return this.#generation;
  }
  /** Where to scroll to, in rows from the top: another object each time. */
  get start(): { readonly row: number } {
    return this.#start;
  }
  /** How many items the query matched when the list was loaded; null while that is not known. */
  get total(): number | null {
    return this.#total;
  }
  /** Whether there are more than {@link total}: results of a search are counted to a limit. */
  get hasMore(): boolean {
    return this.#hasMore;
  }
  /** How many more items are folded into the rows. */
  get folded(): number {
    return this.#folded;
  }
  /** The length with the rows that are not loaded, so that the height of the list does not change. */
  get length(): number {
    return this.#rows.length;
  }
  /** How many new items wait to be shown, and whether there may be more. */
  get fresh(): { count: number; more: boolean } {
    const fresh = this.#fresh;
    if (!fresh) return { count: this.#above, more: false };
    return {
      count: fresh.unknown + this.#above,
      more: fresh.unknown === fresh.page.rows.length && fresh.page.next !== null,
    };
  }

  /** The index of a loaded row; -1 for others. */
  indexOf(id: string): number {
    return this.#window.indexOf(id);
  }

  /** What is at `row`, in rows from the top, so that it is found again; null at the top, where what is new is wanted. */
  placeAt(row: number): ListPlace | null {
    const [index, top] = [Math.floor(row), this.#window.placeAt(this.#above)];
    const place = this.#window.placeAt(index);
    return row <= 0 || place === undefined || top === undefined ? null : { place, part: row - index, top };
  }

  /** Scrolls the list as it is to a place; to its top for null. */
  scrollTo(at: ListPlace | null): void {
    this.#start = { row: at === null ? 0 : this.#window.firstFrom(at.place) + at.part };
  }

  /** Keeps the row of an item and its neighbours loaded, wherever the list is scrolled to: that of the open one. */
  hold(id: string): void {
    this.#window.hold(id);
  }

  /** The row at an index, loaded if need be; null if there is none. */
  async rowAt(index: number): Promise<ItemRow | null> {
    const run = this.#run;
    while (this.#hasPlacesLeft && index >= this.#window.known) {
      if ((await this.#readPlaces()) !== null || run !== this.#run) return null;
    }
    if (this.#window.at(index) === undefined) {
      this.#window.holdAt(index);
      await this.#readRows(this.#window.missing(index, index, 1));
    }
    return this.#window.at(index) ?? null;
  }

  /** The first unread row after an index, loaded if need be; null if there is none. */
  async unreadAfter(index: number): Promise<ItemRow | null> {
    let at = index + 1;
    for (; at < this.#window.known; at += 1) {
      const row = this.#window.at(at);
      if (row?.state.readAt === null) return row;
      if (row === undefined) break;
    }
    // A query has one state: what is starred and unread can't be asked for, and few of those are out of sight.
    return at >= this.length || this.#query.state === 'starred' ? null : this.#unreadBelow(at - 1);
  }

  /** As {@link unreadAfter}, asking the core where it is: a list may have many thousand read rows before it. */
  async #unreadBelow(index: number): Promise<ItemRow | null> {
    const run = this.#run;
    const query: ItemsQuery = { ...this.#query, state: 'unread' };
    let below = this.#window.placeAt(index);
    for (let tries = 0; tries < UNREAD_TRIES; tries += 1) {
      const args = { query, limit: 1, ...(below !== undefined && { below }) };
      const reply = await this.#wire.call('items.places', args);
      const place = reply.ok ? reply.value.places[0] : undefined;
      if (place === undefined || run !== this.#run) return null;
      const row = await this.#rowOf(place);
      if (row?.state.readAt === null) return row;
      // It is not in this list, which was loaded before: the next one may be.
      below = place;
    }
    return null;
  }

  /** The row at a place, loaded if need be; null if the list does not have it. */
  async #rowOf(place: number): Promise<ItemRow | null> {
    const run = this.#run;
    while (this.#hasPlacesLeft && place < (this.#window.placeAt(this.#window.known - 1) ?? Infinity)) {
      if ((await this.#readPlaces()) !== null || run !== this.#run) return null;
    }
    const index = this.#window.indexOfPlace(place);
    return index < 0 ? null : this.rowAt(index);
  }

  /**
   * Shows the matches of a query, from the top or where the reader was. The old rows stay until the new ones are there or it
   * takes too long.
   */
  async load(query: ItemsQuery = this.#query, from: ListPlace | null = null): Promise<void> {
    const [run, heard] = [++this.#run, this.#marksHeard];
    this.#onanew();
    this.#query = query;
    this.#phase = 'loading';
    this.#failure = null;
    this.#fresh = null;
    const impatient = setTimeout(() => (this.#slow = run === this.#run && this.#phase === 'loading'), PATIENCE_MS);
    const [page, count] = await Promise.all([this.#page(), this.#wire.call('items.count', { query })]);
    const start = page.ok && from ? await this.#findStart(query, page.value, from) : null;
    clearTimeout(impatient);
    if (run !== this.#run) return;
    this.#slow = false;
    this.#onanew();
    this.#generation += 1;
    this.#counted(count);
    const row = start?.row ?? 0;
    this.#seen = { first: Math.floor(row), last: Math.floor(row) };
    this.#start = { row };
    this.#above = start?.above ?? 0;
    if (page.ok) {
      this.#adopt(page.value);
      if (start) this.#extendTo(start);
      this.#phase = 'ready';
      void this.#fill();
      if (heard !== this.#marksHeard) this.#lookAtEmpty();
    } else {
      this.#adopt({ rows: [], places: [], next: null, watermark: 0 });
      this.#failure = page.error;
      this.#phase = 'failed';
    }
  }

  /** Shows the new items. Rows further down are loaded again when they are reached. */
  showFresh(): void {
    const fresh = this.#fresh;
    this.#above = 0;
    if (!fresh) return;
    const run = ++this.#run;
    this.#fresh = null;
    if (this.#total !== null) this.#total += fresh.unknown;
    this.#adopt(fresh.page);
    void this.#count(run);
    void this.#fill();
  }

  /** The list is longer now: what is below its end follows, and what is new above waits. */
  async extend(): Promise<void> {
    if (this.#phase !== 'ready') return;
    const run = this.#run;
    const [page] = await Promise.all([this.#page(), this.#count(run)]);
    // Most of it arrived after the rows that were shown first: marking everything as read means all of it.
    if (page.ok && run === this.#run) this.#watermark = page.value.watermark;
    this.#lookBelow();
    await this.#checkTop();
  }

  /** Notes which rows are visible and loads those that are missing, and more beyond them. */
  see(first: number, last: number): void {
    if (first !== this.#seen.first) this.#direction = first > this.#seen.first ? 1 : -1;
    this.#seen = { first, last };
    if (!this.#failure) void this.#fill();
  }

  /** Tries again to load what is missing. */
  async loadMore(): Promise<void> {
    this.#failure = null;
    await this.#fill();
  }

  /** Shows the status of a row, before or after it is saved. */
  patchState(id: string, state: ItemStatus): void {
    const row = this.#window.at(this.indexOf(id));
    if (row) this.#replace([{ ...row, state }]);
  }

  /**
   * Marks everything that matches as read, except what arrived after the list was loaded. The rows show it at once. The
   * answer holds the key to undo it, or null if nothing was unread.
   */
  async markAllRead(): Promise<{ changed: number; undo: string | null } | Failure> {
    this.#markingAt = new Date().toISOString();
    this.#markings += 1;
    this.#marked = { action: null, before: new Map() };
    const loaded = this.#window.loaded(0, this.#rows.length).map((index) => this.#window.at(index));
    this.#replace(loaded.flatMap((row) => (row ? [this.#asMarked(row)] : [])));
    const { before } = this.#marked;
    const reply = await this.#wire.call('items.markAllRead', { query: this.#query, watermark: this.#watermark });
    this.#markingAt = null;
    this.#markings += 1;
    if (!reply.ok) {
      this.#restore(before);
      void this.#readAgain(null);
      return reply.error;
    }
    this.#marked = { action: reply.value.undo, before };
    return reply.value;
  }

  /**
   * Marks everything above or below a row as read, except what arrived after the list was loaded. The answer is that of
   * {@link markAllRead}.
   */
  async markBeside(
    index: number,
    side: 'above' | 'below',
  ): Promise<{ changed: number; undo: string | null } | Failure> {
    const place = this.#window.placeAt(index);
    if (place === undefined) return { changed: 0, undo: null };
    const [from, to] = side === 'above' ? [0, index - 1] : [index + 1, this.#rows.length];
    const rows = this.#window.loaded(from, to).flatMap((at) => this.#window.at(at) ?? []);
    const before = new Map(rows.filter(({ state }) => state.readAt === null).map(({ id, state }) => [id, state]));
    const readAt = new Date().toISOString();
    this.patchStates(new Map([...before].map(([id, state]) => [id, { ...state, readAt }])));
    const args = { query: this.#query, watermark: this.#watermark, [side]: place };
    const reply = await this.#wire.call('items.markAllRead', args);
    if (!reply.ok) {
      this.patchStates(before);
      return reply.error;
    }
    this.#marked = { action: reply.value.undo, before };
    return reply.value;
  }

  /** The rows from an index to another, loaded if need be: those that are gone are left out. */
  async rowsBetween(first: number, last: number): Promise<ItemRow[]> {
    const run = this.#run;
    while (this.#hasPlacesLeft && last >= this.#window.known) {
      if ((await this.#readPlaces()) !== null || run !== this.#run) return [];
    }
    const found: ItemRow[] = [];
    for (let from = first; from <= last; from += ROWS_A_READ) {
      const indexes = Array.from({ length: Math.min(ROWS_A_READ, last + 1 - from) }, (_, n) => from + n);
      const places = indexes.flatMap((index) => this.#window.placeAt(index) ?? []);
      const here = indexes.map((index) => this.#window.at(index));
      if (places.length > 0 && here.includes(undefined)) {
        const reply = await this.#wire.call('items.rows', { query: this.#query, places });
        if (!reply.ok || run !== this.#run) return found;
        found.push(...reply.value.rows.flatMap((row) => row ?? []));
      } else found.push(...here.flatMap((row) => row ?? []));
    }
    return found;
  }

  /** Shows the status of several rows at once. */
  patchStates(states: ReadonlyMap<string, ItemStatus>): void {
    this.#restore(states);
  }

  /** Undoes an action; the rows show it at once. Answers how many items were restored. */
  async undo(action: string): Promise<number | Failure> {
    if (this.#marked.action === action) this.#restore(this.#marked.before);
    const reply = await this.#wire.call('items.undoMark', { undo: action });
    await this.#readAgain(null);
    return reply.ok ? reply.value.restored : reply.error;
  }

  #restore(before: ReadonlyMap<string, ItemStatus>): void {
    const rows = [...before].map(([id, state]) => ({ row: this.#window.at(this.indexOf(id)), state }));
    this.#replace(rows.flatMap(({ row, state }) => (row ? [{ ...row, state }] : [])));
  }

  async #count(run: number): Promise<void> {
    const reply = await this.#wire.call('items.count', { query: this.#query });
    if (run === this.#run) this.#counted(reply);
  }

  #counted(reply: Reply<ItemsCount>): void {
    this.#total = reply.ok ? reply.value.count : null;
    this.#folded = reply.ok ? (reply.value.folded ?? 0) : 0;
    this.#hasMore = reply.ok && reply.value.atLeast === true;
  }

  #page(): Promise<Reply<ItemsPage>> {
    return this.#wire.call('items.page', { query: this.#query, limit: FIRST_PAGE });
  }

  #adopt(page: ItemsPage): void {
    this.#window.begin(page.rows, page.places);
    this.#hasPlacesLeft = page.next !== null;
    this.#gone.clear();
    this.#removalReasons = new Map();
    this.#watermark = page.watermark;
    this.#publish();
  }

  /** Loaded apart: most lists start at their top. */
  async #findStart(query: ItemsQuery, page: ItemsPage, from: ListPlace): Promise<ListStart | null> {
    const read: ListReader = {
      places: (below) => this.#placesBelow(query, below),
      rows: (places) => this.#wire.call('items.rows', { query, places }),
    };
    const found = await import('./list-start.ts').catch(() => null);
    return found && found.findStart(read, page, from);
  }

  #placesBelow(query: ItemsQuery, below: number | undefined): Promise<Reply<ItemPlaces>> {
    const limit = query.text === undefined ? PLACES_A_READ : FOUND_A_READ;
    return this.#wire.call('items.places', { query, limit, ...(below !== undefined && { below }) });
  }

  /** What was read from below the first page, to start there. */
  #extendTo({ places, more, rows }: ListStart): void {
    this.#window.addPlaces(places);
    this.#hasPlacesLeft = more;
    for (const { index, row } of rows) if (this.#window.at(index) === undefined) this.#window.put(index, row);
    this.#publish();
  }

  #publish(): void {
    this.#rows = this.#window.copy(this.#lengthNow);
  }

  /** With the rows below the last known place, as far as their number is known. */
  get #lengthNow(): number {
    const { known } = this.#window;
    return this.#hasPlacesLeft ? Math.max(this.#total ?? 0, known + 1) : known;
  }

  /** Loads what is missing near the view, one read after another: the most urgent one at each time. */
  async #fill(): Promise<void> {
    if (this.#filling || this.#phase !== 'ready') return;
    this.#filling = true;
    try {
      for (let read = this.#nextRead(); read !== null; read = this.#nextRead()) {
        const run = this.#run;
        const failure = await read();
        if (failure === null || run !== this.#run) continue;
        this.#failure = failure;
        return;
      }
    } finally {
      this.#filling = false;
    }
  }

  #nextRead(): (() => Promise<Failure | null>) | null {
    if (this.#phase !== 'ready') return null;
    const { first, last } = this.#seen;
    const down = this.#direction === 1;
    if (this.#window.missing(first, last, 1).length > 0) return this.#reading(...this.#beside(down, first, last));
    const searched = this.#query.text !== undefined;
    if (this.#hasPlacesLeft && (!searched || this.#window.known < last + AHEAD)) return () => this.#readPlaces();
    const [below] = this.#window.missing(last + 1, last + (down ? AHEAD : BEHIND), 1);
    const [above] = this.#window.missing(first - (down ? BEHIND : AHEAD), first - 1, 1);
    if (below !== undefined && (down || above === undefined)) return this.#reading(below, below + ROWS_A_READ - 1);
    if (above === undefined) return null;
    // From below upwards: the nearest first.
    const nearest = this.#window.missing(above, first - 1, AHEAD).at(-1) ?? above;
    return this.#reading(nearest - ROWS_A_READ + 1, nearest);
  }

  /** From the visible rows on, in the direction of scrolling. */
  #beside(down: boolean, first: number, last: number): [number, number] {
    return down ? [first, Math.max(last, first + ROWS_A_READ - 1)] : [Math.min(first, last - ROWS_A_READ + 1), last];
  }

  #reading(from: number, to: number): () => Promise<Failure | null> {
    return () => this.#readRows(this.#window.missing(from, to, ROWS_A_READ));
  }

  async #readPlaces(): Promise<Failure | null> {
    const run = this.#run;
    const below = this.#window.placeAt(this.#window.known - 1);
    const reply = await this.#placesBelow(this.#query, below);
    if (run !== this.#run) return null;
    if (!reply.ok) return reply.error;
    // Two may have read the same places.
    if (below !== this.#window.placeAt(this.#window.known - 1)) return null;
    this.#window.addPlaces(reply.value.places);
    this.#hasPlacesLeft = reply.value.more;
    // Places are not seen, and a list of a hundred thousand is long to copy.
    if (this.#rows.length !== this.#lengthNow) this.#publish();
    return null;
  }

  async #readRows(indexes: readonly number[]): Promise<Failure | null> {
    const run = this.#run;
    const places = indexes.map((index) => this.#window.placeAt(index) ?? 0);
    if (places.length === 0) return null;
    const reply = await this.#wire.call('items.rows', { query: this.#query, places });
    if (run !== this.#run) return null;
    if (!reply.ok) return reply.error;
    const { last } = this.#seen;
    const goneBefore = this.#gone.size;
    reply.value.rows.forEach((row, at) => {
      const [index, place] = [indexes[at] ?? 0, places[at] ?? 0];
      if (this.#window.placeAt(index) !== place) return;
      if (row !== null || index <= last || this.#gone.has(place)) this.#window.put(index, row && this.#asMarked(row));
      else this.#gone.add(place);
    });
    if (this.#gone.size > goneBefore) this.#forgetBelow(last);
    this.#window.trim(this.#seen.first - KEPT, last + KEPT);
    this.#publish();
    return null;
  }

  /** Rows that nobody has seen are gone: their places are read again, so that the list has no holes. */
  #forgetBelow(last: number): void {
    if (last + 1 >= this.#window.known) return;
    this.#window.cut(last);
    this.#hasPlacesLeft = true;
    void this.#count(this.#run);
  }

  #asMarked(row: ItemRow): ItemRow {
    if (this.#markingAt === null) return row;
    const shown = row.folded ? { ...row, folded: { ...row.folded, unread: 0 } } : row;
    if (row.state.readAt !== null) return shown;
    this.#marked.before.set(row.id, row.state);
    return { ...shown, state: { ...row.state, readAt: this.#markingAt } };
  }

  async #itemsChanged(change: Pick<Events['items.changed'], 'added' | 'ids'>): Promise<void> {
    // A saved item may enter this list by a change: it was selected, or its category changed.
    const mayEnter = change.ids === null || change.ids.some((id) => this.indexOf(id) < 0);
    if (change.added > 0 || mayEnter) void this.#checkTop();
    if (change.added > 0) this.#lookBelow();
    await this.#readAgain(change.ids);
  }

  /** Checks whether there are rows above the list that are not shown. One check at a time. */
  async #checkTop(): Promise<void> {
    this.#checkAgain = true;
    if (this.#checking) return;
    this.#checking = true;
    while (this.#checkAgain) {
      this.#checkAgain = false;
      const run = this.#run;
      const page = await this.#page();
      if (!page.ok || run !== this.#run || this.#phase !== 'ready') continue;
      const unknown = page.value.places.filter((place) => this.#isNew(place)).length;
      this.#fresh = unknown > 0 ? { page: page.value, unknown } : null;
      if (this.#rows.length === 0) this.showFresh();
    }
    this.#checking = false;
  }

  #isNew(place: number): boolean {
    const lowest = this.#window.placeAt(this.#window.known - 1) ?? -1;
    return !this.#window.hasPlace(place) && place > lowest;
  }

  /** What was added below the end of the list moves no row. */
  #lookBelow(): void {
    if (this.#phase !== 'ready' || this.#rows.length === 0 || this.#query.text !== undefined) return;
    this.#hasPlacesLeft = true;
    void this.#fill();
  }

  /** A row also says how much of what is folded into it is unread: those items have no rows. */
  async #marksChanged(ids: readonly string[] | null): Promise<void> {
    this.#marksHeard += 1;
    this.#lookAtEmpty();
    const isOfOthers = ids?.some((id) => this.indexOf(id) < 0) === true;
    const { first, last } = this.#seen;
    const near = isOfOthers ? this.#window.loaded(first - NEAR, last + NEAR) : [];
    const folding = near.flatMap((index) => {
      const row = this.#window.at(index);
      return row?.folded ? row.id : [];
    });
    await this.#readAgain(ids && [...new Set([...folding, ...ids])]);
  }

  /** A list without rows may have been read just before an item was starred, say, and would go on saying that there are none. */
  #lookAtEmpty(): void {
    if (this.#phase === 'ready' && this.#rows.length === 0) void this.#checkTop();
  }

  /** Reads rows again without moving any; null if it is not known which. Those far from the view are dropped then. */
  async #readAgain(ids: readonly string[] | null): Promise<void> {
    if (this.#markingAt !== null) return;
    const { first, last } = this.#seen;
    if (ids === null) this.#window.trim(first - NEAR, last + NEAR);
    const indexes = ids?.map((id) => this.indexOf(id)).filter((index) => index >= 0);
    await this.#readThese((indexes ?? this.#window.loaded(first - NEAR, last + NEAR)).slice(0, ROWS_A_READ));
    if (ids === null) void this.#fill();
  }

  async #readThese(indexes: readonly number[]): Promise<void> {
    const [run, markings] = [this.#run, this.#markings];
    const places = indexes.map((index) => this.#window.placeAt(index) ?? 0);
    if (places.length === 0) return;
    const before = indexes.map((index) => this.#window.at(index));
    const reply = await this.#wire.call('items.rows', { query: this.#query, places });
    if (run !== this.#run || !reply.ok) return;
    // Everything was marked meanwhile: the answer may be of the time before, and what told of the marks is over.
    if (markings !== this.#markings && this.#markingAt === null) return this.#readThese(indexes);
    const removalReasons = new Map(this.#removalReasons);
    const changed: ItemRow[] = [];
    before.forEach((row, at) => {
      if (!row) return;
      const now = reply.value.rows[at];
      if (now?.id !== row.id) {
        removalReasons.set(row.id, 'withdrawn');
        return;
      }
      const left = this.#query.scope === 'selected' && row.inSelectedSet && !now.inSelectedSet;
      if (left) removalReasons.set(row.id, 'leftSelection');
      else if (now.inSelectedSet || removalReasons.get(row.id) === 'withdrawn') removalReasons.delete(row.id);
      changed.push(this.#asMarked(now));
    });
    this.#removalReasons = removalReasons;
    this.#replace(changed);
  }

  #replace(rows: readonly ItemRow[]): void {
    const there = rows.map((row) => ({ row, index: this.indexOf(row.id) })).filter(({ index }) => index >= 0);
    if (there.length === 0) return;
    for (const { row, index } of there) this.#window.put(index, row);
    this.#publish();
  }
}

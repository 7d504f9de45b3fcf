import { instant } from '../../../src-main/common/time.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Events } from '../../../src-main/contract/events.ts';
import type { Reply } from '../../../src-main/contract/methods.ts';
import type { ItemPlaces, ItemRow, ItemsCount, ItemsPage, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { LiveAnswers } from '../../api/live.ts';
import type { ListedItems, RemovalReason } from './listed-items.ts';
import { LoadedRows } from './loaded-rows.ts';
import { markItems, type Marked } from './marking.ts';

const FIRST_PAGE = 100;
const ROWS_A_READ = 200;
/** Keys per read: all of a list at once, and as needed of a search, which looks each of them up. */
const KEYS_A_READ = 20_000;
const FOUND_A_READ = 2_000;
/** Rows that are loaded beyond the visible ones, in the direction of scrolling and against it. */
const AHEAD = 600;
const BEHIND = 100;
/** Rows further away from the visible ones are dropped. */
const KEPT = 1_500;
/** Rows around the visible ones that are read again when the core can't name the changed ones. Others are dropped. */
const NEAR = 60;
/** Rows around the start that are read with it: more than a window shows. */
const ABOVE_START = 20;
const BELOW_START = 80;
/** With more rows that are dated ahead, the clock of this computer is behind. */
const MOST_AHEAD = 20;
/** Clocks may differ by this much, in ms. */
const SKEW_MS = 3_600_000;
/** Only a list that takes longer to load shows a skeleton, which would otherwise flash. */
const PATIENCE_MS = 150;

/** A scroll position. New rows above it move no key, and if its row is gone, the next one below is used. */
export interface RowAnchor {
  /** The key of the first visible row: see `ItemPlaces`. */
  readonly key: number;
  /** Part of that row above the edge, from 0 to less than 1. */
  readonly part: number;
  /** The first key of the list that was not new: rows above it were not seen. */
  readonly top: number;
}

/** The rows above or below a key; all if there is none. */
interface ListPart {
  above?: number;
  below?: number;
}

interface Options {
  live: LiveAnswers;
  query: ItemsQuery;
  /** Wraps a change that moves rows. */
  moving?: (change: () => void) => void;
}

/**
 * The rows that match a query, in an order that does not change by itself. New items wait behind a count until the reader
 * asks for them; revised items change in place; items that were withdrawn or no longer match stay until the next load. The
 * keys of all rows are known, and the rows near the view are loaded (docs/decisions/164).
 */
export class ItemRows implements ListedItems {
  readonly query: ItemsQuery;
  readonly #live: LiveAnswers;
  readonly #moving: (change: () => void) => void;
  readonly #ends: (() => void)[];
  #closed = false;
  readonly #rows = new LoadedRows();
  /** True if there were no rows below the last key. */
  #complete = false;
  /** Items that arrived after the list was loaded are not marked: see `ItemsPage`. */
  #watermark = 0;
  /** True if there may be some now. */
  #mayGrow = false;
  #view = { first: 0, last: 0, down: true };
  /** True if something was reported while the first rows were read. */
  #outdated = false;
  #filling = false;
  #looking = false;
  #looksAgain = false;
  /** A new object when rows or their number change. */
  #published = $state.raw({ rows: this.#rows, count: 0 });
  #phase = $state<'loading' | 'ready' | 'failed'>('loading');
  #slow = $state(false);
  #failure = $state.raw<Failure | null>(null);
  #total = $state.raw<ItemsCount | null>(null);
  #fresh = $state.raw({ count: 0, more: false });
  /** New rows above the place where the reader left the list. */
  #above = $state(0);
  #reasons = $state.raw<ReadonlyMap<string, RemovalReason>>(new Map());

  constructor({ live, query, moving = (change) => change() }: Options) {
    this.query = query;
    this.#live = live;
    this.#moving = moving;
    this.#ends = [
      live.on('data.replaced', () => this.#itemsChanged({ added: 0, ids: null })),
      live.on('items.changed', (change) => this.#itemsChanged(change)),
      live.on('marks.changed', ({ ids }) => this.#marksChanged(ids)),
    ];
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
  /** Number of matching items; null until it is known. */
  get total(): ItemsCount | null {
    return this.#total;
  }
  /** New items that wait; `more` if there may be more than were counted. */
  get fresh(): { readonly count: number; readonly more: boolean } {
    return { ...this.#fresh, count: this.#fresh.count + this.#above };
  }
  get removalReasons(): ReadonlyMap<string, RemovalReason> {
    return this.#reasons;
  }

  get count(): number {
    return this.#published.count;
  }

  at(index: number): ItemRow | null | undefined {
    const row = this.#published.rows.at(index);
    return row && this.#live.item(row);
  }

  indexOf(id: string): number {
    return this.#published.rows.indexOf(id);
  }

  keyAt(index: number): number | undefined {
    return this.#rows.keys[index];
  }

  /** Returns the index of the first row that is not dated ahead of `now` (ms); 0 if that is true of many. */
  firstAt(now: number): number {
    let index = 0;
    for (let row = this.at(0); row && (instant(row.effectiveAt) ?? 0) > now + SKEW_MS; row = this.at(index)) index += 1;
    return index < MOST_AHEAD ? index : 0;
  }

  /** The key of the first row that was there and not dated ahead; undefined in an empty list. */
  topKeyAt(now: number): number | undefined {
    return this.#rows.keys[Math.max(this.#above, this.firstAt(now))];
  }

  /** Returns the first index whose key is not above `key`; past the last one if there is none. */
  indexOfKey(key: number): number {
    return this.#rows.indexOfKey(key);
  }

  /** Returns the position of `row`, in rows from the top, to find it again; null at the top, so that new items show. */
  anchorAt(row: number): RowAnchor | null {
    const index = Math.floor(row);
    const [key, top] = [this.#rows.keys[index], this.#rows.keys[this.#above]];
    return row <= 0 || key === undefined || top === undefined ? null : { key, part: row - index, top };
  }

  /** Returns where an anchor is, in rows from the top. A list that has become shorter ends with its last row. */
  rowAt(anchor: RowAnchor | null): number {
    if (anchor === null) return 0;
    const index = this.indexOfKey(anchor.key);
    return this.#rows.keys[index] === anchor.key ? index + anchor.part : index;
  }

  /**
   * Reads the first rows, or those where the reader was, and then the keys of all others. Returns the position of the
   * anchor; the top if it can't be found.
   */
  async open(anchor: RowAnchor | null): Promise<number> {
    const impatient = setTimeout(() => (this.#slow = this.#phase === 'loading'), PATIENCE_MS);
    const [page, total] = await Promise.all([this.#readPage(), this.#readTotal()]);
    if (page.ok) this.#list(page.value, page.value.places, page.value.next === null);
    const row = page.ok && anchor ? await this.#readAround(anchor) : 0;
    clearTimeout(impatient);
    if (this.#closed) return 0;
    this.#slow = false;
    this.#total = total;
    if (page.ok) {
      this.#above = row > 0 && anchor ? this.indexOfKey(anchor.top) : 0;
      this.#view = { first: Math.floor(row), last: Math.floor(row), down: true };
      this.#phase = 'ready';
      this.#publish();
      if (this.#outdated) this.#itemsChanged({ added: 0, ids: null });
      else void this.#fill();
    } else {
      this.#failure = page.error;
      this.#phase = 'failed';
    }
    return row;
  }

  /** Ends the updates. Call it when another list takes the place of this one. */
  close(): void {
    this.#closed = true;
    for (const end of this.#ends) end();
    // A change that is kept for later refers to this list.
    this.#rows.list([], []);
  }

  /** Loads missing rows there and beyond. */
  see(first: number, last: number): void {
    const down = first === this.#view.first ? this.#view.down : first > this.#view.first;
    this.#view = { first, last, down };
    if (!this.#failure) void this.#fill();
  }

  /** Continues after a failure. */
  async retry(): Promise<void> {
    this.#failure = null;
    await this.#fill();
  }

  /** Looks for new items: those above wait, those below the end are appended. One look at a time. */
  async look(): Promise<void> {
    this.#looksAgain = true;
    if (this.#looking || this.#phase !== 'ready') return;
    this.#looking = true;
    while (this.#looksAgain && !this.#closed) {
      this.#looksAgain = false;
      const page = await this.#readPage();
      if (!page.ok) continue;
      const { rows, places, next } = page.value;
      const count = rows.filter(({ id }, at) => this.#isNew(id, places[at] ?? -1)).length;
      this.#fresh = { count, more: count > 0 && count === rows.length && next !== null };
      if (this.#rows.keys.length === 0) await this.showFresh();
      // A search reads its keys as they are needed.
      else this.#mayGrow = this.query.text === undefined;
      void this.#fill();
    }
    this.#looking = false;
  }

  /** As {@link look}, for a list whose first rows were shown before the others were saved: all of it may be marked. */
  async extend(): Promise<void> {
    if (this.#phase !== 'ready') return;
    const [page, total] = await Promise.all([this.#readPage(), this.#readTotal()]);
    if (page.ok) this.#watermark = page.value.watermark;
    this.#total = total;
    await this.look();
  }

  /** Shows the new items, and drops rows that no longer belong to the list. */
  async showFresh(): Promise<void> {
    this.#above = 0;
    if (this.#fresh.count === 0) return;
    const [page, total] = await Promise.all([this.#readPage(), this.#readTotal()]);
    if (!page.ok) {
      this.#failure = page.error;
      return;
    }
    const keys = [...page.value.places];
    let complete = page.value.next === null;
    const lowest = this.query.text === undefined ? -1 : (this.keyAt(this.#rows.keys.length - 1) ?? Infinity);
    while (!complete && (keys.at(-1) ?? Infinity) > lowest) {
      const reply = await this.#readKeys(keys.at(-1));
      if (!reply.ok) {
        this.#failure = reply.error;
        return;
      }
      for (const key of reply.value.places) keys.push(key);
      complete = !reply.value.more;
    }
    if (this.#closed) return;
    this.#moving(() => this.#list(page.value, keys, complete));
    this.#fresh = { count: 0, more: false };
    this.#reasons = new Map();
    this.#total = total;
    void this.#fill();
  }

  /** Keeps the row of the open item and its neighbors loaded, wherever the list is scrolled to. */
  hold(id: string): void {
    this.#rows.held = this.indexOf(id);
  }

  async row(index: number): Promise<ItemRow | null> {
    if (!(await this.#readKeysUntil(() => index < this.#rows.keys.length))) return null;
    if (this.#rows.at(index) === undefined) {
      this.#rows.held = index;
      await this.#readRows(this.#rows.missing(index, index, 1));
    }
    return this.at(index) ?? null;
  }

  async unreadAfter(index: number): Promise<ItemRow | null> {
    let at = index + 1;
    for (let row = this.at(at); row !== undefined; row = this.at(++at)) {
      if (row?.state.readAt === null) return row;
    }
    // A query has one state, so none can ask for starred and unread items; few of those are not loaded.
    if (at >= this.count || this.query.state === 'starred') return null;
    const query = { ...this.query, state: 'unread' } as const;
    for (let below = this.#rows.keys[at - 1], more = true; more;) {
      const reply = await this.#readKeys(below, query, FIRST_PAGE);
      if (!reply.ok) return null;
      for (const key of reply.value.places) {
        const row = await this.#rowOf(key);
        if (row?.state.readAt === null) return row;
      }
      ({ more } = reply.value);
      below = reply.value.places.at(-1);
    }
    return null;
  }

  /** Returns the rows of a range, loaded if need be, without removed ones. */
  async between(first: number, last: number): Promise<ItemRow[]> {
    const found: ItemRow[] = [];
    if (!(await this.#readKeysUntil(() => last < this.#rows.keys.length))) return found;
    for (let from = first; from <= last; from += ROWS_A_READ) {
      const indexes = range(from, Math.min(last, from + ROWS_A_READ - 1));
      const keys = indexes.flatMap((index) => this.#rows.keys[index] ?? []);
      const here = indexes.map((index) => this.at(index));
      const reply = here.includes(undefined) && keys.length > 0 ? await this.#readAt(keys) : null;
      if (reply && (!reply.ok || this.#closed)) return found;
      found.push(...(reply?.ok ? reply.value.rows : here).flatMap((row) => (row ? this.#live.item(row) : [])));
    }
    return found;
  }

  /** Marks everything that matches as read, or a part of it. Rows that are loaded meanwhile show it, too. */
  markRead(part: ListPart = {}): Promise<Reply<Marked>> {
    const { above = -Infinity, below = Infinity } = part;
    const isMarked = (id: string): boolean => {
      const key = this.#rows.keys[this.#rows.indexOf(id)];
      return key !== undefined && key > above && key < below;
    };
    return markItems(this.#live, { action: 'read', isMarked, withFolded: true }, 'items.markAllRead', {
      query: this.query,
      watermark: this.#watermark,
      ...part,
    });
  }

  /** Reads rows again; null if it is unknown which. Those far from the view are dropped then. */
  async renew(ids: readonly string[] | null): Promise<void> {
    if (ids === null) this.#drop(NEAR);
    const wanted = ids ?? this.#near.map(({ id }) => id);
    const indexes = wanted.map((id) => this.#rows.indexOf(id)).filter((index) => index >= 0);
    for (let from = 0; from < indexes.length; from += ROWS_A_READ) {
      await this.#renewAt(indexes.slice(from, from + ROWS_A_READ));
    }
    if (ids === null) void this.#fill();
  }

  get #near(): ItemRow[] {
    return this.#rows.between(this.#view.first - NEAR, this.#view.last + NEAR);
  }

  #itemsChanged({ added, ids }: Pick<Events['items.changed'], 'added' | 'ids'>): void {
    this.#outdated ||= this.#phase === 'loading';
    // A saved item may enter this list by a change: it was selected, or its category changed.
    const mayEnter = ids === null || ids.some((id) => this.#rows.indexOf(id) < 0);
    if (added > 0 || mayEnter) void this.look();
    void this.renew(ids);
  }

  #marksChanged(ids: readonly string[] | null): void {
    this.#outdated ||= this.#phase === 'loading';
    // It may have been read just before an item was starred, and would stay empty.
    if (this.#rows.keys.length === 0) void this.look();
    // Rows count their unread folded items, too, which have no rows.
    const hasOthers = ids?.some((id) => this.#rows.indexOf(id) < 0) === true;
    const folding = hasOthers ? this.#near.filter(({ folded }) => folded).map(({ id }) => id) : [];
    void this.renew(ids && [...new Set([...folding, ...ids])]);
  }

  /** An item whose time was corrected has another key, but is not new. */
  #isNew(id: string, key: number): boolean {
    const isKnown = this.#rows.hasKey(key) || this.#rows.indexOf(id) >= 0;
    return !isKnown && key > (this.#rows.keys.at(-1) ?? -1);
  }

  /** Takes the first rows and another order, with the rows that are loaded. */
  #list({ rows, watermark }: ItemsPage, keys: readonly number[], complete: boolean): void {
    this.#rows.list(keys, rows);
    this.#complete = complete;
    this.#watermark = watermark;
    this.#publish();
  }

  /** Reads the rows around an anchor. Returns its position; the top if that fails. */
  async #readAround(anchor: RowAnchor): Promise<number> {
    const isKnown = (): boolean => (this.#rows.keys.at(-1) ?? 0) <= anchor.key;
    if (!(await this.#readKeysUntil(isKnown))) return 0;
    const row = this.rowAt(anchor);
    const index = Math.floor(row);
    this.#view = { first: index, last: index, down: true };
    const failure = await this.#readRows(this.#rows.missing(index - ABOVE_START, index + BELOW_START, ROWS_A_READ));
    return failure === null ? row : 0;
  }

  /** Loads missing keys and rows, one read after another, the most urgent first. */
  async #fill(): Promise<void> {
    if (this.#filling) return;
    this.#filling = true;
    for (let read = this.#nextRead(); read !== null && this.#failure === null; read = this.#nextRead()) {
      this.#failure = await read();
    }
    this.#filling = false;
  }

  #nextRead(): (() => Promise<Failure | null>) | null {
    if (this.#closed || this.#phase !== 'ready') return null;
    const { first, last, down } = this.#view;
    if (this.#rows.missing(first, last, 1).length > 0) {
      const [from, to] = down
        ? [first, Math.max(last, first + ROWS_A_READ - 1)]
        : [Math.min(first, last - ROWS_A_READ + 1), last];
      return () => this.#readRows(this.#rows.missing(from, to, ROWS_A_READ));
    }
    const isNeeded = this.query.text === undefined || this.#rows.keys.length < last + AHEAD;
    if (this.#mayGrow || (!this.#complete && isNeeded)) return () => this.#readMoreKeys();
    const [lower] = this.#rows.missing(last + 1, last + (down ? AHEAD : BEHIND), 1);
    // From below upwards: the nearest first.
    const upper = this.#rows.missing(first - (down ? BEHIND : AHEAD), first - 1, AHEAD).at(-1);
    if (lower !== undefined && (down || upper === undefined)) {
      return () => this.#readRows(this.#rows.missing(lower, lower + ROWS_A_READ - 1, ROWS_A_READ));
    }
    if (upper === undefined) return null;
    return () => this.#readRows(this.#rows.missing(upper - ROWS_A_READ + 1, upper, ROWS_A_READ));
  }

  /** Reads keys until they are enough or there are no more. Returns false if that failed. */
  async #readKeysUntil(enough: () => boolean): Promise<boolean> {
    while (!this.#complete && !enough()) {
      if ((await this.#readMoreKeys()) !== null || this.#closed) return false;
    }
    return true;
  }

  async #readMoreKeys(): Promise<Failure | null> {
    const below = this.#rows.keys.at(-1);
    this.#mayGrow = false;
    const reply = await this.#readKeys(below);
    if (!reply.ok) return reply.error;
    // Two reads may have asked for the same keys.
    if (below !== this.#rows.keys.at(-1)) return null;
    this.#rows.append(reply.value.places);
    this.#complete = !reply.value.more;
    // Keys are invisible.
    if (this.#length !== this.count) this.#publish();
    return null;
  }

  async #readRows(indexes: readonly number[]): Promise<Failure | null> {
    if (indexes.length === 0) return null;
    const keys = indexes.map((index) => this.#rows.keys[index] ?? 0);
    const reply = await this.#readAt(keys);
    if (!reply.ok) return reply.error;
    if (this.#closed) return null;
    const gone: number[] = [];
    reply.value.rows.forEach((row, at) => {
      const index = indexes[at] ?? 0;
      if (this.#rows.keys[index] !== keys[at]) return;
      if (row === null && index > this.#view.last) gone.push(index);
      else this.#rows.put(index, row);
    });
    if (gone.length > 0) this.#forget(gone);
    this.#drop(KEPT);
    this.#publish();
    return null;
  }

  /** Forgets rows that were gone before anyone saw them, so that the list has no holes. */
  #forget(gone: readonly number[]): void {
    this.#moving(() => {
      this.#rows.forget(gone);
      this.#publish();
    });
    void this.#readTotal().then((total) => (this.#total = total));
  }

  #drop(distance: number): void {
    this.#rows.trim(this.#view.first - distance, this.#view.last + distance);
  }

  /** Returns the row with a key, loaded if need be; null if the list does not have it. */
  async #rowOf(key: number): Promise<ItemRow | null> {
    if (!(await this.#readKeysUntil(() => key >= (this.#rows.keys.at(-1) ?? Infinity)))) return null;
    const index = this.indexOfKey(key);
    return this.#rows.keys[index] === key ? this.row(index) : null;
  }

  async #renewAt(indexes: readonly number[]): Promise<void> {
    const shown = indexes.flatMap((index) => {
      const [row, key] = [this.#rows.at(index), this.#rows.keys[index]];
      return row && key !== undefined ? [{ row, key }] : [];
    });
    if (shown.length === 0) return;
    const ids = shown.map(({ row }) => row.id);
    const keys = shown.map(({ key }) => key);
    const reply = await this.#readAt(keys, ids);
    if (!reply.ok || this.#closed) return;
    this.#takeRenewed(
      shown.map(({ row }) => row),
      reply.value.rows,
    );
  }

  /** Rows that no longer belong to the list stay, with the reason. */
  #takeRenewed(before: readonly ItemRow[], now: readonly (ItemRow | null)[]): void {
    const reasons = new Map(this.#reasons);
    const changed: ItemRow[] = [];
    before.forEach((old, at) => {
      const row = now[at];
      if (row?.id !== old.id) {
        reasons.set(old.id, 'withdrawn');
        return;
      }
      const left = this.query.scope === 'selected' && old.inSelectedSet && !row.inSelectedSet;
      if (left) reasons.set(row.id, 'leftSelection');
      else if (row.inSelectedSet || reasons.get(row.id) === 'withdrawn') reasons.delete(row.id);
      changed.push(row);
    });
    this.#reasons = reasons;
    for (const row of changed) {
      const index = this.#rows.indexOf(row.id);
      if (index >= 0) this.#rows.put(index, row);
    }
    this.#publish();
  }

  /** Includes the rows below the last known key, as far as their number is known. */
  get #length(): number {
    const known = this.#rows.keys.length;
    return this.#complete ? known : Math.max(this.#total?.count ?? 0, known + 1);
  }

  #publish(): void {
    this.#published = { rows: this.#rows, count: this.#length };
  }

  #readPage(): Promise<Reply<ItemsPage>> {
    return this.#live.call('items.page', { query: this.query, limit: FIRST_PAGE });
  }

  /** Null if it fails. */
  async #readTotal(): Promise<ItemsCount | null> {
    const reply = await this.#live.call('items.count', { query: this.query });
    return reply.ok ? reply.value : null;
  }

  #readKeys(
    below: number | undefined,
    query = this.query,
    limit = query.text === undefined ? KEYS_A_READ : FOUND_A_READ,
  ): Promise<Reply<ItemPlaces>> {
    return this.#live.call('items.places', { query, limit, ...(below !== undefined && { below }) });
  }

  /** Reads the rows with some keys, or those of the items that had them; null for removed ones. */
  #readAt(places: number[], ids?: string[]): Promise<Reply<{ rows: (ItemRow | null)[] }>> {
    return this.#live.call('items.rows', { query: this.query, places, ...(ids && { ids }) });
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last + 1 - first }, (_, n) => first + n);
}

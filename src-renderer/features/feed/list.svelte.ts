import type { Reply } from '../../../src-main/contract/api.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Events } from '../../../src-main/contract/events.ts';
import type { ItemRow, ItemsPage, ItemsQuery, ItemStatus, StoredItem } from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { FIRST_QUERY } from './query.ts';

const FIRST_PAGE = 100;
const NEXT_PAGE = 200;
const LONGEST_PAGE = 500;
/** Rows that are loaded beyond the visible ones, so that fast scrolling finds them. */
const AHEAD = 600;
/** Only a list that takes longer to load shows a skeleton, so that nothing flashes. */
const PATIENCE_MS = 150;
/** At most this many rows are fetched again one by one when the core can't name what changed. */
const REFETCH = 60;

export type RemovalReason = 'withdrawn' | 'leftSelection';

interface Fresh {
  page: ItemsPage;
  unknown: number;
}

/**
 * The visible list, whose order does not change by itself. New items wait behind a count until they are asked for; revised
 * items change in place; items that were withdrawn or no longer match stay until the list is loaded again.
 */
export class ListState {
  readonly #wire: Wire;
  #query = $state.raw<ItemsQuery>(FIRST_QUERY);
  #rows = $state.raw<readonly ItemRow[]>([]);
  #removalReasons = $state.raw<ReadonlyMap<string, RemovalReason>>(new Map());
  #total = $state<number | null>(null);
  #hasMore = $state(false);
  #phase = $state<'loading' | 'ready' | 'failed'>('loading');
  #slow = $state(false);
  #failure = $state.raw<Failure | null>(null);
  #fresh = $state.raw<Fresh | null>(null);
  /** Counts the loads: a newly loaded list starts at its top. */
  #generation = $state(0);

  readonly #positions = new Map<string, number>();
  #next: string | null = null;
  #watermark = 0;
  #run = 0;
  #paging = false;
  #checking = false;
  #checkAgain = false;
  #seen = { first: 0, last: 0 };

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.#itemsChanged({ added: 0, ids: null }));
    wire.on('items.changed', (change) => void this.#itemsChanged(change));
    wire.on('marks.changed', ({ ids }) => void this.#refetch(ids ?? this.#seenIds()));
  }

  get query(): ItemsQuery {
    return this.#query;
  }
  get rows(): readonly ItemRow[] {
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
  /** How many items the query matched when the list was loaded; null while that is not known. */
  get total(): number | null {
    return this.#total;
  }
  /** Whether there are more than {@link total}: results of a search are counted to a limit. */
  get hasMore(): boolean {
    return this.#hasMore;
  }
  /** The length with the rows that are not loaded yet, so that the height of the list does not change. */
  get length(): number {
    if (this.#next === null) return this.#rows.length;
    return Math.max(this.#total ?? 0, this.#rows.length + 1);
  }
  /** How many new items wait to be shown, and whether there may be more. */
  get fresh(): { count: number; more: boolean } {
    const fresh = this.#fresh;
    if (!fresh) return { count: 0, more: false };
    return { count: fresh.unknown, more: fresh.unknown === fresh.page.rows.length && fresh.page.next !== null };
  }

  indexOf(id: string): number {
    return this.#positions.get(id) ?? -1;
  }

  /** Shows the matches of a query from the top. The old rows stay until the new ones are there or it takes too long. */
  async load(query: ItemsQuery = this.#query): Promise<void> {
    const run = ++this.#run;
    this.#query = query;
    this.#phase = 'loading';
    this.#failure = null;
    this.#fresh = null;
    const impatient = setTimeout(() => (this.#slow = run === this.#run && this.#phase === 'loading'), PATIENCE_MS);
    const [page] = await Promise.all([this.#page(FIRST_PAGE), this.#count(run)]);
    clearTimeout(impatient);
    if (run !== this.#run) return;
    this.#slow = false;
    this.#generation += 1;
    if (page.ok) {
      this.#adopt(page.value);
      this.#phase = 'ready';
    } else {
      this.#adopt({ rows: [], next: null, watermark: 0 });
      this.#failure = page.error;
      this.#phase = 'failed';
    }
  }

  /** Shows the new items. Rows further down are loaded again when they are reached. */
  showFresh(): void {
    const fresh = this.#fresh;
    if (!fresh) return;
    const run = ++this.#run;
    this.#fresh = null;
    if (this.#total !== null) this.#total += fresh.unknown;
    this.#adopt(fresh.page);
    void this.#count(run);
  }

  /** Notes which rows are visible and loads more beyond them. */
  see(first: number, last: number): void {
    this.#seen = { first, last };
    if (!this.#failure) void this.#loadAhead();
  }

  /** Tries again to load the next page. */
  async loadMore(): Promise<void> {
    this.#failure = null;
    await this.#loadAhead();
  }

  /** Shows the status of a row, before or after it is saved. */
  patchState(id: string, state: ItemStatus): void {
    const row = this.#rows[this.indexOf(id)];
    if (row) this.#replace(new Map([[id, { ...row, state }]]));
  }

  /**
   * Marks everything that matches as read, except what arrived after the list was loaded. The answer holds the key to undo
   * it, or null if nothing was unread.
   */
  async markAllRead(): Promise<{ changed: number; undo: string | null } | Failure> {
    const reply = await this.#wire.call('items.markAllRead', { query: this.#query, watermark: this.#watermark });
    if (!reply.ok) return reply.error;
    const readAt = new Date().toISOString();
    const unread = this.#rows.filter((row) => row.state.readAt === null);
    this.#replace(new Map(unread.map((row) => [row.id, { ...row, state: { ...row.state, readAt } }])));
    return reply.value;
  }

  /** Undoes an action and updates the loaded rows. Answers how many items were restored. */
  async undo(action: string): Promise<number | Failure> {
    const before = this.#rows;
    const reply = await this.#wire.call('items.undoMark', { undo: action });
    if (!reply.ok) return reply.error;
    await this.#repage(before.length);
    return reply.value.restored;
  }

  async #count(run: number): Promise<void> {
    const reply = await this.#wire.call('items.count', { query: this.#query });
    if (run !== this.#run) return;
    this.#total = reply.ok ? reply.value.count : null;
    this.#hasMore = reply.ok && reply.value.atLeast === true;
  }

  #page(limit: number, cursor?: string | null): Promise<Reply<ItemsPage>> {
    return this.#wire.call(
      'items.page',
      cursor ? { query: this.#query, limit, cursor } : { query: this.#query, limit },
    );
  }

  #adopt(page: ItemsPage): void {
    this.#positions.clear();
    this.#rows = [];
    this.#removalReasons = new Map();
    this.#watermark = page.watermark;
    this.#append(page);
  }

  #append(page: ItemsPage): void {
    // A row that moved down between two pages comes twice: it stays where it was first.
    const added = page.rows.filter((row) => !this.#positions.has(row.id));
    added.forEach((row, i) => this.#positions.set(row.id, this.#rows.length + i));
    this.#rows = [...this.#rows, ...added];
    this.#next = page.next;
  }

  async #loadAhead(): Promise<void> {
    if (this.#paging || this.#phase !== 'ready') return;
    this.#paging = true;
    try {
      while (this.#next !== null && this.#rows.length < this.#seen.last + AHEAD) {
        const run = this.#run;
        const behind = this.#seen.last - this.#rows.length;
        const page = await this.#page(behind > LONGEST_PAGE ? LONGEST_PAGE : NEXT_PAGE, this.#next);
        if (run !== this.#run) continue;
        if (!page.ok) {
          this.#failure = page.error;
          return;
        }
        this.#append(page.value);
      }
    } finally {
      this.#paging = false;
    }
  }

  async #itemsChanged(change: Pick<Events['items.changed'], 'added' | 'ids'>): Promise<void> {
    // A saved item may enter this list by a change: it was selected, or its category changed.
    const mayEnter = change.ids === null || change.ids.some((id) => !this.#positions.has(id));
    if (change.added > 0 || mayEnter) void this.#checkTop();
    await this.#refetch(change.ids ?? this.#seenIds());
  }

  /** Checks whether there are rows above the list that are not shown. One check at a time. */
  async #checkTop(): Promise<void> {
    this.#checkAgain = true;
    if (this.#checking) return;
    this.#checking = true;
    while (this.#checkAgain) {
      this.#checkAgain = false;
      const run = this.#run;
      const page = await this.#page(FIRST_PAGE);
      if (!page.ok || run !== this.#run || this.#phase !== 'ready') continue;
      const unknown = page.value.rows.filter((row) => !this.#positions.has(row.id)).length;
      this.#fresh = unknown > 0 ? { page: page.value, unknown } : null;
      if (this.#rows.length === 0) this.showFresh();
    }
    this.#checking = false;
  }

  #seenIds(): string[] {
    const first = Math.max(0, this.#seen.first - REFETCH / 4);
    return this.#rows.slice(first, first + REFETCH).map((row) => row.id);
  }

  async #refetch(ids: readonly string[]): Promise<void> {
    const shown = ids.filter((id) => this.#positions.has(id)).slice(0, REFETCH);
    const run = this.#run;
    const answers = await Promise.all(
      shown.map(async (id) => ({ id, reply: await this.#wire.call('items.get', { id }) })),
    );
    if (run !== this.#run || answers.length === 0) return;
    const removalReasons = new Map(this.#removalReasons);
    const changed = new Map<string, ItemRow>();
    for (const { id, reply } of answers) {
      const row = this.#rows[this.indexOf(id)];
      if (reply.ok && row) {
        changed.set(id, revisedRow(row, reply.value));
        const left = this.#query.scope === 'selected' && row.inSelectedSet && !reply.value.inSelectedSet;
        if (left) removalReasons.set(id, 'leftSelection');
        else if (!removalReasons.has(id) || reply.value.inSelectedSet) removalReasons.delete(id);
      } else if (!reply.ok && reply.error.code === 'not_found') {
        removalReasons.set(id, 'withdrawn');
      }
    }
    this.#removalReasons = removalReasons;
    this.#replace(changed);
  }

  /** Reads the loaded rows again without moving any: for changes that name no rows. */
  async #repage(length: number): Promise<void> {
    const run = this.#run;
    let cursor: string | null = null;
    let got = 0;
    do {
      const page: Reply<ItemsPage> = await this.#page(LONGEST_PAGE, cursor);
      if (!page.ok || run !== this.#run) return;
      this.#replace(new Map(page.value.rows.map((row) => [row.id, row])));
      got += page.value.rows.length;
      cursor = page.value.next;
    } while (cursor !== null && got < length);
  }

  #replace(rows: ReadonlyMap<string, ItemRow>): void {
    if (rows.size === 0) return;
    const copy = [...this.#rows];
    for (const [id, row] of rows) {
      const index = this.indexOf(id);
      if (index >= 0) copy[index] = row;
    }
    this.#rows = copy;
  }
}

function revisedRow(row: ItemRow, item: StoredItem): ItemRow {
  // A snippet is part of the old text: it would show what has been corrected since.
  return { ...item, snippets: item.revisedAt === row.revisedAt ? row.snippets : [] };
}

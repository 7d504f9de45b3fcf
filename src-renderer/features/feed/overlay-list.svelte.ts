import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ItemRow, ItemsQuery, OnlineResult, OnlineSearch } from '../../../src-main/contract/model/item.ts';
import type { VisitList, Withdrawal } from '../../../src-main/contract/model/today.ts';
import type { LiveAnswers } from '../../api/live.ts';
import { withText } from '../search/index.ts';
import type { ListedItems } from './listed-items.ts';

/**
 * Content of the list over the feed: changes since the last visit, the items of a story that are folded into a row, or
 * results of an online search.
 */
export type OverlayKind = VisitList | 'folded' | 'online';

const FIRST_SEARCH: OnlineSearch = { mode: 'all', window: '7d', by: 'timeline' };

/** The list that can cover the feed. */
export class OverlayListState implements ListedItems {
  readonly removalReasons = new Map<string, never>();
  readonly #live: LiveAnswers;
  #kind = $state<OverlayKind | null>(null);
  #phase = $state<'idle' | 'loading' | 'ready' | 'failed'>('idle');
  #failure = $state.raw<Failure | null>(null);
  #rows = $state.raw<readonly ItemRow[]>([]);
  #withdrawals = $state.raw<readonly Withdrawal[]>([]);
  #request = $state.raw<OnlineSearch>(FIRST_SEARCH);
  #restarted = $state(false);
  #title = $state('');
  #next = $state<string | null>(null);
  /** Counts the loads: a newly loaded list starts at its top. */
  #generation = $state(0);
  #stored = new Set<string>();
  #run = 0;

  readonly #onopen: () => void;

  /** @param onopen called when a list is opened */
  constructor(live: LiveAnswers, onopen: () => void = () => undefined) {
    this.#live = live;
    this.#onopen = onopen;
  }

  get kind(): OverlayKind | null {
    return this.#kind;
  }
  get phase(): 'idle' | 'loading' | 'ready' | 'failed' {
    return this.#phase;
  }
  get failure(): Failure | null {
    return this.#failure;
  }
  get count(): number {
    return this.#rows.length;
  }
  get withdrawals(): readonly Withdrawal[] {
    return this.#withdrawals;
  }
  /** The title of the story whose items are shown. */
  get title(): string {
    return this.#title;
  }
  /** The latest online search, or the one that is being prepared. */
  get request(): OnlineSearch {
    return this.#request;
  }
  /** True if the cursor of the next page had expired, so that this is the first page again. */
  get restarted(): boolean {
    return this.#restarted;
  }
  get hasMore(): boolean {
    return this.#next !== null;
  }
  get generation(): number {
    return this.#generation;
  }

  /** Returns true if an item of the list is saved; results of an online search need not be. */
  isStored(id: string): boolean {
    return this.#kind !== 'online' || this.#stored.has(id);
  }

  at(index: number): ItemRow | undefined {
    const row = this.#rows[index];
    return row && this.#live.item(row);
  }

  indexOf(id: string): number {
    return this.#rows.findIndex((row) => row.id === id);
  }

  async row(index: number): Promise<ItemRow | null> {
    return this.at(index) ?? null;
  }

  async unreadAfter(index: number): Promise<ItemRow | null> {
    const at = this.#rows.findIndex((row, place) => place > index && this.#live.item(row).state.readAt === null);
    return this.at(at) ?? null;
  }

  /** All rows are loaded. */
  see(): void {}

  close(): void {
    this.#begin(null, 'idle');
  }

  async showVisit(which: VisitList, scope: ItemsQuery['scope']): Promise<void> {
    const run = this.#begin(which, 'loading');
    const reply = await this.#live.call('visits.list', { which, scope });
    if (run !== this.#run) return;
    if (!reply.ok) {
      this.#fail(reply.error);
      return;
    }
    this.#rows = reply.value.rows;
    this.#withdrawals = reply.value.withdrawals;
    this.#phase = 'ready';
  }

  /** Shows the items of a story for which a row of a list stands, that row included. */
  async showFolded(query: ItemsQuery, { id, folded }: ItemRow): Promise<void> {
    const run = this.#begin('folded', 'loading');
    this.#title = folded?.title ?? '';
    const reply = await this.#live.call('items.folded', { query, id });
    if (run !== this.#run) return;
    if (!reply.ok) {
      this.#fail(reply.error);
      return;
    }
    this.#rows = reply.value.rows;
    this.#phase = 'ready';
  }

  /** Shows the online search with an initial text. Sends nothing until the search is started. */
  openOnline(text: string): void {
    this.#begin('online', 'idle');
    this.#request = withText(this.#request, text);
  }

  /** Changes the filters. They are applied at once if results are shown. */
  choose(request: OnlineSearch): void {
    if (this.#phase === 'idle') this.#request = request;
    else void this.search(request);
  }

  /** Searches online, from the first page. */
  async search(request: OnlineSearch): Promise<void> {
    const run = this.#begin('online', 'loading');
    this.#request = request;
    this.#stored = new Set();
    await this.#fetch(run, undefined);
  }

  async more(): Promise<void> {
    if (this.#next === null || this.#phase === 'loading') return;
    const cursor = this.#next;
    this.#phase = 'loading';
    this.#failure = null;
    await this.#fetch(++this.#run, cursor);
  }

  async #fetch(run: number, cursor: string | undefined): Promise<void> {
    const request = this.#request;
    const args = cursor === undefined ? { request } : { request, cursor };
    const reply = await this.#live.call('items.searchOnline', args);
    if (run !== this.#run) return;
    if (!reply.ok) {
      this.#fail(reply.error);
      return;
    }
    const { items, next, restarted } = reply.value;
    this.#restarted = restarted;
    if (restarted) this.#generation += 1;
    this.#append(restarted || cursor === undefined ? [] : this.#rows, items);
    this.#next = next;
    this.#phase = 'ready';
  }

  #append(before: readonly ItemRow[], items: readonly OnlineResult[]): void {
    const known = new Set(before.map(({ id }) => id));
    const rows = items.filter(({ id }) => !known.has(id));
    for (const { id, stored } of items) if (stored) this.#stored.add(id);
    this.#rows = [...before, ...rows.map(({ stored: _, ...item }) => ({ ...item, snippets: [] }))];
  }

  #begin(kind: OverlayKind | null, phase: 'idle' | 'loading'): number {
    if (kind !== null) this.#onopen();
    this.#kind = kind;
    this.#phase = phase;
    this.#failure = null;
    this.#rows = [];
    this.#withdrawals = [];
    this.#restarted = false;
    this.#next = null;
    this.#generation += 1;
    return ++this.#run;
  }

  #fail(failure: Failure): void {
    this.#failure = failure;
    this.#phase = 'failed';
  }
}

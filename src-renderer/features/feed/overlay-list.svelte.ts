import { tick } from 'svelte';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ItemRow, ItemsQuery, OnlineResult, OnlineSearch } from '../../../src-main/contract/model/item.ts';
import { writeList, type ListOf, type Location } from '../../../src-main/contract/location.ts';
import type { VisitList, Withdrawal } from '../../../src-main/contract/model/today.ts';
import type { LiveAnswers } from '../../api/live.ts';
import type { FocusRegions } from '../../ui/focus-regions.ts';
import type { PageHistory } from '../../ui/page-context.ts';
import { withText } from '../search/index.ts';
import type { ListedItems } from './listed-items.ts';
import { withFold } from './query.ts';

/**
 * Content of the list over the feed: changes since the last visit, the items of a story that are folded into a row, or
 * results of an online search.
 */
export type OverlayKind = VisitList | 'folded' | 'online';

const FIRST_SEARCH: OnlineSearch = { mode: 'all', window: '7d', by: 'timeline' };

type Over = Extract<Location, { view: 'visit' | 'folded' | 'online' }>;

interface Ports {
  live: LiveAnswers;
  history: PageHistory;
  below: () => ItemsQuery;
  /** Returns the title of the story whose items a row of the list below stands for. */
  titleOf: (id: string) => string;
  onopen: () => void;
}

/** The list that can cover the feed: its location says which, and this has its rows. */
export class OverlayListState implements ListedItems {
  readonly removalReasons = new Map<string, never>();
  readonly #ports: Ports;
  #phase = $state<'idle' | 'loading' | 'ready' | 'failed'>('idle');
  #failure = $state.raw<Failure | null>(null);
  #rows = $state.raw<readonly ItemRow[]>([]);
  #withdrawals = $state.raw<readonly Withdrawal[]>([]);
  #draft = $state.raw<OnlineSearch | null>(null);
  #restarted = $state(false);
  #next = $state<string | null>(null);
  /** Counts the loads: a newly loaded list starts at its top. */
  #generation = $state(0);
  #stored = new Set<string>();
  #run = 0;
  /** The list that has the rows; null for none. */
  #key: string | null = null;
  #latest = FIRST_SEARCH;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get kind(): OverlayKind | null {
    const over = this.#over;
    return over?.view === 'visit' ? over.which : (over?.view ?? null);
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
    const over = this.#over;
    return over?.view === 'folded' ? this.#ports.titleOf(over.id) : '';
  }
  /** The online search that is shown, or the one that is being prepared. */
  get request(): OnlineSearch {
    const over = this.#over;
    return this.#draft ?? (over?.view === 'online' ? over.request : FIRST_SEARCH);
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
    return this.kind !== 'online' || this.#stored.has(id);
  }

  at(index: number): ItemRow | undefined {
    const row = this.#rows[index];
    return row && this.#ports.live.item(row);
  }

  indexOf(id: string): number {
    return this.#rows.findIndex((row) => row.id === id);
  }

  async row(index: number): Promise<ItemRow | null> {
    return this.at(index) ?? null;
  }

  async unreadAfter(index: number): Promise<ItemRow | null> {
    const at = this.#rows.findIndex((row, place) => place > index && this.#ports.live.item(row).state.readAt === null);
    return this.at(at) ?? null;
  }

  /** All rows are loaded. */
  see(): void {}

  close(): void {
    if (this.kind === null) return;
    const { below, history } = this.#ports;
    history.put({ view: 'feed', query: below(), open: history.in('feed').open });
  }

  /** Closes it, and gives the focus to the list below. */
  async leave(focus: FocusRegions): Promise<void> {
    this.close();
    await tick();
    focus.focusList('feed');
  }

  /** Loads the list of the location, unless it is there. An online search is only sent when it is started. */
  enter(): void {
    const over = this.#over;
    const key = over && writeList(over);
    // Results of an online search stay, because they are never read again by themselves.
    if (key === this.#key || (key === null && this.#key?.startsWith('online'))) return;
    if (over) this.#begin(over, over.view === 'online' ? 'idle' : 'loading');
    else this.#key = null;
    if (over && over.view !== 'online') void this.#load(over, this.#run);
  }

  /** Shows the items of a story for which a row of a list stands, that row included. */
  showFolded(query: ItemsQuery, { id }: ItemRow): void {
    this.#go({ view: 'folded', query: withFold(query, false), id });
  }

  /** Shows the online search with an initial text. Sends nothing until the search is started. */
  openOnline(text: string): void {
    this.#go({ view: 'online', request: withText(this.#latest, text) });
    const over = this.#over;
    if (over) this.#begin(over, 'idle');
  }

  /** Changes the filters. They are applied at once if results are shown. */
  choose(request: OnlineSearch): void {
    if (this.#phase === 'idle') this.#draft = request;
    else void this.search(request);
  }

  /** Searches online, from the first page. */
  async search(request: OnlineSearch): Promise<void> {
    this.#latest = request;
    this.#go({ view: 'online', request });
    const over = this.#over;
    if (over) await this.#fetch(this.#begin(over, 'loading'), undefined);
  }

  async more(): Promise<void> {
    if (this.#next === null || this.#phase === 'loading') return;
    const cursor = this.#next;
    this.#phase = 'loading';
    this.#failure = null;
    await this.#fetch(++this.#run, cursor);
  }

  async #fetch(run: number, cursor: string | undefined): Promise<void> {
    const { request } = this;
    const args = cursor === undefined ? { request } : { request, cursor };
    const reply = await this.#ports.live.call('items.searchOnline', args);
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
    // The same objects: how old they are is known of them.
    // The time by which they are in order.
    const timeOf = ({ publishedAt, effectiveAt }: OnlineResult): string =>
      this.request.by === 'published' ? (publishedAt ?? effectiveAt) : effectiveAt;
    const shown = rows.map((item) => Object.assign(item, { snippets: [], effectiveAt: timeOf(item) }));
    this.#rows = [...before, ...shown];
  }

  async #load(over: Exclude<Over, { view: 'online' }>, run: number): Promise<void> {
    const { live } = this.#ports;
    const reply =
      over.view === 'visit'
        ? await live.call('visits.list', { which: over.which, scope: over.scope })
        : await live.call('items.folded', { query: withFold(over.query, true), id: over.id });
    if (run !== this.#run) return;
    if (!reply.ok) {
      this.#fail(reply.error);
      return;
    }
    const { rows, withdrawals = [] }: { rows: ItemRow[]; withdrawals?: Withdrawal[] } = reply.value;
    this.#rows = rows;
    this.#withdrawals = withdrawals;
    this.#phase = 'ready';
  }

  get #over(): Over | null {
    const location = this.#ports.history.in('feed');
    return location.view === 'feed' ? null : location;
  }

  /** Keeps what is open for reading. */
  #go(list: ListOf & Pick<Over, 'view'>): void {
    const { history } = this.#ports;
    history.go({ ...list, open: history.in('feed').open });
  }

  #begin(over: Over, phase: 'idle' | 'loading'): number {
    this.#ports.onopen();
    this.#key = writeList(over);
    this.#phase = phase;
    this.#failure = null;
    this.#draft = null;
    this.#rows = [];
    this.#withdrawals = [];
    this.#stored = new Set();
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

import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ItemRow, ItemStatus } from '../../../src-main/contract/model/item.ts';
import type { OnlineResult, OnlineSearch, VisitList, Withdrawal } from '../../../src-main/contract/model/visit.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** A list that lies over the feed: what a number of the caught-up line stands for, or what the service itself found. */
export type Finding = VisitList | 'online';

const FIRST_SEARCH: OnlineSearch = { mode: 'all', window: '7d', by: 'timeline' };

export class OverlayListState {
  readonly #wire: Wire;
  #kind = $state<Finding | null>(null);
  #phase = $state<'idle' | 'loading' | 'ready' | 'failed'>('idle');
  #failure = $state.raw<Failure | null>(null);
  #rows = $state.raw<readonly ItemRow[]>([]);
  #withdrawals = $state.raw<readonly Withdrawal[]>([]);
  #request = $state.raw<OnlineSearch>(FIRST_SEARCH);
  #restarted = $state(false);
  #next = $state<string | null>(null);
  /** Counts the loads: a list with another number starts at its top. */
  #report = $state(0);
  #stored = new Set<string>();
  #run = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get kind(): Finding | null {
    return this.#kind;
  }
  get phase(): 'idle' | 'loading' | 'ready' | 'failed' {
    return this.#phase;
  }
  get failure(): Failure | null {
    return this.#failure;
  }
  get rows(): readonly ItemRow[] {
    return this.#rows;
  }
  get withdrawals(): readonly Withdrawal[] {
    return this.#withdrawals;
  }
  /** What the service was last asked, or is going to be. */
  get request(): OnlineSearch {
    return this.#request;
  }
  /** Whether the service had let go of the place to go on from, so that this is the first page again. */
  get restarted(): boolean {
    return this.#restarted;
  }
  get hasMore(): boolean {
    return this.#next !== null;
  }
  get report(): number {
    return this.#report;
  }

  /** Whether a found item is in the store. */
  isStored(id: string): boolean {
    return this.#kind !== 'online' || this.#stored.has(id);
  }

  indexOf(id: string): number {
    return this.#rows.findIndex((row) => row.id === id);
  }

  close(): void {
    this.#begin(null, 'idle');
  }

  async showVisit(which: VisitList): Promise<void> {
    const run = this.#begin(which, 'loading');
    const reply = await this.#wire.call('visits.list', { which });
    if (run !== this.#run) return;
    if (!reply.ok) {
      this.#fail(reply.error);
      return;
    }
    this.#rows = reply.value.rows;
    this.#withdrawals = reply.value.withdrawals;
    this.#phase = 'ready';
  }

  /** Shows the search at the service, with a text to begin with. Nothing is asked before the app says so. */
  openOnline(text: string): void {
    this.#begin('online', 'idle');
    this.#request = withText(this.#request, text);
  }

  /** Another window, order or section: asked for at once where something was asked before. */
  choose(request: OnlineSearch): void {
    if (this.#phase === 'idle') this.#request = request;
    else void this.search(request);
  }

  /** Asks the service, from the first page on. */
  async search(request: OnlineSearch): Promise<void> {
    const run = this.#begin('online', 'loading');
    this.#request = request;
    this.#stored = new Set();
    await this.#ask(run, undefined);
  }

  /** Goes on where the last page ended. */
  async more(): Promise<void> {
    if (this.#next === null || this.#phase === 'loading') return;
    const cursor = this.#next;
    this.#phase = 'loading';
    this.#failure = null;
    await this.#ask(++this.#run, cursor);
  }

  patchState(id: string, state: ItemStatus): void {
    this.#rows = this.#rows.map((row) => (row.id === id ? { ...row, state } : row));
  }

  async #ask(run: number, cursor: string | undefined): Promise<void> {
    const request = this.#request;
    const args = cursor === undefined ? { request } : { request, cursor };
    const reply = await this.#wire.call('items.searchOnline', args);
    if (run !== this.#run) return;
    if (!reply.ok) {
      this.#fail(reply.error);
      return;
    }
    const { items, next, restarted } = reply.value;
    this.#restarted = restarted;
    if (restarted) this.#report += 1;
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

  #begin(kind: Finding | null, phase: 'idle' | 'loading'): number {
    this.#kind = kind;
    this.#phase = phase;
    this.#failure = null;
    this.#rows = [];
    this.#withdrawals = [];
    this.#restarted = false;
    this.#next = null;
    this.#report += 1;
    return ++this.#run;
  }

  #fail(failure: Failure): void {
    this.#failure = failure;
    this.#phase = 'failed';
  }
}

/** A search with another text; an empty one is left out. */
export function withText({ q: _, ...rest }: OnlineSearch, text: string): OnlineSearch {
  return text.trim() === '' ? rest : { ...rest, q: text.trim() };
}

/** A search in another section, or in all of them. */
export function withCategory({ category: _, ...rest }: OnlineSearch, category: string | null): OnlineSearch {
  return category === null ? rest : { ...rest, category };
}

/** Whether the service takes a text: 2 to 200 code points, or none (document 1 section 4.1). */
export function takesText(text: string): boolean {
  const length = Array.from(text.trim()).length;
  return length === 0 || (length >= 2 && length <= 200);
}

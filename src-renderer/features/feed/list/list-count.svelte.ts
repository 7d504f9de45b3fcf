import type { Reply } from '../../../../src-main/contract/methods.ts';
import type { ItemsCount } from '../../../../src-main/contract/model/item.ts';
import type { ListReader } from './list-reader.svelte.ts';

/** Number of items that match the query of a list. */
export class ListCount {
  readonly #reader: ListReader;
  #total = $state<number | null>(null);
  #hasMore = $state(false);
  #folded = $state(0);

  constructor(reader: ListReader) {
    this.#reader = reader;
  }

  /** Number of rows when they were counted; null until it is known. */
  get total(): number | null {
    return this.#total;
  }
  /** True if there are more than {@link total}: results of a search are counted to a limit. */
  get hasMore(): boolean {
    return this.#hasMore;
  }
  /** Number of further items that are folded into the rows. */
  get folded(): number {
    return this.#folded;
  }

  async read(): Promise<void> {
    const reply = await this.#reader.count();
    if (reply) this.take(reply);
  }

  take(reply: Reply<ItemsCount>): void {
    this.#total = reply.ok ? reply.value.count : null;
    this.#folded = reply.ok ? (reply.value.folded ?? 0) : 0;
    this.#hasMore = reply.ok && reply.value.atLeast === true;
  }

  /** Adds rows that are not counted yet. */
  add(count: number): void {
    if (this.#total !== null) this.#total += count;
  }
}

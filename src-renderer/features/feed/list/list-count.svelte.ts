import type { Reply } from '../../../../src-main/contract/methods.ts';
import type { ItemsCount } from '../../../../src-main/contract/model/item.ts';
import type { ListReader } from './list-reader.svelte.ts';

/** How many items the query of a list matches. */
export class ListCount {
  readonly #reader: ListReader;
  #total = $state<number | null>(null);
  #hasMore = $state(false);
  #folded = $state(0);

  constructor(reader: ListReader) {
    this.#reader = reader;
  }

  /** Of its rows, when they were counted; null while that is not known. */
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

  /** Counts again. */
  async read(): Promise<void> {
    const reply = await this.#reader.count();
    if (reply) this.take(reply);
  }

  take(reply: Reply<ItemsCount>): void {
    this.#total = reply.ok ? reply.value.count : null;
    this.#folded = reply.ok ? (reply.value.folded ?? 0) : 0;
    this.#hasMore = reply.ok && reply.value.atLeast === true;
  }

  /** Rows were added, and are not counted yet. */
  add(count: number): void {
    if (this.#total !== null) this.#total += count;
  }
}

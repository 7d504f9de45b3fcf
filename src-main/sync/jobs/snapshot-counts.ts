import { counted } from '../../common/numbers.ts';
import type { SnapshotPage } from '../../clients/news/schemas.ts';
import { countSkipped } from '../../clients/parsing/records.ts';
import { BroadsheetError } from '../../contract/errors.ts';

/** The set may change while its pages are fetched. */
const TOLERANCE = 0.05;

/** The pages of a snapshot contradict each other, or themselves: what they lack may be in the set. */
export class ContradictorySnapshot extends BroadsheetError {
  constructor(announced: number, received: number) {
    super(
      'invalid_body',
      `The service announced ${counted(announced, 'item')} and sent ${received}. Nothing was removed. Try again later.`,
      { retryable: true },
    );
  }
}

/**
 * Compares the number of records in a snapshot with `count`, which is that of a page or that of the whole set: the
 * documents don't say which. A snapshot is accepted if one of the two fits all its pages (docs/decisions/050).
 */
export class SnapshotCounts {
  /** Records of pages saved by an earlier run. */
  readonly #before: number;
  #pages = 0;
  #received = 0;
  #skipped = 0;
  #smallest = Infinity;
  #largest = 0;
  /** Every page so far had as many records as its count. */
  #countsPages = true;

  constructor(before: number) {
    this.#before = before;
  }

  add({ count, items, skipped }: SnapshotPage): void {
    this.#pages += 1;
    this.#received += items.length;
    const unread = countSkipped(skipped);
    this.#skipped += unread;
    if (count === null) return;
    // Not the other way round: a service may not count records that can't be read.
    if (count > items.length + unread) this.#countsPages = false;
    this.#smallest = Math.min(this.#smallest, count);
    this.#largest = Math.max(this.#largest, count);
  }

  /** Call it after the last page. Errors: {@link ContradictorySnapshot}. */
  check(): void {
    if (this.#countsPages) return;
    const received = this.#before + this.#received;
    // Nothing changes within one page.
    const tolerated = this.#pages === 1 && this.#before === 0 ? 0 : this.#largest * TOLERANCE;
    const isOfWhole =
      this.#largest - this.#smallest <= tolerated &&
      received + this.#skipped >= this.#largest - tolerated &&
      received <= this.#largest + tolerated;
    if (!isOfWhole) throw new ContradictorySnapshot(this.#largest, received);
  }
}

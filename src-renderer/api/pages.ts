import type { Result } from '../../src-main/contract/methods.ts';
import type { CachedMethod } from '../../src-main/contract/renewals.ts';
import { Latest, type Live } from './live.ts';

/** The rows of a list, of which only those near the view may be loaded. */
export interface Rows<Row> {
  /** Null before it is known. */
  readonly count: number | null;
  /** Undefined for a row that is not loaded, null for one that is gone. */
  at(index: number): Row | null | undefined;
}

/**
 * The rows of an answer that is read in parts, each when one of its rows is shown. While a list changes between two reads,
 * a row may be in two parts. The first part stays until that of other arguments is there.
 *
 * @param size rows of a part
 * @param part returns the answer that begins at an offset; null while the list is hidden
 */
export function rowsOf<M extends CachedMethod, Row>(
  size: number,
  part: (offset: number) => Live<M> | null,
  take: (answer: Result<M>) => { rows: readonly Row[]; count: number },
): Rows<Row> {
  const first = new Latest(() => part(0));
  return {
    get count() {
      return first.value && take(first.value).count;
    },
    at(index) {
      const offset = index - (index % size);
      const answer = offset === 0 ? first.value : part(offset)?.value;
      return answer ? take(answer).rows[index - offset] : undefined;
    },
  };
}

/** A row counts as seen after it was whole in the view for so many ms: one that only flies by does not. */
const SEEN_MS = 400;

/**
 * Which rows the reader has seen and then scrolled past upwards. A row that was jumped over, by dragging the scrollbar, say,
 * was never seen. Indexes are those of one loaded list; times are in ms.
 */
export class PassedRows {
  /** Since when a row is whole in the view, by index. */
  readonly #since = new Map<number, number>();
  readonly #seen = new Set<number>();
  readonly #passed = new Set<number>();

  /** Notes that the rows from `first` to `last` are whole in the view. Answers those that were passed since the last time. */
  look(first: number, last: number, now: number): number[] {
    for (const [index, since] of this.#since) {
      if (now - since >= SEEN_MS) this.#seen.add(index);
      if (index < first || index > last) this.#since.delete(index);
    }
    for (let index = Math.max(0, first); index <= last; index += 1) {
      if (!this.#since.has(index)) this.#since.set(index, now);
    }
    const passed = [...this.#seen].filter((index) => index < first && !this.#passed.has(index)).sort((a, b) => a - b);
    for (const index of passed) this.#passed.add(index);
    return passed;
  }

  /** Another list, or the same one from its top. */
  clear(): void {
    this.#since.clear();
    this.#seen.clear();
    this.#passed.clear();
  }
}

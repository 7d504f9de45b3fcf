/** A row counts as seen after it was whole in the view for so many ms: one that only flies by does not. */
const SEEN_MS = 400;

/** What is in the view now. */
interface View {
  /** The ids of the loaded rows that are whole in it. */
  shown: readonly string[];
  /** The index of the first whole row. */
  first: number;
  /** The index of a loaded row; -1 for others. */
  indexOf: (id: string) => number;
}

/**
 * Which rows the reader has seen and then scrolled past upwards. A row that was jumped over, by dragging the scrollbar, say,
 * was never seen. Rows go by their ids: new ones that come above the view move the indexes of all others. Times are in ms.
 */
export class PassedRows {
  /** Since when a row is whole in the view. */
  readonly #since = new Map<string, number>();
  /** Rows that were seen and are not passed yet. */
  readonly #seen = new Set<string>();
  readonly #passed = new Set<string>();

  /** Notes what is in the view. Answers the rows that were passed since the last time, from the top. */
  look({ shown, first, indexOf }: View, now: number): string[] {
    const whole = new Set(shown);
    for (const [id, since] of this.#since) {
      if (now - since >= SEEN_MS && !this.#passed.has(id)) this.#seen.add(id);
      if (!whole.has(id)) this.#since.delete(id);
    }
    for (const id of whole) if (!this.#since.has(id)) this.#since.set(id, now);
    const passed = [...this.#seen].filter((id) => {
      const index = indexOf(id);
      return index >= 0 && index < first;
    });
    for (const id of passed) {
      this.#seen.delete(id);
      this.#passed.add(id);
    }
    return passed.sort((a, b) => indexOf(a) - indexOf(b));
  }

  /** Another list, or the same one from its top. */
  clear(): void {
    this.#since.clear();
    this.#seen.clear();
    this.#passed.clear();
  }
}

/** In ms. A row counts as seen after it was fully visible for this long. */
const SEEN_MS = 400;

/** The visible part of a list. */
interface View {
  /** The ids of the loaded rows that are fully visible. */
  shown: readonly string[];
  first: number;
  indexOf: (id: string) => number;
}

/**
 * Finds rows that the reader has seen and then scrolled past upwards. A row that was jumped over, for example by
 * dragging the scrollbar, was never seen. Rows are identified by id: new ones above the view move the indexes of all
 * others. Times are in ms.
 */
export class PassedRows {
  /** The time since when a row is fully visible. */
  readonly #since = new Map<string, number>();
  /** Rows that were seen and are not passed yet. */
  readonly #seen = new Set<string>();
  readonly #passed = new Set<string>();

  /** Takes the visible rows. Returns the rows that were passed since the last call, from the top. */
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

  /** Call it for another list, or the same one from its top. */
  clear(): void {
    this.#since.clear();
    this.#seen.clear();
    this.#passed.clear();
  }
}

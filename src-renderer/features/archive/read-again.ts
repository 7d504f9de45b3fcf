/**
 * Reads again what the reader's marks change. The page shows a mark before it is saved; an answer from before that would
 * take it back for a moment, so it is dropped, and asked for again once every mark is saved.
 */
export class ReadAgain {
  /** Asks, and returns what shows the answer; null if there is nothing to show. */
  readonly #ask: () => Promise<(() => void) | null>;
  #made = 0;
  #saving = 0;
  #wanted = false;
  #asking = false;

  constructor(ask: () => Promise<(() => void) | null>) {
    this.#ask = ask;
  }

  /** Saves a mark that the page already shows. */
  async save<T>(saved: Promise<T>): Promise<T> {
    this.#made += 1;
    this.#saving += 1;
    try {
      return await saved;
    } finally {
      this.#saving -= 1;
      if (this.#wanted) void this.run();
    }
  }

  /** Reads again, at once or after the marks that are being saved. Several wishes are one reading. */
  async run(): Promise<void> {
    this.#wanted = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#wanted && this.#saving === 0) {
        this.#wanted = false;
        const made = this.#made;
        const show = await this.#ask();
        if (made === this.#made) show?.();
        else this.#wanted = true;
      }
    } finally {
      this.#asking = false;
    }
  }
}

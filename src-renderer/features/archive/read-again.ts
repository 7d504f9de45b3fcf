/**
 * Reads data again after the reader's status changes. The page shows a change before it is saved; a reply from before
 * would revert it for a moment, so it is dropped and requested again once every change is saved.
 */
export class ReadAgain {
  /** Requests the data, and returns what shows the reply; null if there is nothing to show. */
  readonly #ask: () => Promise<(() => void) | null>;
  #made = 0;
  #saving = 0;
  #wanted = false;
  #asking = false;

  constructor(ask: () => Promise<(() => void) | null>) {
    this.#ask = ask;
  }

  /** Saves a change that the page already shows. */
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

  /** Reads again, at once or after the changes that are being saved. Coalesces requests. */
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

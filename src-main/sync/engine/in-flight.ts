import { BroadsheetError } from '../../contract/errors.ts';

/** Everything that is asked of an engine, so that its end can wait for what was begun. */
export class InFlight {
  readonly #begun = new Set<Promise<unknown>>();
  #closing = false;

  get closing(): boolean {
    return this.#closing;
  }

  /** Errors: `closed` once the end has begun; those of `work`. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new BroadsheetError('closed', 'Broadsheet is closing.');
    const call = work();
    this.#begun.add(call);
    try {
      return await call;
    } finally {
      this.#begun.delete(call);
    }
  }

  /** From here on nothing is begun. */
  refuse(): void {
    this.#closing = true;
  }

  /** Resolves once everything that was begun is over, however it ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#begun);
  }
}

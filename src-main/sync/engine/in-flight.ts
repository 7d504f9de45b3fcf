import { BroadsheetError } from '../../contract/errors.ts';

/** Calls and jobs in progress, so that closing can wait for them. */
export class InFlight {
  readonly #begun = new Set<Promise<unknown>>();
  #closing = false;

  get closing(): boolean {
    return this.#closing;
  }

  /** Errors: `closed` once closing has begun; those of `work`. */
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

  /** Rejects new work from now on. */
  refuse(): void {
    this.#closing = true;
  }

  /** Resolves when all work in progress has ended, successfully or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#begun);
  }
}

import { BroadsheetError } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/model/resource.ts';

export class Activity {
  readonly running = new Set<ResourceName>();
  readonly #begun = new Set<Promise<unknown>>();
  #closing = false;

  get closing(): boolean {
    return this.#closing;
  }

  get isIdle(): boolean {
    return !this.#closing && this.running.size === 0;
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

  refuse(): void {
    this.#closing = true;
  }

  async whenSettled(): Promise<void> {
    await Promise.allSettled(this.#begun);
  }
}

/** Background syncs end early while the user waits for requests, and continue later. */
export class UserPriority {
  #waiting = 0;

  get busy(): boolean {
    return this.#waiting > 0;
  }

  async during<T>(work: () => Promise<T> | T): Promise<T> {
    this.#waiting += 1;
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
    }
  }
}

/** Lets a part report something to parts that are created after it. */
export class Signal<T = void> {
  readonly #listeners: ((value: T) => void)[] = [];

  on(listener: (value: T) => void): void {
    this.#listeners.push(listener);
  }

  readonly fire = (value: T): void => {
    for (const listener of this.#listeners) listener(value);
  };
}

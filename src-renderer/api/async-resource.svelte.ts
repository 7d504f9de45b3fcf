import type { Reply } from '../../src-main/contract/methods.ts';
import type { Failure } from '../../src-main/contract/errors.ts';

/** A read that answers sooner shows no skeleton: nothing flashes. */
const PATIENCE_MS = 150;

/** One thing that is read from the core, and how the reading of it goes. A later reading overtakes an earlier one. */
export class AsyncResource<T> {
  #value = $state.raw<T | null>(null);
  #failure = $state.raw<Failure | null>(null);
  #slow = $state(false);
  #run = 0;

  /** What was read last. Stays while it is read again, also when that fails. */
  get value(): T | null {
    return this.#value;
  }
  get failure(): Failure | null {
    return this.#failure;
  }
  /** Whether the first reading has taken long enough to be shown. */
  get slow(): boolean {
    return this.#slow;
  }

  put(value: T | null): void {
    this.#value = value;
  }

  /** Forgets what was read, and what is still to arrive. */
  clear(): void {
    this.#run += 1;
    this.#value = null;
    this.#failure = null;
    this.#slow = false;
  }

  /** Answers what was read, or null where that failed or was overtaken. */
  async read(ask: Promise<Reply<T>>): Promise<T | null> {
    const run = ++this.#run;
    this.#failure = null;
    const impatient = setTimeout(() => (this.#slow = run === this.#run && this.#value === null), PATIENCE_MS);
    const reply = await ask;
    clearTimeout(impatient);
    if (run !== this.#run) return null;
    this.#slow = false;
    if (!reply.ok) {
      this.#failure = reply.error;
      return null;
    }
    this.#value = reply.value;
    return reply.value;
  }
}

import type { Reply } from '../../src-main/contract/methods.ts';
import type { Failure } from '../../src-main/contract/errors.ts';

/** Replies that arrive sooner than this show no skeleton, which would only flash. */
const PATIENCE_MS = 150;

/** A value that is read from the core, with the state of its request. A later request supersedes an earlier one. */
export class AsyncResource<T> {
  #value = $state.raw<T | null>(null);
  #failure = $state.raw<Failure | null>(null);
  #slow = $state(false);
  #run = 0;

  /** The latest value; it stays during the next request, also when that fails. */
  get value(): T | null {
    return this.#value;
  }
  get failure(): Failure | null {
    return this.#failure;
  }
  /** True if the first request has taken long enough to show that it is running. */
  get slow(): boolean {
    return this.#slow;
  }

  put(value: T | null): void {
    this.#value = value;
  }

  /** Forgets the value, and discards the reply to a running request. */
  clear(): void {
    this.#run += 1;
    this.#value = null;
    this.#failure = null;
    this.#slow = false;
  }

  /** Returns the value, or null if the request failed or was superseded. */
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

import type { Failure } from '../../src-main/contract/errors.ts';
import type { Reply } from '../../src-main/contract/methods.ts';

/** The result of a task, or the message while it runs. */
export type Outcome = { text: string } | { failure: Failure };

interface Work<T> {
  /** The message while it runs. */
  meanwhile?: string;
  /** The message when it is done; null for none. */
  done?: (value: T) => string | null;
}

/** Runs one-off actions of the reader, one at a time, and keeps the result of the last one. */
export class Action<Name extends string> {
  #name = $state<Name | null>(null);
  #busy = $state(false);
  #outcome = $state.raw<Outcome | null>(null);

  get busy(): boolean {
    return this.#busy;
  }

  /** True while another action runs. */
  blocks(name: Name): boolean {
    return this.#busy && this.#name !== name;
  }

  /** Why the last one failed. */
  get failure(): Failure | null {
    return this.#outcome && 'failure' in this.#outcome ? this.#outcome.failure : null;
  }

  outcomeOf(name: Name): Outcome | null {
    return this.#name === name ? this.#outcome : null;
  }

  say(name: Name, outcome: Outcome | null): void {
    this.#name = name;
    this.#outcome = outcome;
  }

  /**
   * Returns the value; null if it failed, or if another action is running. (So the button that started it need not be
   * disabled, which would take the focus from it.)
   */
  async run<T>(name: Name, call: () => Promise<Reply<T>>, { meanwhile, done }: Work<T> = {}): Promise<T | null> {
    if (this.#busy) return null;
    this.#busy = true;
    this.say(name, meanwhile === undefined ? null : { text: meanwhile });
    const reply = await call();
    this.#busy = false;
    const text = reply.ok ? (done?.(reply.value) ?? null) : null;
    this.say(name, reply.ok ? (text === null ? null : { text }) : { failure: reply.error });
    return reply.ok ? reply.value : null;
  }
}

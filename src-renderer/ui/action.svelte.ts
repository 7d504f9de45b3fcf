import type { Reply } from '../../src-main/contract/methods.ts';
import type { Outcome } from './feedback/outcome.ts';

interface Work<T> {
  /** What is said while it is on its way. */
  meanwhile: string;
  /** What is said when it is done; null for nothing. */
  done: (value: T) => string | null;
}

/** Runs one-off actions that the reader starts, one at a time, and keeps the result of the last one. */
export class Action<Name extends string> {
  #name = $state<Name | null>(null);
  #busy = $state(false);
  #outcome = $state.raw<Outcome | null>(null);

  get busy(): boolean {
    return this.#busy;
  }

  /** Whether it is this one that is on its way. */
  does(name: Name): boolean {
    return this.#busy && this.#name === name;
  }

  outcomeOf(name: Name): Outcome | null {
    return this.#name === name ? this.#outcome : null;
  }

  say(name: Name, outcome: Outcome | null): void {
    this.#name = name;
    this.#outcome = outcome;
  }

  /**
   * The value where it succeeded; null where it did not, or while another one is on its way. (So the button that began it
   * need not be disabled, which would take the focus from it.)
   */
  async run<T>(name: Name, call: () => Promise<Reply<T>>, { meanwhile, done }: Work<T>): Promise<T | null> {
    if (this.#busy) return null;
    this.#busy = true;
    this.say(name, { text: meanwhile });
    const reply = await call();
    this.#busy = false;
    const text = reply.ok ? done(reply.value) : null;
    this.say(name, reply.ok ? (text === null ? null : { text }) : { failure: reply.error });
    return reply.ok ? reply.value : null;
  }
}

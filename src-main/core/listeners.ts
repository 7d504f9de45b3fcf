import type { EventName, Events } from '../contract/events.ts';
import type { Log } from '../contract/ports.ts';

type Listener<E extends EventName> = (payload: Events[E]) => void;

/** An error in one listener doesn't affect the others. */
export class Listeners {
  readonly #log: Log;
  readonly #listeners = new Map<EventName, Set<Listener<EventName>>>();

  constructor(log: Log) {
    this.#log = log;
  }

  on<E extends EventName>(event: E, listener: Listener<E>): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    listeners.add(listener as Listener<EventName>);
    return () => {
      listeners.delete(listener as Listener<EventName>);
    };
  }

  emit<E extends EventName>(event: E, payload: Events[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        this.#log('error', 'listener failed', { event, trace: error instanceof Error ? (error.stack ?? '') : '' });
      }
    }
  }
}

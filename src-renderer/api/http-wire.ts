import type { Args, MethodName, Reply, Result } from '../../src-main/contract/api.ts';
import type { Failure } from '../../src-main/contract/errors.ts';
import { EVENT_NAMES, type EventName, type Events } from '../../src-main/contract/events.ts';
import type { Wire } from '../../src-main/contract/wire.ts';

type Listener = (payload: never) => void;

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

const NO_ANSWER: Failure = {
  code: 'unreachable',
  message: 'Broadsheet isn’t responding. Is it still running?',
  retryable: true,
};

/** Calls as POST, events as server-sent events, both same-origin and let in by the host's cookie. */
export class HttpWire implements Wire {
  readonly #listeners = new Map<EventName, Set<Listener>>();
  #source: EventSource | null = null;
  #retryMs = FIRST_RETRY_MS;
  #wasLost = false;

  async call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    try {
      const response = await fetch(`/call/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(args),
      });
      const reply: unknown = await response.json();
      return isReply<Result<M>>(reply) ? reply : { ok: false, error: NO_ANSWER };
    } catch {
      return { ok: false, error: NO_ANSWER };
    }
  }

  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    if (!this.#source) this.#listen();
    return () => listeners.delete(listener);
  }

  #listen(): void {
    const source = new EventSource('/events');
    this.#source = source;
    for (const event of EVENT_NAMES) {
      source.addEventListener(event, (message: Event & { data?: unknown }) =>
        this.#tell(event, JSON.parse(message.data as string) as Events[typeof event]),
      );
    }
    source.addEventListener('open', () => {
      this.#retryMs = FIRST_RETRY_MS;
      if (this.#wasLost) this.#catchUp();
      this.#wasLost = false;
    });
    source.addEventListener('error', () => {
      this.#wasLost = true;
      // A browser reconnects by itself after a broken connection, but gives up for good after a refusal.
      if (source.readyState === EventSource.CLOSED) this.#listenLater();
    });
  }

  #listenLater(): void {
    setTimeout(() => this.#listen(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  /** Events may have been missed while the connection was gone, and a target to go to may wait. */
  #catchUp(): void {
    this.#tell('data.replaced', {});
    this.#tell('app.goTo', {});
  }

  #tell<E extends EventName>(event: E, payload: Events[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) (listener as (payload: Events[E]) => void)(payload);
  }
}

function isReply<T>(value: unknown): value is Reply<T> {
  return typeof value === 'object' && value !== null && 'ok' in value && ('value' in value || 'error' in value);
}

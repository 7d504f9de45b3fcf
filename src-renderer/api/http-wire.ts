import type { Args, MethodName, Reply, Result } from '../../src-main/contract/methods.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import type { Failure } from '../../src-main/contract/errors.ts';
import { EVENT_NAMES, type EventName, type Events } from '../../src-main/contract/events.ts';

interface StreamedEvent {
  name: string;
  data: string;
}

type Listener = (payload: never) => void;
type After = (ms: number, work: () => void) => void;

const RETRY_MS = 2000;
/** First and longest wait after a refusal, which may last. */
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
const FORBIDDEN = 403;

/** Calls that public/first-calls.js sent before the code of the page ran. They have no arguments. */
export interface FirstCalls {
  events: Promise<Response>;
  calls: Map<string, Promise<Response>>;
}

const NO_ANSWER: Failure = {
  code: 'unreachable',
  message: 'Broadsheet isn’t responding. Is it still running?',
  retryable: true,
};

/** Sends calls as POST and receives events as a stream; both are same-origin and need the host's cookie and its key. */
export class HttpWire implements Wire {
  readonly #listeners = new Map<EventName, Set<Listener>>();
  readonly #key: () => string | null;
  readonly #after: After;
  readonly #renew: () => Promise<boolean>;
  #renewing: Promise<boolean> | null = null;
  #isListening = false;
  #retryMs = FIRST_RETRY_MS;
  #wasLost = false;
  readonly #hostListeners = new Set<(answers: boolean) => void>();
  #answers = true;

  #first: FirstCalls | null;

  /**
   * @param key see `sessionKey`
   * @param after calls back once, after that many ms
   * @param first used for calls in the task that makes the wire; later ones need current data
   * @param renew true if there is another key now, for a server that was restarted
   */
  constructor(
    key: () => string | null,
    after: After = (ms, work) => void setTimeout(work, ms),
    first: FirstCalls | null = null,
    renew: () => Promise<boolean> = () => Promise.resolve(false),
  ) {
    this.#key = key;
    this.#renew = renew;
    this.#after = after;
    this.#first = first;
    queueMicrotask(() => (this.#first = null));
  }

  async call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    try {
      const key = this.#key();
      let response = await (this.#askedFirst(method) ?? this.#send(method, args));
      if (response.status === FORBIDDEN && (await this.#hasOtherKey(key))) response = await this.#send(method, args);
      const reply: unknown = await response.json();
      return isReply<Result<M>>(reply) ? reply : { ok: false, error: NO_ANSWER };
    } catch {
      return { ok: false, error: NO_ANSWER };
    }
  }

  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    if (!this.#isListening) void this.#listen();
    this.#isListening = true;
    return () => listeners.delete(listener);
  }

  onHost(listener: (answers: boolean) => void): () => void {
    this.#hostListeners.add(listener);
    return () => this.#hostListeners.delete(listener);
  }

  #send(method: MethodName, args: unknown): Promise<Response> {
    return fetch(`/call/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.#authorization },
      body: JSON.stringify(args),
    });
  }

  /** Calls that were refused together renew the key once. */
  async #hasOtherKey(refused: string | null): Promise<boolean> {
    if (this.#key() !== refused) return true;
    this.#renewing ??= this.#renew()
      .catch(() => false)
      .finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  /** Returns each early reply once: a second call may be sent because something changed. */
  #askedFirst(method: MethodName): Promise<Response> | undefined {
    const asked = this.#first?.calls.get(method);
    this.#first?.calls.delete(method);
    return asked;
  }

  get #authorization(): Record<string, string> {
    const key = this.#key();
    return key === null ? {} : { authorization: `Bearer ${key}` };
  }

  /** Listens until the connection breaks, then retries after a while. */
  async #listen(): Promise<void> {
    let pause = RETRY_MS;
    const key = this.#key();
    try {
      const response = await (this.#first?.events ?? fetch('/events', { headers: this.#authorization }));
      this.#tellHost(response.ok);
      if (response.ok && response.body) await this.#hear(response.body);
      else pause = response.status === FORBIDDEN && (await this.#hasOtherKey(key)) ? 0 : this.#nextRetry();
    } catch {
      // Broken: waits as long as after an end. A host that was only busy answers the next request.
      if (this.#wasLost) this.#tellHost(false);
    }
    this.#wasLost = true;
    this.#after(pause, () => void this.#listen());
  }

  async #hear(body: ReadableStream<Uint8Array>): Promise<void> {
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#wasLost) this.#catchUp();
    this.#wasLost = false;
    for await (const event of eventsIn(body)) {
      try {
        this.#pass(event);
      } catch (error) {
        // An error of a listener must not end the stream.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #pass({ name, data }: StreamedEvent): void {
    const event = EVENT_NAMES.find((known) => known === name);
    if (event) this.#tell(event, JSON.parse(data) as Events[typeof event]);
  }

  #tellHost(answers: boolean): void {
    if (answers === this.#answers) return;
    this.#answers = answers;
    for (const listener of this.#hostListeners) listener(answers);
  }

  #nextRetry(): number {
    const pause = this.#retryMs;
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    return pause;
  }

  /** Makes up for events that were missed during the interruption, and fetches a target that may be pending. */
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

/**
 * Yields the server-sent events of a response until it ends. `EventSource` can't send the key, so the stream is parsed
 * here. Lines end with LF, as the loopback server sends them. Throws the errors of the connection.
 */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

/** Returns null for a comment or a line that only `EventSource` needs. */
function eventOf(block: string): StreamedEvent | null {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), valueOf(line)] as const));
  const name = fields.get('event');
  const data = fields.get('data');
  return name === undefined || data === undefined ? null : { name, data };
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '');
}

import type { Args, MethodName, Reply, Result } from '../../src-main/contract/api.ts';
import { REPORT_KINDS } from '../../src-main/contract/model/report.ts';
import type { Failure } from '../../src-main/contract/errors.ts';
import { EVENT_NAMES, type EventName, type Events } from '../../src-main/contract/events.ts';
import { MODEL_LISTS } from '../../src-main/contract/model/item.ts';
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
      if (this.#wasLost) void this.#catchUp();
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

  /** Events may have been missed while the connection was gone: tells the present state in their place. */
  async #catchUp(): Promise<void> {
    const [counts, sync, settings, gateway, workloads] = await Promise.all([
      this.call('counts.get', {}),
      this.call('sync.status', {}),
      this.call('settings.get', {}),
      this.call('gateway.get', {}),
      this.call('workloads.list', {}),
    ]);
    if (counts.ok) this.#tell('counts.changed', counts.value);
    if (sync.ok) this.#tell('sync.changed', sync.value);
    if (settings.ok) this.#tell('settings.changed', settings.value);
    if (gateway.ok) this.#tell('gateway.changed', gateway.value);
    if (workloads.ok) this.#tell('workloads.changed', workloads.value);
    this.#tell('models.changed', { modelLists: [...MODEL_LISTS] });
    this.#tell('items.changed', { added: 0, revised: 0, withdrawn: 0, ids: null });
    this.#tell('hotTopics.changed', {});
    this.#tell('stories.changed', { publicIds: [] });
    this.#tell('notifications.changed', {});
    this.#tell('app.goTo', {});
    for (const kind of REPORT_KINDS) this.#tell('reports.changed', { kind, labels: [] });
  }

  #tell<E extends EventName>(event: E, payload: Events[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) (listener as (payload: Events[E]) => void)(payload);
  }
}

function isReply<T>(value: unknown): value is Reply<T> {
  return typeof value === 'object' && value !== null && 'ok' in value && ('value' in value || 'error' in value);
}

import { BroadsheetError, toFailure, type Failure } from '../../../src-main/contract/errors.ts';
import { EVENT_NAMES, type EventName, type Events } from '../../../src-main/contract/events.ts';
import type { Args, MethodName, Reply, Result } from '../../../src-main/contract/methods.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

type Body<M extends MethodName> = (args: Args<M>) => Result<M> | Promise<Result<M>>;
type Listener<E extends EventName> = (payload: Events[E]) => void;

/** Wires with a call that will be answered without the test doing anything. */
const busy = new Set<ControlledWire>();

export const isBusy = (): boolean => busy.size > 0;

/** Any wire, whose calls a test can read, hold back, fail and answer, and whose events it can send. */
export class ControlledWire implements Wire {
  readonly calls: { method: MethodName; args: unknown }[] = [];
  readonly failing = new Map<MethodName, Failure>();
  /** Set to hold calls back until it is resolved. */
  gate: Promise<unknown> | null = null;
  /** The same for single methods. */
  readonly gates = new Map<MethodName, Promise<unknown>>();
  readonly #wire: Pick<Wire, 'call' | 'on'>;
  readonly #answers = new Map<MethodName, (args: never) => unknown>();
  readonly #held = new Map<MethodName, Promise<undefined>>();
  readonly #listeners = new Map<EventName, Set<Listener<never>>>(EVENT_NAMES.map((event) => [event, new Set()]));
  readonly #hostListeners = new Set<(answers: boolean) => void>();
  #running = 0;

  constructor(wire: Pick<Wire, 'call' | 'on'>) {
    this.#wire = wire;
    for (const event of EVENT_NAMES) wire.on(event, (payload) => this.emit(event, payload));
  }

  async call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    this.calls.push({ method, args });
    const gate = this.gates.get(method) ?? this.gate;
    if (gate) await gate;
    const reply = await this.#run(method, args);
    await this.#held.get(method);
    return reply;
  }

  on<E extends EventName>(event: E, listener: Listener<E>): () => void {
    const listeners = this.#listeners.get(event) as Set<Listener<E>>;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  onHost(listener: (answers: boolean) => void): () => void {
    this.#hostListeners.add(listener);
    return () => this.#hostListeners.delete(listener);
  }

  /** The host ends, or is back. */
  hostAnswers(answers: boolean): void {
    for (const listener of this.#hostListeners) listener(answers);
  }

  emit<E extends EventName>(event: E, payload: Events[E]): void {
    for (const listener of this.#listeners.get(event) as Set<Listener<E>>) listener(payload);
  }

  /** Replaces the answer of a method, for what a test can't bring about. */
  answer<M extends MethodName>(method: M, body: Body<M>): void {
    this.#answers.set(method, body);
  }

  /** Holds back the calls of a method, or all. Returns what lets them go, and those after them. */
  hold(method?: MethodName): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    if (method === undefined) this.gate = promise;
    else this.gates.set(method, promise);
    return () => {
      resolve(undefined);
      if (method === undefined) this.gate = null;
      else this.gates.delete(method);
    };
  }

  /** Holds back the answers of a method, as they are when it is called. Returns what lets them go. */
  holdAnswers(method: MethodName): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#held.set(method, promise);
    return () => resolve(undefined);
  }

  /** The arguments of the calls of a method so far. */
  argsOf<M extends MethodName>(method: M): Args<M>[] {
    return this.calls.filter((call) => call.method === method).map(({ args }) => args as Args<M>);
  }

  async #run<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    busy.add(this);
    this.#running += 1;
    try {
      return await this.#reply(method, args);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) busy.delete(this);
    }
  }

  async #reply<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    const error = this.failing.get(method);
    if (error) return { ok: false, error };
    const body = this.#answers.get(method) as Body<M> | undefined;
    if (body) {
      try {
        return { ok: true, value: structuredClone(await body(args)) };
      } catch (thrown) {
        if (thrown instanceof BroadsheetError) return { ok: false, error: toFailure(thrown) };
        throw thrown;
      }
    }
    // Copied, as between threads: neither side sees what the other one changes.
    const reply = await this.#wire.call(method, structuredClone(args));
    return structuredClone(reply);
  }
}

/** A wire without a core: what a test does not answer fails. */
export function wireAlone(): ControlledWire {
  const error: Failure = { code: 'closed', message: 'There is no core.', retryable: false };
  return new ControlledWire({ call: () => Promise.resolve({ ok: false, error }), on: () => () => undefined });
}

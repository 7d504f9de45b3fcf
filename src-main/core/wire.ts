import { localeOf } from '../common/i18n/locale.ts';
import { BroadsheetError, toFailure } from '../contract/errors.ts';
import type { Emit, EventName, Events } from '../contract/events.ts';
import {
  type Args,
  checkArgs,
  isMethodName,
  isOfKind,
  type MethodName,
  type Reply,
  type Result,
} from '../contract/methods.ts';
import type { Clock, Log } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import { serviceName } from '../sync/engine/services.ts';
import { HOST_METHODS } from './host-methods.ts';
import { type ReadContext, runRead } from './reads.ts';
import { traceOf } from './threads.ts';
import type { Session } from './types.ts';

const SLOW_MS = 250;

export interface SessionWire {
  wire: Wire;
  emit: Emit;
  /** Makes later calls fail with `closed`. Returns false if already closed. */
  shut(): boolean;
}

interface Files {
  /** Null if they are open. */
  ready(): Promise<null> | null;
  onUnreadable(): void;
}

export function createWire(session: Session, files?: Files): SessionWire {
  const dispatch = createDispatch(createRun(session), session.ports);
  const listeners = new Listeners(session.ports.log);
  const closed = { ok: false, error: toFailure(new BroadsheetError('closed', 'Broadsheet is closing.')) } as const;
  let isShut = false;
  const call: Wire['call'] = async (method, args) => {
    const waiting = files?.ready();
    if (waiting) await waiting;
    if (isShut) return closed;
    const reply = await dispatch(method, args);
    if (!reply.ok && reply.error.code === 'data_unreadable') files?.onUnreadable();
    return reply;
  };
  return {
    wire: { call, on: (event, listener) => listeners.on(event, listener) },
    emit: (event, payload) => listeners.emit(event, payload),
    shut() {
      const first = !isShut;
      isShut = true;
      return first;
    },
  };
}

export type Dispatch = <M extends MethodName>(method: M, args: Args<M>) => Promise<Reply<Result<M>>>;

type Run = <M extends MethodName>(method: M, args: Args<M>) => Promise<Result<M>> | Result<M>;

export function createDispatch(run: Run, { clock, log }: { clock: Clock; log: Log }): Dispatch {
  return async (method, args) => {
    const startedAt = clock.now();
    try {
      if (!isMethodName(method)) throw new BroadsheetError('unknown_method', 'There is no such method.');
      const value = await run(method, checkArgs(method, args));
      return { ok: true, value };
    } catch (error) {
      if (!(error instanceof BroadsheetError)) log('error', 'call failed', { method, trace: traceOf(error) });
      return { ok: false, error: toFailure(error) };
    } finally {
      const took = clock.now() - startedAt;
      if (took > SLOW_MS) log('info', 'slow call', { method, ms: took });
    }
  };
}

function createRun(session: Session): Run {
  const run = (method: MethodName, args: never): unknown => {
    if (isOfKind(method, 'read')) return runRead(method, args, session, readContext(session));
    if (isOfKind(method, 'engine')) return session.engine.call(method, args);
    return HOST_METHODS[method](args, session);
  };
  return run as Run;
}

function readContext({ ports, gateway, source }: Session): ReadContext {
  const { settings, capabilities, clock } = ports;
  const current = settings.get();
  return {
    now: clock.now(),
    owner: gateway.owner,
    service: serviceName(source),
    locale: localeOf(current.language, capabilities.locale),
    version: capabilities.version,
    settings: current,
  };
}

type Listener<E extends EventName> = (payload: Events[E]) => void;

class Listeners {
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
        this.#log('error', 'listener failed', { event, trace: traceOf(error) });
      }
    }
  }
}

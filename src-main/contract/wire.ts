import { fromFailure } from './errors.ts';
import type { EventName, Events } from './events.ts';
import type { Args, MethodName, Reply, Result } from './methods.ts';

/** `call` never rejects: a broken connection is a reply with an error, too. */
export interface Wire {
  call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>>;
  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void;
  /** For hosts that can end before the page: reports when the host stops and resumes answering. */
  onHost?(listener: (answers: boolean) => void): () => void;
}

export type Call = <M extends MethodName>(method: M, args: Args<M>) => Promise<Result<M>>;

/** Returns a function that calls a method and throws its failure. */
export function callOf(wire: Pick<Wire, 'call'>): Call {
  return async (method, args) => {
    const reply = await wire.call(method, args);
    if (reply.ok) return reply.value;
    throw fromFailure(reply.error);
  };
}

export const CALL_CHANNEL = 'broadsheet:call';
export const EVENT_CHANNEL = 'broadsheet:event';

export const PAGE_WIRE = 'broadsheet';

import type { EventName, Events } from './events.ts';
import type { Args, MethodName, Reply, Result } from './methods.ts';

/** `call` never rejects: a broken connection is a reply with an error, too. */
export interface Wire {
  call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>>;
  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void;
  /** For hosts that can end before the page: reports when the host stops and resumes answering. */
  onHost?(listener: (answers: boolean) => void): () => void;
}

export const CALL_CHANNEL = 'broadsheet:call';
export const EVENT_CHANNEL = 'broadsheet:event';

export const PAGE_WIRE = 'broadsheet';

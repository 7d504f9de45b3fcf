import type { EventName, Events } from './events.ts';
import type { Args, MethodName, Reply, Result } from './methods.ts';

/**
 * The interface that every host provides: over Electron's IPC, over HTTP and server-sent events, or within one process.
 * `call` never rejects; a broken connection is a reply with an error, too.
 */
export interface Wire {
  call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>>;
  /** Returns a function that removes the listener. */
  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void;
  /**
   * Says when the host stops answering, and when it answers again. Only a wire whose host can end before the page has it.
   * Returns a function that removes the listener.
   */
  onHost?(listener: (answers: boolean) => void): () => void;
}

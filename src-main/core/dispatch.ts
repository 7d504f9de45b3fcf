import { checkArgs, isMethodName, type Args, type MethodName, type Reply, type Result } from '../contract/methods.ts';
import { BroadsheetError, toFailure } from '../contract/errors.ts';
import type { Clock, Log } from '../contract/ports.ts';
import type { Handlers } from '../handlers/types.ts';

/** Calls that take longer are logged, in ms. */
const SLOW = 250;

export type Dispatch = <M extends MethodName>(method: M, args: Args<M>) => Promise<Reply<Result<M>>>;

/**
 * Handles a call from any host: looks up the method, validates the arguments, runs the handler, returns a reply. Never
 * rejects.
 */
export function createDispatch(handlers: Handlers, { clock, log }: { clock: Clock; log: Log }): Dispatch {
  return async (method, args) => {
    const startedAt = clock.now();
    try {
      if (!isMethodName(method)) throw new BroadsheetError('unknown_method', 'There is no such method.');
      const value = await handlers[method](checkArgs(method, args));
      return { ok: true, value };
    } catch (error) {
      if (!(error instanceof BroadsheetError)) log('error', 'call failed', { method, trace: traceOf(error) });
      return { ok: false, error: toFailure(error) };
    } finally {
      const took = clock.now() - startedAt;
      if (took > SLOW) log('info', 'slow call', { method, ms: took });
    }
  };
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

import { BroadsheetError } from '../../contract/errors.ts';
import type { CheckOptions, Integrity } from '../../store/index.ts';
import { StoreThread } from './store-thread.ts';

/** What the worker's module needs to check the databases instead of running an engine. */
export interface CheckSetup {
  role: 'check';
  folder: string;
  /** ms since 1970. */
  at: number;
  skip: readonly string[];
}

/** A message from the thread: a step is done, or the result; null if the check was stopped. */
export type CheckMessage = { kind: 'step'; name: string } | { kind: 'result'; found: Integrity | null };

/**
 * Checks the databases in a thread, because that takes seconds for a large mirror. `module` is the worker's module.
 * Errors: what the thread throws.
 */
export async function checkInThread(
  module: URL,
  { folder, at }: { folder: string; at: number },
  { skip = [], onStep, signal }: CheckOptions,
): Promise<Integrity | null> {
  const worker = new StoreThread(module, { role: 'check', folder, at, skip } satisfies CheckSetup);
  const result = Promise.withResolvers<Integrity | null>();
  worker.on('message', (message: CheckMessage) => {
    if (message.kind === 'step') onStep?.(message.name);
    else result.resolve(message.found);
  });
  worker.on('error', result.reject);
  worker.on('exit', () => {
    result.reject(new BroadsheetError('closed', 'The thread of the check stopped.'));
  });
  const stop = (): void => {
    worker.postMessage('stop');
  };
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await result.promise;
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

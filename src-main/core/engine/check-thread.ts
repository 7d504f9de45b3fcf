import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Integrity } from '../../store/index.ts';
import { THREAD_LIMITS } from './thread-limits.ts';

/** What the worker's module needs to check the databases instead of running an engine. */
export interface CheckSetup {
  role: 'check';
  folder: string;
  /** ms since 1970. */
  at: number;
}

/**
 * Checks the databases in a thread, because that takes seconds for a large mirror. `module` is the worker's module.
 * Errors: what the thread throws.
 */
export async function checkInThread(module: URL, folder: string, at: number): Promise<Integrity> {
  const worker = new Worker(module, {
    workerData: { role: 'check', folder, at } satisfies CheckSetup,
    resourceLimits: THREAD_LIMITS,
  });
  try {
    const [found] = (await once(worker, 'message')) as [Integrity];
    return found;
  } finally {
    await worker.terminate();
  }
}

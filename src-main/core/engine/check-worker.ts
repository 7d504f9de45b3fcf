import type { MessagePort } from 'node:worker_threads';
import { openQueries } from '../../store/index.ts';
import type { CheckSetup } from './check-thread.ts';

/** Checks the databases and sends the result. Runs in a thread of its own. */
export async function serveCheck(port: MessagePort, { folder, at }: CheckSetup): Promise<void> {
  const queries = openQueries(folder);
  try {
    port.postMessage(await queries.health.check(at));
  } finally {
    queries.close();
  }
}

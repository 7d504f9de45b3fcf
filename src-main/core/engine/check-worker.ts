import type { MessagePort } from 'node:worker_threads';
import { openQueries } from '../../store/index.ts';
import type { CheckMessage, CheckSetup } from './check-thread.ts';

/**
 * Checks the databases and sends the steps and the result. Runs in a thread of its own, and is stopped between two steps.
 */
export async function serveCheck(port: MessagePort, { folder, at, skip }: CheckSetup): Promise<void> {
  const stopping = new AbortController();
  port.on('message', () => {
    stopping.abort();
  });
  const say = (message: CheckMessage): void => {
    port.postMessage(message);
  };
  const queries = openQueries(folder);
  try {
    const onStep = (name: string): void => {
      say({ kind: 'step', name });
    };
    const found = await queries.health.check(at, { skip, onStep, signal: stopping.signal });
    say({ kind: 'result', found });
  } finally {
    queries.close();
  }
}

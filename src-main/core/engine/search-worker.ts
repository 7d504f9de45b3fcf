import type { MessagePort } from 'node:worker_threads';
import { toFailure } from '../../contract/errors.ts';
import { openSearchIndexer, type OpenSearchIndexer } from '../../store/index.ts';
import { logDefects } from './defects.ts';
import type { SearchMessage, SearchRequest, SearchSetup } from './search-thread.ts';

/**
 * Updates the search index until it is stopped. Runs in a thread of its own. What a load leaves to merge is merged once
 * the request is answered, because everything can be found already; what an earlier run left, before.
 */
export function serveSearch(port: MessagePort, { folder }: SearchSetup): void {
  logDefects((...log) => {
    port.postMessage({ log } satisfies SearchMessage);
  });
  let indexer: OpenSearchIndexer | null = null;
  let isStopped = false;
  /** How many requests are not answered yet. */
  let waiting = 0;

  /** One step a turn, so that a request to stop is heard. */
  async function inSteps(step: () => boolean): Promise<void> {
    while (!isStopped && step()) await new Promise((resolve) => setImmediate(resolve));
  }
  async function catchUp(more: boolean): Promise<void> {
    const isFirst = indexer === null;
    const { index, merge } = (indexer ??= openSearchIndexer(folder));
    let steps = 0;
    await inSteps(() => index(more) && (steps += 1) > 0);
    if (isFirst && steps === 0 && !more) await inSteps(merge);
  }
  /** Gives way to a request. A failure loses nothing, and is known to the next start if a file is damaged. */
  async function mergeLater(more: boolean): Promise<void> {
    if (!more) await inSteps(() => waiting === 0 && indexer !== null && indexer.merge()).catch(() => undefined);
  }
  function answer(id: number, error: unknown = null): void {
    waiting -= 1;
    port.postMessage({ id, error: error === null ? null : toFailure(error) } satisfies SearchMessage);
  }

  let queue = Promise.resolve();
  port.on('message', (request: SearchRequest) => {
    if (request.kind === 'catchUp') {
      const { id, more } = request;
      waiting += 1;
      queue = queue
        .then(() => catchUp(more))
        .then(
          () => {
            answer(id);
            return mergeLater(more);
          },
          (error: unknown) => {
            answer(id, error);
          },
        );
      return;
    }
    isStopped = true;
    void queue.then(() => {
      indexer?.close();
      port.close();
    });
  });
}

import type { MessagePort } from 'node:worker_threads';
import { toFailure } from '../../contract/errors.ts';
import { openSearchIndexer, type OpenSearchIndexer } from '../../store/index.ts';
import type { SearchAnswer, SearchRequest, SearchSetup } from './search-thread.ts';

/** Updates the search index until it is stopped. Runs in a thread of its own. */
export function serveSearch(port: MessagePort, { folder }: SearchSetup): void {
  let indexer: OpenSearchIndexer | null = null;
  let isStopped = false;

  /** One step a turn, so that a request to stop is heard. */
  async function catchUp(more: boolean): Promise<void> {
    indexer ??= openSearchIndexer(folder);
    while (!isStopped && indexer.step(more)) await new Promise((resolve) => setImmediate(resolve));
  }
  function answer(id: number, error: unknown = null): void {
    port.postMessage({ id, error: error === null ? null : toFailure(error) } satisfies SearchAnswer);
  }

  let queue = Promise.resolve();
  port.on('message', (request: SearchRequest) => {
    if (request.kind === 'catchUp') {
      const { id, more } = request;
      queue = queue
        .then(() => catchUp(more))
        .then(
          () => {
            answer(id);
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

import { BroadsheetError, fromFailure, type Failure } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import type { SearchThread } from '../../sync/engine/indexing.ts';
import { StoreThread } from './store-thread.ts';

/** What the worker's module needs to run a search indexer instead of an engine. */
export interface SearchSetup {
  role: 'search';
  folder: string;
}

/** A message to the thread. `more` tells that a load is running. */
export type SearchRequest = { kind: 'catchUp'; id: number; more: boolean } | { kind: 'stop' };

/** A message from the thread: everything that was written when the request came is indexed, or why not. */
export interface SearchAnswer {
  id: number;
  error: Failure | null;
}

/** A message from the thread: an answer, or a line for the log. */
export type SearchMessage = SearchAnswer | { log: Parameters<Log> };

/** How long the thread may take to finish a step and close its files, in ms. Then it is terminated. */
const STOP_LIMIT = 800;

/** Runs a search indexer in a thread. `module` is the worker's module. */
export function startSearchThread(module: URL, folder: string, log: Log): SearchThread {
  const worker = new StoreThread(module, { role: 'search', folder } satisfies SearchSetup);
  // It has nothing to do that would have to keep the process alive.
  worker.unref();
  const calls = new Map<number, PromiseWithResolvers<null>>();
  const exited = Promise.withResolvers<null>();
  let ended: Error | null = null;
  let lastId = 0;
  const end = (reason: Error): void => {
    ended ??= reason;
    for (const call of calls.values()) call.reject(ended);
    calls.clear();
  };
  worker.on('message', (message: SearchMessage) => {
    if ('log' in message) {
      log(...message.log);
      return;
    }
    const { id, error } = message;
    const call = calls.get(id);
    calls.delete(id);
    if (error) call?.reject(fromFailure(error));
    else call?.resolve(null);
  });
  worker.on('error', end);
  worker.on('exit', () => {
    end(new BroadsheetError('closed', 'The thread of the search index stopped.'));
    exited.resolve(null);
  });
  return {
    catchUp: (more) => {
      if (ended) return Promise.reject(ended);
      const call = Promise.withResolvers<null>();
      lastId += 1;
      calls.set(lastId, call);
      worker.ref();
      worker.postMessage({ kind: 'catchUp', id: lastId, more } satisfies SearchRequest);
      return call.promise
        .then(() => undefined)
        .finally(() => {
          if (calls.size === 0) worker.unref();
        });
    },
    stop: async () => {
      worker.ref();
      worker.postMessage({ kind: 'stop' } satisfies SearchRequest);
      const timer = setTimeout(() => void worker.terminate(), STOP_LIMIT);
      await exited.promise;
      clearTimeout(timer);
    },
  };
}

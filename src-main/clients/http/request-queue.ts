import pLimit, { type LimitFunction } from 'p-limit';

/** `bulk` work is one of many similar requests: see {@link createRequestQueue}. */
export type Enqueue = <T>(resource: string, bulk: boolean, work: () => Promise<T>) => Promise<T>;

/**
 * Runs one request at a time for each resource and `most` in total; the others wait in order. At most half of them are
 * bulk, so that a server that is slow with single records holds up nothing else. What somebody waits for doesn't queue
 * behind the bulk of the same resource.
 */
export function createRequestQueue(most: number): Enqueue {
  const total = pLimit(most);
  const bulkShare = pLimit(Math.max(1, Math.floor(most / 2)));
  const queues = new Map<string, LimitFunction>();

  return async (resource, bulk, work) => {
    const name = bulk ? `${resource} bulk` : resource;
    const queue = queues.get(name) ?? pLimit(1);
    queues.set(name, queue);
    try {
      return await queue(() => (bulk ? bulkShare(() => total(work)) : total(work)));
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(name);
    }
  };
}

import pLimit, { type LimitFunction } from 'p-limit';

export type Enqueue = <T>(resource: string, work: () => Promise<T>) => Promise<T>;

/** Runs one request at a time for each resource and `most` in total; the others wait in order. */
export function createRequestQueue(most: number): Enqueue {
  const total = pLimit(most);
  const queues = new Map<string, LimitFunction>();

  return async (resource, work) => {
    const queue = queues.get(resource) ?? pLimit(1);
    queues.set(resource, queue);
    try {
      return await queue(() => total(work));
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(resource);
    }
  };
}

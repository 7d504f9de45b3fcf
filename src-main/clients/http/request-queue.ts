import pLimit, { type LimitFunction } from 'p-limit';

export type Enqueue = <T>(resource: string, work: () => Promise<T>) => Promise<T>;

/** One request in flight a resource and `most` in all; the others wait in the order in which they came. */
export function createRequestQueue(most: number): Enqueue {
  const everyone = pLimit(most);
  const queues = new Map<string, LimitFunction>();

  return async (resource, work) => {
    const queue = queues.get(resource) ?? pLimit(1);
    queues.set(resource, queue);
    try {
      return await queue(() => everyone(work));
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(resource);
    }
  };
}

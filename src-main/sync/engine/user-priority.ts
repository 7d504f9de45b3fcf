import type { Args, MethodName } from '../../contract/methods.ts';
import { isModelList } from '../../contract/model/resource.ts';

const WAITED_FOR = new Set<MethodName>(['reports.open', 'stories.open', 'items.searchOnline', 'guide.open']);

/** Checks for a call with which the user waits for the news service: background syncs then give way. */
export function isWaitedFor<M extends MethodName>(method: M, args: Args<M>): boolean {
  if (method !== 'sync.run') return WAITED_FOR.has(method);
  const { urgency, resources } = args as Args<'sync.run'>;
  return urgency !== 'due' && !resources?.every(isModelList);
}

/**
 * Gives requests that the user waits for priority: background syncs end early while there are any, and continue later.
 */
export class UserPriority {
  #waiting = 0;

  get busy(): boolean {
    return this.#waiting > 0;
  }

  async during<T>(work: () => Promise<T> | T): Promise<T> {
    this.#waiting += 1;
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
    }
  }
}

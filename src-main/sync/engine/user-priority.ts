import type { Api } from '../../contract/api.ts';
import { isModelList } from '../../contract/model/resource.ts';

const WAITED_FOR = new Set<keyof Api>(['reports.open', 'stories.open', 'items.searchOnline', 'guide.open']);

/** Whether a reader waits for the news service's answer: then rounds that nobody waits for make way. */
export function isWaitedFor<M extends keyof Api>(method: M, args: Api[M]['args']): boolean {
  if (method !== 'sync.run') return WAITED_FOR.has(method);
  const { urgency, resources } = args as Api['sync.run']['args'];
  return urgency !== 'due' && !resources?.every(isModelList);
}

/** What a reader waits for goes first: background rounds end early while this is busy, and go on later. */
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

import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { LiveAnswers } from '../../api/live.ts';
import { isPlace, withFold } from './query.ts';

/** Returns the number of unread items in a list; undefined while it is unknown, and in a list of another status. */
export function unreadIn(live: LiveAnswers, query: ItemsQuery): number | undefined {
  if (query.state === 'starred') return undefined;
  const isFiltered = query.window !== 'any' || query.category !== undefined;
  // The number beside the view in the sidebar.
  if (isPlace(query) && !isFiltered) return live.get('counts.get', {}).value?.[query.scope].unread;
  return live.get('items.count', { query: { ...withFold(query, false), state: 'unread' } }).value?.count;
}

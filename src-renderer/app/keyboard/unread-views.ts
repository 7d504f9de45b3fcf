import type { Counts, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { filterCount, viewOf } from '../../features/feed/index.ts';
import type { ViewId } from '../../ui/page-context.ts';

/**
 * Returns the lists with unread items, in reading order after the shown one, which comes last unless filters narrow it:
 * something above may be unread. Items that are folded into rows of those are found in the list of all unread items.
 *
 * @param query that of the shown list; null if another view is shown
 */
export function unreadViewsAfter(
  query: ItemsQuery | null,
  counts: Counts | null,
  selectedReady: boolean,
): { view: ViewId; unread: number }[] {
  if (counts === null) return [];
  const selected = { view: { kind: 'selected' } as const, unread: selectedReady ? counts.selected.unread : 0 };
  const everything = { view: { kind: 'everything' } as const, unread: counts.all.unread };
  const unfolded = { view: { kind: 'unread' } as const, unread: counts.all.unread };
  const isAtEnd = query !== null && viewOf(query).kind === 'selected' && filterCount(query) === 0;
  const lists = isAtEnd ? [everything, selected] : [selected, everything];
  return [...lists, unfolded].filter(({ unread }) => unread > 0);
}

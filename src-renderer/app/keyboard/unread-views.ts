import type { Counts, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { viewOf } from '../../features/feed/index.ts';
import type { ViewId } from '../../ui/page-context.ts';

/**
 * Returns the views of the feed with unread items, in reading order after the shown list: the categories below it, then
 * the two lists that hold everything, the shown one last, because something above may be unread. Items that are folded
 * into rows of those are found in the list of all unread items.
 *
 * @param query that of the shown list; null if another view is shown
 */
export function unreadViewsAfter(
  query: ItemsQuery | null,
  counts: Counts | null,
  selectedReady: boolean,
): { view: ViewId; unread: number }[] {
  if (counts === null) return [];
  const current = query && viewOf(query);
  const scope = query?.scope === 'selected' ? 'selected' : 'all';
  const categories = counts.categories.flatMap((entry) =>
    entry.category === null
      ? []
      : [{ view: { kind: 'category', category: entry.category } as const, unread: entry[scope].unread }],
  );
  const at = current?.kind === 'category' ? categories.findIndex(({ view }) => view.category === current.category) : -1;
  const selected = { view: { kind: 'selected' } as const, unread: selectedReady ? counts.selected.unread : 0 };
  const everything = { view: { kind: 'everything' } as const, unread: counts.all.unread };
  const unfolded = { view: { kind: 'unread' } as const, unread: counts.all.unread };
  const order = [...(at < 0 ? [] : categories.slice(at + 1)), ...inTurn(), unfolded];
  return order.filter(({ unread }) => unread > 0);

  function inTurn(): { view: ViewId; unread: number }[] {
    return current?.kind === 'selected' ? [everything, selected] : [selected, everything];
  }
}

import type { Counts } from '../../../contract/model/counts.ts';
import type { ItemsQuery } from '../../../contract/model/item.ts';
import type { ListSizes } from './list-filter.ts';

/** The counter of a list, for lists without a time window, source, search or star filter; else null. */
export function countOf(
  { scope, window, state, category, source, text, saved, muted }: ItemsQuery,
  counts: Counts,
): number | null {
  if (window !== 'any' || state === 'starred' || source !== undefined || text?.trim()) return null;
  const which = state === 'unread' ? 'unread' : 'total';
  if (saved !== undefined || muted) {
    if (scope !== 'all' || category !== undefined || (saved !== undefined && muted)) return null;
    return (muted ? counts.muted : counts.saved.find(({ id }) => id === saved))?.[which] ?? 0;
  }
  const place = category === undefined ? counts : counts.categories.find((row) => row.category === category);
  return place?.[scope][which] ?? 0;
}

/** How long the lists are from which a search can begin, by the counters. */
export function sizesOf({ scope, state, category }: ItemsQuery, counts: Counts): ListSizes {
  const size = (list: Pick<ItemsQuery, 'scope' | 'state' | 'category'>): number =>
    countOf({ ...list, window: 'any' }, counts) ?? Infinity;
  const narrow = category === undefined ? {} : { category };
  return {
    list: state === 'starred' ? counts.starred.total : state === 'any' ? Infinity : size({ scope, state, ...narrow }),
    all: counts.all.total,
    inScope: size({ scope, state: 'any' }),
    inCategory: size({ scope: 'all', state: 'any', ...narrow }),
    inBoth: size({ scope, state: 'any', ...narrow }),
  };
}

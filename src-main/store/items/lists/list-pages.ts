import { BroadsheetError } from '../../../contract/errors.ts';

/** The newest `limit` of these rows. Rows with the same key stay on one page: the next one begins below the last key. */
export function pageOf<T extends { key: number }>(places: T[], limit: number): { shown: T[]; next: string | null } {
  const sorted = places.sort((a, b) => b.key - a.key);
  const end = endOf(sorted, ({ key }) => key, limit);
  const last = sorted[end - 1];
  return { shown: sorted.slice(0, end), next: end < sorted.length && last ? String(last.key) : null };
}

/** Where a part of `limit` entries ends: those with the same key are not torn apart. */
export function endOf<T>(sorted: readonly T[], keyOf: (entry: T) => number, limit: number): number {
  const key = (at: number): number | undefined => (sorted[at] === undefined ? undefined : keyOf(sorted[at]));
  let end = Math.min(limit, sorted.length);
  while (end < sorted.length && key(end) === key(end - 1)) end += 1;
  return end;
}

/** The key below which a page begins. Errors: `invalid_argument`. */
export function parseCursor(cursor: string): number {
  if (!/^\d{1,16}$/.test(cursor)) {
    throw new BroadsheetError('invalid_argument', 'This page link is not valid for this list. Reload the list.');
  }
  return Number(cursor);
}

/** Counters of lists: how many rows of each sort there are, of which lists are sums. See `touched.ts`. */
import { KNOWN_CATEGORIES, type Counts } from '../../contract/model/item.ts';
import type { ViewCount } from '../../contract/model/search.ts';
import { appliedSearches } from '../rules/applied-rules.ts';
import { dependsOnTime, holds, holdsSql, type AppliedRule } from '../rules/rule-query.ts';
import { row, rows, type Db } from '../sql.ts';
import { isComplete } from './selected-set.ts';

interface Counter {
  /** '' for none. */
  category: string;
  selected: number;
  unread: number;
  starred: number;
  muted: number;
  n: number;
}

interface SavedCounter {
  slot: number;
  bits: number;
  unread: number;
  starred: number;
  n: number;
}

/** With `now` (ms since 1970), saved searches with a moving time count what they show then; otherwise, what they ever can. */
export function readCounts(db: Db, now?: number): Counts {
  const counters = counterRows(db);
  const shown = counters.filter(({ muted }) => muted === 0);
  const selected = isComplete(db) ? shown.filter((one) => one.selected === 1) : [];
  const names = [...new Set(shown.map(({ category }) => category))].sort(compare);
  return {
    selected: sum(selected),
    all: sum(shown),
    starred: sum(counters.filter(({ starred }) => starred === 1)),
    muted: sum(counters.filter(({ muted }) => muted === 1)),
    saved: countSaved(db, now),
    categories: names.map((name) => ({
      category: name === '' ? null : name,
      selected: sum(selected.filter(({ category }) => category === name)),
      all: sum(shown.filter(({ category }) => category === name)),
    })),
  };
}

/** Counts also hidden items: a sync must not depend on what a reader hides. */
export function countStored(db: Db): { all: number; selected: number } {
  const counters = counterRows(db);
  const selected = isComplete(db) ? counters.filter((one) => one.selected === 1) : [];
  return { all: sum(counters).total, selected: sum(selected).total };
}

function counterRows(db: Db): Counter[] {
  return rows<Counter>(db, 'SELECT category, selected, unread, starred, muted, n FROM counter WHERE n > 0');
}

function countSaved(db: Db, now: number | undefined): Counts['saved'] {
  const searches = appliedSearches(db);
  if (searches.length === 0) return [];
  const counters = rows<SavedCounter>(db, 'SELECT slot, bits, unread, starred, n FROM saved_counter WHERE n > 0');
  return searches.map((search) => {
    const { slot, id, query } = search;
    if (now !== undefined && dependsOnTime(query)) return { id, ...countAt(db, search, now) };
    return { id, ...sum(counters.filter((one) => one.slot === slot && holds(query, one.bits, one))) };
  });
}

function countAt(db: Db, { slot, query }: AppliedRule, now: number): ViewCount {
  const { sql, bound } = holdsSql(query, now);
  const count = row<ViewCount>(
    db,
    `SELECT count(*) AS total, coalesce(sum(unread), 0) AS unread
     FROM rule_match CROSS JOIN item_index USING (key) WHERE slot = ? AND muted = 0 AND ${sql}`,
    ...[slot, ...bound],
  );
  return count ?? { total: 0, unread: 0 };
}

function sum(counters: readonly Pick<Counter, 'unread' | 'n'>[]): ViewCount {
  const count: ViewCount = { total: 0, unread: 0 };
  for (const { unread, n } of counters) {
    count.total += n;
    count.unread += unread * n;
  }
  return count;
}

/** Known categories come in the service's order, then others by name, then none. */
function compare(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
}

function rankOf(category: string): number {
  if (category === '') return KNOWN_CATEGORIES.length + 1;
  const known = KNOWN_CATEGORIES.findIndex((name) => name === category);
  return known < 0 ? KNOWN_CATEGORIES.length : known;
}

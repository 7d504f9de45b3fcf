/** Counters of lists, which the transaction that changes the rows updates. */
import { KNOWN_CATEGORIES, type Counts } from '../../contract/model/item.ts';
import type { ViewCount } from '../../contract/model/search.ts';
import { findSearch, liveRules, savedSearchIds, slotsShowing } from '../rules/applied-rules.ts';
import { dependsOnTime, holds, holdsSql } from '../rules/rule-query.ts';
import { row, rows, run, type Db } from '../sql.ts';
import type { CountChange, Tx } from '../tx.ts';
import { isComplete } from './selected-set.ts';

export interface Countable {
  category: string | null;
  generation: number;
  unread: number;
  starred: number;
  muted: number;
}

type KeyedRow = Countable & { key: number };

export type CountedRows = Countable & { times: number };

export type MatchGroup = CountedRows & { slot: number; bits: number };

/** Call it once the row's matches with rules are saved. */
export function countIn(tx: Tx, row: KeyedRow): void {
  moveCounts(tx, row, 1);
  moveSaved(tx, row, 1);
}

/** Like {@link countIn}, of a row that may enter or leave the hidden ones. */
export function countInMuted(tx: Tx, row: KeyedRow, isMuted: boolean): void {
  const muted = Number(isMuted);
  if (muted !== row.muted) {
    run(tx.db, 'UPDATE item_index SET muted = ? WHERE key = ?', muted, row.key);
    tx.refold.add(row.key);
  }
  countIn(tx, { ...row, muted });
}

/** Call it before the row or its matches change. */
export function countOut(tx: Tx, row: KeyedRow): void {
  moveCounts(tx, row, -1);
  moveSaved(tx, row, -1);
}

/** Counts rows whose flag `unread` changes to another value. */
export function changeUnread(
  tx: Tx,
  counted: readonly CountedRows[],
  matches: readonly MatchGroup[],
  unread: number,
): void {
  for (const rows of counted) {
    moveCounts(tx, rows, -rows.times);
    moveCounts(tx, { ...rows, unread }, rows.times);
  }
  for (const group of matches) {
    addSavedCounts(tx, group, -1);
    addSavedCounts(tx, { ...group, unread });
  }
}

function moveCounts(tx: Tx, row: Countable, times: number): void {
  const category = row.category ?? '';
  const unread = row.unread * times;
  move(tx, 'all', category, times, unread);
  if (row.generation > 0) move(tx, 'selected', category, times, unread);
  if (row.starred) move(tx, 'starred', '', times, unread);
  if (!row.muted) return;
  move(tx, 'muted', category, times, unread);
  if (row.generation > 0) move(tx, 'mutedSelected', category, times, unread);
}

export function addSavedCounts(tx: Tx, { slot, bits, times, ...row }: MatchGroup, sign: 1 | -1 = 1): void {
  const rule = liveRules(tx).bySlot.get(slot);
  if (rule?.kind !== 'saved' || row.muted || !holds(rule.query, bits, row)) return;
  move(tx, 'saved', String(slot), sign * times, sign * times * row.unread);
}

export function matchGroupsSql(condition: string): string {
  return `SELECT slot, bits, category, min(generation, 1) AS generation, unread, starred, muted, count(*) AS times
    FROM rule CROSS JOIN rule_match USING (slot) CROSS JOIN item_index USING (key)
    WHERE kind = 'saved' AND gone = 0 AND ${condition} GROUP BY 1, 2, 3, 4, 5, 6, 7`;
}

export function saveCounts({ db, counts }: Tx): void {
  for (const { scope, category, total, unread } of counts.values()) {
    if (total === 0 && unread === 0) continue;
    run(
      db,
      `INSERT INTO counter (scope, category, total, unread) VALUES (?, ?, ?, ?)
       ON CONFLICT (scope, category) DO UPDATE SET total = total + excluded.total, unread = unread + excluded.unread`,
      ...[scope, category, total, unread],
    );
  }
  counts.clear();
}

/** With `now` (ms since 1970), saved searches with a moving time count what they show then; otherwise, what they ever can. */
export function readCounts(db: Db, now?: number): Counts {
  const selectedComplete = isComplete(db);
  const shown = counterRows(db).filter(
    ({ scope }) => selectedComplete || (scope !== 'selected' && scope !== 'mutedSelected'),
  );
  const counts = toCounts(shown, savedSearchIds(db));
  if (now === undefined) return counts;
  return { ...counts, saved: counts.saved.map((count) => ({ ...count, ...countMoving(db, count.id, now) })) };
}

/** Counts also hidden items: a sync must not depend on what a reader hides. */
export function countStored(db: Db): { all: number; selected: number } {
  const saved = counterRows(db);
  const sum = (wanted: CountChange['scope']): number =>
    saved.reduce((total, row) => (row.scope === wanted ? total + row.total : total), 0);
  return { all: sum('all'), selected: isComplete(db) ? sum('selected') : 0 };
}

/** Null if the counter of a saved search is right at any time. */
function countMoving(db: Db, id: string, now: number): ViewCount | null {
  const found = findSearch(db, id);
  if (!found || !dependsOnTime(found.query)) return null;
  const { sql, bound } = holdsSql(found.query, now);
  const count = row<ViewCount>(
    db,
    `SELECT count(*) AS total, coalesce(sum(unread), 0) AS unread
     FROM rule_match CROSS JOIN item_index USING (key) WHERE slot = ? AND muted = 0 AND ${sql}`,
    ...[found.slot, ...bound],
  );
  return count ?? NONE;
}

function counterRows(db: Db): CountChange[] {
  return rows<CountChange>(db, 'SELECT scope, category, total, unread FROM counter WHERE total > 0');
}

function moveSaved(tx: Tx, row: KeyedRow, times: 1 | -1): void {
  if (row.muted) return;
  for (const slot of slotsShowing(tx, row.key, row)) move(tx, 'saved', String(slot), times, times * row.unread);
}

function move({ counts }: Tx, scope: CountChange['scope'], category: string, total: number, unread: number): void {
  const name = `${scope} ${category}`;
  const row = counts.get(name);
  if (row) {
    row.total += total;
    row.unread += unread;
  } else counts.set(name, { scope, category, total, unread });
}

function toCounts(counters: readonly CountChange[], searches: ReadonlyMap<number, string>): Counts {
  const sum = (scope: CountChange['scope'], category?: string): ViewCount =>
    counters
      .filter((row) => row.scope === scope && (category === undefined || row.category === category))
      .reduce((total, row) => ({ total: total.total + row.total, unread: total.unread + row.unread }), NONE);
  const shown = (scope: 'all' | 'selected', category?: string): ViewCount =>
    minus(sum(scope, category), sum(scope === 'all' ? 'muted' : 'mutedSelected', category));
  const names = [...new Set(counters.filter((row) => row.scope === 'all').map((row) => row.category))].sort(compare);
  const categories = names
    .map((name) => ({
      category: name === '' ? null : name,
      selected: shown('selected', name),
      all: shown('all', name),
    }))
    .filter(({ all }) => all.total > 0);
  return {
    selected: shown('selected'),
    all: shown('all'),
    starred: sum('starred'),
    muted: sum('muted'),
    saved: [...searches].map(([slot, id]) => ({ id, ...sum('saved', String(slot)) })),
    categories,
  };
}

const NONE: ViewCount = { total: 0, unread: 0 };

function minus(all: ViewCount, part: ViewCount): ViewCount {
  return { total: all.total - part.total, unread: all.unread - part.unread };
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

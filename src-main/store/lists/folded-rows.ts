import type { FoldedReports, ItemsQuery } from '../../contract/model/item.ts';
import { isComplete } from '../items/selected-set.ts';
import { keyAt } from '../items/time-key.ts';
import { rows, value, type Db } from '../sql.ts';
import { foldBit, foldsStories } from '../stories/folds.ts';
import { windowStart } from './list-filter.ts';

interface FoldRow {
  key: number;
  story: string;
  title: string;
}

interface MemberRow {
  key: number;
  category: string | null;
  generation: number;
  unread: number;
}

/** Returns what each of these rows stands for beside itself, by key. */
export function foldedUnder(
  db: Db,
  keys: readonly number[],
  query: ItemsQuery,
  now: number,
): Map<number, FoldedReports> {
  const found = new Map<number, FoldedReports>();
  if (keys.length === 0 || !isFolding(db, query)) return found;
  for (const { key, story, title } of foldsAt(db, keys)) {
    const others = membersOf(db, story, query, now).filter((member) => member.key < key);
    const unread = others.filter((member) => member.unread === 1).length;
    if (others.length > 0) found.set(key, { story, title, count: others.length, unread });
  }
  return found;
}

/** Returns the keys of the items for which a row stands, newest first. */
export function keysUnder(db: Db, key: number, query: ItemsQuery, now: number): number[] {
  const [fold] = foldsAt(db, [key]);
  return fold ? membersOf(db, fold.story, query, now).map((member) => member.key) : [];
}

/** Returns the number of items that a list folds into others. */
export function countFolded(db: Db, query: ItemsQuery, now: number): number {
  if (!isFolding(db, query)) return 0;
  const bound = [foldBit(query), startOf(query, now)];
  const count =
    query.category === undefined
      ? value<number>(db, 'SELECT count(*) FROM fold WHERE bits & ? AND key >= ?', ...bound)
      : value<number>(
          db,
          'SELECT count(*) FROM fold CROSS JOIN item_index USING (key) WHERE bits & ? AND fold.key >= ? AND category = ?',
          ...[...bound, query.category],
        );
  return count ?? 0;
}

/** Nothing is folded in what Selected shows before its first snapshot is complete. */
function isFolding(db: Db, query: ItemsQuery): boolean {
  return foldsStories(query) && (query.scope === 'all' || isComplete(db));
}

function foldsAt(db: Db, keys: readonly number[]): FoldRow[] {
  return rows<FoldRow>(
    db,
    `SELECT fold.key, fold.story, story.title FROM json_each(?) AS wanted CROSS JOIN fold ON fold.key = wanted.value
     CROSS JOIN story ON story.public_id = fold.story`,
    JSON.stringify(keys),
  );
}

function membersOf(db: Db, story: string, query: ItemsQuery, now: number): MemberRow[] {
  const members = rows<MemberRow>(
    db,
    `SELECT key, category, generation, unread FROM fold CROSS JOIN item_index USING (key)
     WHERE fold.story = ? AND fold.key >= ? ORDER BY fold.key DESC`,
    ...[story, startOf(query, now)],
  );
  return members
    .filter(({ generation }) => query.scope === 'all' || generation > 0)
    .filter(({ category }) => query.category === undefined || category === query.category);
}

function startOf(query: ItemsQuery, now: number): number {
  return query.window === 'any' ? 0 : keyAt(windowStart(query, now));
}

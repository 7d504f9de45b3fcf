/** Lists of items, which are read by key, newest first: every page costs the same. */
import { headField } from '../documents.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type {
  Counts,
  FoldedReports,
  HidingRule,
  ItemPlaces,
  ItemRow,
  ItemsCount,
  ItemsPage,
  ItemsQuery,
} from '../../contract/model/item.ts';
import { mirrorProperties } from '../database/properties.ts';
import { readCounts } from '../items/counters.ts';
import { findRecord, ITEM_COLUMNS, toItemRows, type ItemRecord } from '../items/item-rows.ts';
import { isComplete } from '../items/selected-set.ts';
import { keyAt } from '../items/time-key.ts';
import { countMissingStars, missingStars } from '../items/missing-stars.ts';
import { findSearch } from '../rules/applied-rules.ts';
import { parseSearch } from '../search/search-query.ts';
import { snippetsFor } from '../search/snippets.ts';
import { rows, sql, value, values, type Db } from '../sql.ts';
import { STATUS_JOIN } from '../statuses/status-sql.ts';
import { foldBit, foldsStories } from '../stories/coverage.ts';
import { fromKey, keysOf, listFilter, sourceFacts, windowStart, type Filter } from './list-filter.ts';

/** More results of a search are not counted: each is looked up. */
export const MAX_COUNTED = 1_000;

const MAX_IN_A_SECOND = 64;

const STARRED: ItemsQuery = { scope: 'all', window: 'any', state: 'starred' };

const ROWS = sql`SELECT ${ITEM_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN item_index ON item_index.key = wanted.value
  CROSS JOIN item ON item.arrival = item_index.arrival ${STATUS_JOIN}`;
const HIDING = sql`SELECT id, query FROM rule_match CROSS JOIN rule USING (slot) WHERE key = ? AND kind = 'mute' AND gone = 0
  ORDER BY slot`;

export function page(db: Db, query: ItemsQuery, cursor: string | undefined, limit: number, now: number): ItemsPage {
  const watermark = mirrorProperties.number(db, 'sequence');
  const below = cursor === undefined ? undefined : parseCursor(cursor);
  const found = places(db, query, below, limit, now);
  const all = rowsAt(db, query, found.places, now);
  const shown = found.places.flatMap((place, index) => (all[index] ? [{ place, row: all[index] }] : []));
  const next = found.more ? String(found.places.at(-1)) : null;
  return { rows: shown.map(({ row }) => row), places: shown.map(({ place }) => place), next, watermark };
}

/** Rows with the same key stay together: the next ones begin below the last key. */
export function places(db: Db, query: ItemsQuery, below: number | undefined, limit: number, now: number): ItemPlaces {
  const filter = filterOf(db, query, now);
  if (!filter) return { places: [], more: false };
  if (below !== undefined) fromKey(filter, '<', below);
  const read = keysOf(filter, limit + 1);
  const keys = values<number>(db, read.sql, ...read.bound);
  const stars = missingStars(db, query, below ?? null, limit + 1, now)
    .map(({ key }) => key)
    .filter((key) => below === undefined || key < below);
  const all = stars.length === 0 ? keys : [...keys, ...stars].sort((a, b) => b - a);
  let end = Math.min(limit, all.length);
  while (end < all.length && all[end] === all[end - 1]) end += 1;
  return { places: all.slice(0, end), more: all.length > end };
}

export { rowsAt as rows };

/** Includes rows that no longer match; null for none. With `ids`: the rows of these items, even if moved. */
function rowsAt(
  db: Db,
  query: ItemsQuery,
  at: readonly number[],
  now: number,
  ids: readonly string[] = [],
): (ItemRow | null)[] {
  const wanted = at.map((key, index) => (ids[index] === undefined ? key : (keyOf(db, ids[index]) ?? key)));
  const records = recordsAt(db, [...new Set(wanted)]);
  const search = parseSearch(query.text ?? '', now);
  const keys = new Map(records.map(({ id, key }) => [id, key]));
  const folded = foldedUnder(db, [...keys.values()], query, now);
  const saved = toItemRows(db, records).map((row) => {
    const key = keys.get(row.id) ?? -1;
    const under = folded.get(key);
    if (under) row.folded = under;
    if (query.muted) row.mutedBy = rows<HidingRule>(db, HIDING, key);
    if (!search.blank) row.snippets = snippetsFor({ ...row, sourceName: row.source.name }, search);
    return { key, row };
  });
  const below = Math.max(...wanted) + 1;
  const stars = missingStars(db, query, below, wanted.length + MAX_IN_A_SECOND, now);
  // A withdrawn item may share its key with a saved one, which comes first, as in a page.
  const found = Map.groupBy([...saved, ...stars], ({ key }) => key);
  return wanted.map((key) => found.get(key)?.shift()?.row ?? null);
}

/** Returns the items for which a row stands, itself included, newest first. */
export function listFolded(db: Db, query: ItemsQuery, id: string, now: number): ItemRow[] {
  const records = recordsAt(db, keysUnder(db, findRecord(db, id).key, query, now));
  return toItemRows(
    db,
    records.sort((a, b) => b.key - a.key),
  );
}

export function countFromCounters(db: Db, query: ItemsQuery, now: number): ItemsCount | null {
  // A preview of the selected set has no counter.
  if (query.scope === 'selected' && !isComplete(db)) return null;
  const known = countOf(query, counts(db, now));
  if (known === null) return null;
  // A list with a counter has no time window.
  const underOthers = countFolded(db, query, 0);
  return withFoldedCount({ count: known - underOthers }, underOthers);
}

export function count(db: Db, query: ItemsQuery, now: number): ItemsCount {
  const known = countFromCounters(db, query, now);
  if (known) return known;
  const underOthers = countFolded(db, query, now);
  const stars = countMissingStars(db, query, now);
  const filter = filterOf(db, query, now);
  if (!filter) return { count: 0 };
  const read = keysOf(filter, filter.search ? MAX_COUNTED + 1 : -1);
  const found = value<number>(db, `SELECT count(*) FROM (${read.sql})`, ...read.bound) ?? 0;
  if (filter.search && found > MAX_COUNTED) return { count: MAX_COUNTED, atLeast: true };
  return withFoldedCount({ count: stars + found }, underOthers);
}

export function counts(db: Db, now?: number): Counts {
  const read = readCounts(db, now);
  const starred = { ...read.starred };
  starred.total += countMissingStars(db, STARRED, 0);
  return { ...read, starred };
}

export function newest(db: Db, filter: Filter, limit: number): { key: number; id: string }[] {
  const { sql, bound } = keysOf(filter, limit);
  return rows<{ key: number; id: string }>(
    db,
    `SELECT hit.key, item.id FROM (${sql}) AS hit CROSS JOIN item_index ON item_index.key = hit.key
     CROSS JOIN item ON item.arrival = item_index.arrival ORDER BY hit.key DESC`,
    ...bound,
  );
}

function filterOf(db: Db, query: ItemsQuery, now: number): Filter | null {
  const complete = isComplete(db);
  const saved = query.saved === undefined ? null : findSearch(db, query.saved);
  if (!query.text?.trim()) return listFilter(query, now, complete, { saved });
  // Counters don't know how many items of a list are hidden, or in a saved search.
  const isKnown = complete && saved === null && !query.muted;
  const read = counts(db);
  const sizes = isKnown && { sizeOf: (list: ItemsQuery) => sizeOf(list, read) };
  return listFilter(query, now, complete, { ...sizes, ...sourceFacts(db), saved });
}

function keyOf(db: Db, id: string): number | undefined {
  return value<number>(db, 'SELECT key FROM item WHERE id = ?', id);
}

function recordsAt(db: Db, keys: readonly number[]): ItemRecord[] {
  return rows<ItemRecord>(db, ROWS, JSON.stringify(keys));
}

function withFoldedCount(of: ItemsCount, underOthers: number): ItemsCount {
  return underOthers === 0 ? of : { ...of, folded: underOthers };
}

/** Returns null for a list with a time window, a source, a search or a star filter. */
function countOf(
  { scope, window, state, category, source, text, saved, muted }: ItemsQuery,
  of: Counts,
): number | null {
  if (window !== 'any' || state === 'starred' || source !== undefined || text?.trim()) return null;
  const which = state === 'unread' ? 'unread' : 'total';
  if (saved !== undefined || muted) {
    if (scope !== 'all' || category !== undefined || (saved !== undefined && muted)) return null;
    return (muted ? of.muted : of.saved.find(({ id }) => id === saved))?.[which] ?? 0;
  }
  const place = category === undefined ? of : of.categories.find((row) => row.category === category);
  return place?.[scope][which] ?? 0;
}

function sizeOf({ scope, state, category }: ItemsQuery, of: Counts): number {
  if (state === 'starred') return of.starred.total;
  if (state === 'any') return Infinity;
  return countOf({ scope, window: 'any', state, ...(category !== undefined && { category }) }, of) ?? Infinity;
}

function parseCursor(cursor: string): number {
  if (!/^\d{1,16}$/.test(cursor)) {
    throw new BroadsheetError('invalid_argument', 'This page link is not valid for this list. Reload the list.');
  }
  return Number(cursor);
}

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

function foldedUnder(db: Db, keys: readonly number[], query: ItemsQuery, now: number): Map<number, FoldedReports> {
  const found = new Map<number, FoldedReports>();
  if (keys.length === 0 || !isFolding(db, query)) return found;
  for (const { key, story, title } of foldsAt(db, keys)) {
    const others = membersOf(db, story, query, now).filter((member) => member.key < key);
    const unread = others.filter((member) => member.unread === 1).length;
    if (others.length > 0) found.set(key, { story, title, count: others.length, unread });
  }
  return found;
}

function keysUnder(db: Db, key: number, query: ItemsQuery, now: number): number[] {
  const [fold] = foldsAt(db, [key]);
  return fold ? membersOf(db, fold.story, query, now).map((member) => member.key) : [];
}

function countFolded(db: Db, query: ItemsQuery, now: number): number {
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

function isFolding(db: Db, query: ItemsQuery): boolean {
  return foldsStories(query) && (query.scope === 'all' || isComplete(db));
}

function foldsAt(db: Db, keys: readonly number[]): FoldRow[] {
  return rows<FoldRow>(
    db,
    `SELECT fold.key, fold.story, ${headField('title')} AS title FROM json_each(?) AS wanted CROSS JOIN fold ON fold.key = wanted.value
     CROSS JOIN document ON document.kind = 'story' AND document.id = fold.story AND document.body IS NOT NULL`,
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

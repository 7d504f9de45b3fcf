/** Starred items that the service withdrew keep a row in the starred list, without texts. */
import { asTime } from '../../common/time.ts';
import type { ItemRow, ItemsQuery } from '../../contract/model/item.ts';
import { THIS_MIRROR } from '../database/properties.ts';
import { matchesAlternative, parseSearch, type Alternative, type ItemFacts } from '../search/search-query.ts';
import { rows, run, sql, value, type Db, type WritableDb } from '../sql.ts';
import { windowStart } from '../lists/list-filter.ts';
import { fromRecord, SERVICE_COLUMNS, type ServiceColumns } from './item-rows.ts';
import { keyAt, timeOf } from './time-key.ts';

interface StarRow {
  item_id: string;
  item_time: number;
  withdrawn_at: number;
  read_at: number | null;
  starred_at: number;
}

export interface KeyedRow {
  key: number;
  row: ItemRow;
}

const PAGE = 200;

const FROM = `user.withdrawn_star JOIN user.item_status USING (mirror, item_id)
  WHERE mirror = ${THIS_MIRROR} AND starred_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM item WHERE id = item_id)`;
const ADD = sql`INSERT OR REPLACE INTO user.withdrawn_star (mirror, item_id, item_time, withdrawn_at)
  VALUES (${THIS_MIRROR}, ?, ?, ?)`;
const ROWS = sql`SELECT item_id, item_time, withdrawn_at, read_at, starred_at FROM ${FROM}
  AND item_time >= ? AND item_time < ? ORDER BY item_time DESC, item_id LIMIT ? OFFSET ?`;
const COUNT = sql`SELECT count(*) FROM ${FROM} AND item_time >= ?`;
const CATCH_UP = sql`INSERT OR IGNORE INTO user.withdrawn_star (mirror, item_id, item_time, withdrawn_at)
  SELECT mirror, id, max(key) / 64 * 1000, max(at) FROM gone AS withdrawal
  JOIN user.item_status ON item_status.mirror = ${THIS_MIRROR} AND item_status.item_id = withdrawal.id
  WHERE starred_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM item WHERE item.id = withdrawal.id) GROUP BY id`;

/** Adds rows lost by a kill between the commits of two files, or of a star that came back after the withdrawal. */
export function catchUpWithdrawnStars(db: WritableDb): void {
  run(db, CATCH_UP);
}

export function addWithdrawnStar(db: WritableDb, id: string, key: number, now: number): void {
  run(db, ADD, id, timeOf(key), now);
}

export function withdrawnStars(
  db: Db,
  query: ItemsQuery,
  below: number | null,
  limit: number,
  now: number,
): KeyedRow[] {
  const shows = starsShown(query, now);
  if (!shows) return [];
  const before = below === null ? Number.MAX_SAFE_INTEGER : timeOf(below + 63);
  const found: KeyedRow[] = [];
  for (let offset = 0; found.length < limit; offset += PAGE) {
    const page = rows<StarRow>(db, ROWS, windowStart(query, now), before, PAGE, offset);
    for (const star of page) if (shows(star)) found.push({ key: keyAt(star.item_time), row: toRow(star) });
    if (page.length < PAGE) break;
  }
  return found.slice(0, limit);
}

export function countWithdrawnStars(db: Db, query: ItemsQuery, now: number): number {
  const shows = starsShown(query, now);
  if (!shows) return 0;
  if (!query.text?.trim()) return value<number>(db, COUNT, windowStart(query, now)) ?? 0;
  return withdrawnStars(db, query, null, Infinity, now).length;
}

/** Category, source and texts of a withdrawn item are unknown. Other lists have it only if the query names it. */
function starsShown(query: ItemsQuery, now: number): ((star: StarRow) => boolean) | null {
  const { scope, state, category, source, text = '', saved, muted } = query;
  if (scope !== 'all' || category !== undefined || source !== undefined || saved !== undefined || muted) return null;
  const search = parseSearch(text, now);
  if (search.blank) return state === 'starred' ? () => true : null;
  const alternatives = search.alternatives.filter(
    (one) => isAnswerable(one) && (state === 'starred' || namesWithdrawn(one)),
  );
  if (alternatives.length === 0) return null;
  return (star) => {
    const facts = { ...WITHDRAWN, key: keyAt(star.item_time), unread: star.read_at === null };
    return (state !== 'unread' || facts.unread) && alternatives.some((one) => matchesAlternative(one, facts));
  };
}

const WITHDRAWN: Omit<ItemFacts, 'key' | 'unread'> = {
  text: '',
  sourceName: null,
  category: null,
  score: null,
  starred: true,
  selected: false,
  withdrawn: true,
  muted: false,
  hasStory: false,
  hasNote: false,
};

function isAnswerable({ wanted, excluded, conditions }: Alternative): boolean {
  const known = conditions.every(({ kind }) => kind === 'is' || kind === 'before' || kind === 'after');
  return known && wanted.length === 0 && excluded.length === 0;
}

function namesWithdrawn({ conditions }: Alternative): boolean {
  return conditions.some(
    (one) => !one.negated && one.kind === 'is' && (one.state === 'withdrawn' || one.state === 'starred'),
  );
}

const NOTHING = { ...Object.fromEntries(SERVICE_COLUMNS.map((name) => [name, null])), title: '' };

function toRow({ item_id: id, item_time: time, withdrawn_at: at, read_at, starred_at }: StarRow): ItemRow {
  const known = { key: keyAt(time), id, revised_at: null, generation: 0, left_at: null, read_at, starred_at };
  const item = fromRecord({ ...(NOTHING as unknown as ServiceColumns), ...known }, []);
  return { ...item, effectiveAt: asTime(time) ?? '', withdrawnAt: asTime(at), snippets: [] };
}

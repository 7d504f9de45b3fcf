/** Starred items that the mirror lacks, for example withdrawn ones, are listed by the names that their stars keep. */
import { asTime } from '../../common/time.ts';
import type { ItemRow, ItemsQuery } from '../../contract/model/item.ts';
import type { ValueOf } from '../../contract/records.ts';
import { THIS_SERVICE } from '../database/properties.ts';
import { derive, get, joinRecord, nameOf, set } from '../records.ts';
import { matchesAlternative, parseSearch, type Alternative, type ItemFacts } from '../search/search-query.ts';
import { rows, sql, value, type Db } from '../sql.ts';
import { READ_AT, STARRED_AT } from '../statuses/status-sql.ts';
import { windowStart } from '../lists/list-filter.ts';
import type { Tx } from '../tx.ts';
import { fromRecord, SERVICE_COLUMNS, type ServiceColumns } from './item-rows.ts';
import { keyAt, timeOf } from './time-key.ts';

interface StarRow {
  id: string;
  time: number;
  title: string;
  link: string | null;
  unread: number;
  withdrawn_at: number | null;
  read_at: number | null;
  starred_at: number;
}

interface KeyedId {
  id: string;
  key: number;
}

export interface KeyedRow {
  key: number;
  row: ItemRow;
}

const PAGE = 200;

const TIME = "star.value ->> '$.time'";
const FROM = `user.record AS star WHERE star.service = ${THIS_SERVICE} AND star.kind = 'star'
  AND star.value IS NOT NULL AND NOT EXISTS (SELECT 1 FROM item WHERE item.id = star.id)`;
const ROWS = sql`SELECT missing.*, ${READ_AT} AS read_at, ifnull(read.value, -1) < 0 AS unread,
    nullif(max(ifnull(withdrawn.value, 0), ifnull((SELECT max(at) FROM gone WHERE gone.id = missing.id), 0)), 0) AS withdrawn_at
  FROM (SELECT star.id, ${TIME} AS time, star.value ->> '$.title' AS title, star.value ->> '$.link' AS link,
      ${STARRED_AT} AS starred_at
    FROM ${FROM} AND ${TIME} >= ? AND ${TIME} < ? ORDER BY ${TIME} DESC, star.id LIMIT ? OFFSET ?) AS missing
    ${joinRecord('read', 'missing.id')} ${joinRecord('withdrawn', 'missing.id')} ORDER BY time DESC, missing.id`;
const COUNT = sql`SELECT count(*) FROM ${FROM} AND ${TIME} >= ?`;
// Counted from indexes: most readers star more than the mirror lacks.
const ANY = sql`SELECT (SELECT count(*) FROM user.record INDEXED BY record_star
    WHERE service = ${THIS_SERVICE} AND kind = 'star' AND value IS NOT NULL)
  > (SELECT ifnull(sum(n), 0) FROM counter WHERE starred = 1)`;

export function starOf(
  { key, ...name }: { key: number | null; title: string | null; link: string | null },
  at: number,
): ValueOf<'star'> {
  return { at, time: key === null ? null : timeOf(key), ...nameOf(name) };
}

export function noteWithdrawal(tx: Tx, { id, key, title, link_original: link }: ServiceColumns & KeyedId): void {
  set(tx, 'withdrawn', id, tx.now);
  const star = get(tx.db, 'star', id);
  if (star?.time !== null) return;
  // It was starred before it was saved.
  const record = { kind: 'star', service: tx.kept.service, id };
  derive<'star'>(tx, [record], record, starOf({ key, title, link }, star.at));
}

export function missingStars(db: Db, query: ItemsQuery, below: number | null, limit: number, now: number): KeyedRow[] {
  const shows = starsShown(query, now);
  if (!shows || !isAnyMissing(db)) return [];
  const before = below === null ? Number.MAX_SAFE_INTEGER : timeOf(below + 63);
  const found: KeyedRow[] = [];
  for (let offset = 0; found.length < limit; offset += PAGE) {
    const page = rows<StarRow>(db, ROWS, windowStart(query, now), before, PAGE, offset);
    for (const star of page) if (shows(star)) found.push({ key: keyAt(star.time), row: toRow(star) });
    if (page.length < PAGE) break;
  }
  return found.slice(0, limit);
}

export function countMissingStars(db: Db, query: ItemsQuery, now: number): number {
  const shows = starsShown(query, now);
  if (!shows || !isAnyMissing(db)) return 0;
  if (!query.text?.trim()) return value<number>(db, COUNT, windowStart(query, now)) ?? 0;
  return missingStars(db, query, null, Infinity, now).length;
}

function isAnyMissing(db: Db): boolean {
  return value<number>(db, ANY) === 1;
}

/** Category, source and summary are unknown. Other lists have such an item only if the query names it. */
function starsShown(query: ItemsQuery, now: number): ((star: StarRow) => boolean) | null {
  const { scope, state, category, source, text = '', saved, muted } = query;
  if (scope !== 'all' || category !== undefined || source !== undefined || saved !== undefined || muted) return null;
  const search = parseSearch(text, now);
  if (search.blank) return state === 'starred' ? () => true : null;
  const alternatives = search.alternatives.filter(
    (one) => isAnswerable(one) && (state === 'starred' || namesMissing(one)),
  );
  if (alternatives.length === 0) return null;
  return (star) => {
    const facts = {
      ...MISSING,
      key: keyAt(star.time),
      unread: star.unread === 1,
      withdrawn: star.withdrawn_at !== null,
    };
    return (state !== 'unread' || facts.unread) && alternatives.some((one) => matchesAlternative(one, facts));
  };
}

const MISSING: Omit<ItemFacts, 'key' | 'unread' | 'withdrawn'> = {
  text: '',
  sourceName: null,
  category: null,
  score: null,
  starred: true,
  selected: false,
  muted: false,
  hasStory: false,
  hasNote: false,
};

function isAnswerable({ wanted, excluded, conditions }: Alternative): boolean {
  const known = conditions.every(({ kind }) => kind === 'is' || kind === 'before' || kind === 'after');
  return known && wanted.length === 0 && excluded.length === 0;
}

function namesMissing({ conditions }: Alternative): boolean {
  return conditions.some(
    (one) => !one.negated && one.kind === 'is' && (one.state === 'withdrawn' || one.state === 'starred'),
  );
}

const NOTHING = Object.fromEntries(SERVICE_COLUMNS.map((name) => [name, null])) as unknown as ServiceColumns;

function toRow({ id, time, title, link, withdrawn_at: at, read_at, starred_at }: StarRow): ItemRow {
  const known = { key: keyAt(time), id, revised_at: null, generation: 0, left_at: null, read_at, starred_at };
  const item = fromRecord({ ...NOTHING, title, link_original: link, ...known }, []);
  return { ...item, effectiveAt: asTime(time) ?? '', withdrawnAt: asTime(at), snippets: [] };
}

/** The sources of items, whose numbers the item index repeats (docs/decisions/011), and the reporters of stories. */
import { sourceKey, sourceLabel } from '../../common/source-label.ts';
import { asTime, instant } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  FREQUENCY_DAYS,
  type SourceLine,
  type SourceList,
  type SourcePage,
  type SourceSort,
} from '../../contract/model/source.ts';
import type { Coverage } from '../../contract/model/story.ts';
import { readable } from '../database/stored-json.ts';
import { headField } from '../documents.ts';
import { keyAt, timeOf } from '../items/time-key.ts';
import { versionOf } from '../search/document-search.ts';
import { perConnection, rows, run, sql, value, values, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';

/** In UTF-16 units. */
const MAX_NAME = 300;
const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const WEEKS = 26;
/** How long the numbers of recent items are valid. */
const FRESH_MS = 10 * 60_000;
const MAX_NAMED_ITEMS = 100;
const MAX_NAMES = 5;

const COMPARE = new Intl.Collator(['en', 'zh'], { numeric: true });

export interface Reporters {
  /** The key of the source with the earliest report; null if two share that time, or fewer than two sources have times. */
  first: string | null;
  name: string | null;
  /** ms since 1970. */
  at: number | null;
  all: string[];
}

interface Known extends SourceLine {
  key: string;
}

// By an index, each row would be looked up: six times as slow.
const NUMBERS = sql`SELECT source.key, source.name, found.* FROM (
    SELECT source AS id, count(*) AS items, sum(unread) AS unread, sum(generation > 0) AS selected,
      sum(key >= ?) AS recent, max(key) AS newest FROM item_index NOT INDEXED WHERE muted = 0 GROUP BY source
  ) AS found CROSS JOIN source USING (id)`;
// Numbers are bound as REAL, which would make it a division with a remainder.
const WEEKLY = sql`SELECT (key - CAST(? AS INTEGER)) / ${keyAt(WEEK_MS)} AS week, count(*) AS items FROM item_index
  WHERE source = (SELECT id FROM source WHERE source.key = ?) AND key >= ? AND muted = 0 GROUP BY week`;

/** Adds a new source; returns 0 without a name. A source stays when its last item goes: it may return. */
export function findOrAddSource(tx: Tx, name: string | null): number {
  if (name === null) return 0;
  const known = tx.kept.sources.get(name) ?? tx.newSources.get(name);
  if (known !== undefined) return known;
  const key = sourceKey(name);
  if (key === '') return 0;
  const id = value<number>(tx.db, 'SELECT id FROM source WHERE key = ?', key) ?? addSource(tx, key, name);
  tx.newSources.set(name, id);
  return id;
}

function addSource({ db }: Tx, key: string, name: string): number {
  const added = run(db, 'INSERT INTO source (key, name) VALUES (?, ?)', key, sourceLabel(name, MAX_NAME));
  return Number(added.lastInsertRowid);
}

export function summarizeReporters(reports: readonly Pick<Coverage, 'source' | 'publishedAt'>[]): Reporters {
  const earliest = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { source, publishedAt } of reports) {
    const key = sourceKey(source.name);
    if (key === '') continue;
    if (!names.has(key)) names.set(key, sourceLabel(source.name, MAX_NAME));
    earliest.set(key, Math.min(instant(publishedAt) ?? Infinity, earliest.get(key) ?? Infinity));
  }
  const all = [...earliest.keys()];
  const timed = [...earliest].filter(([, at]) => at !== Infinity);
  const [one, other] = timed.sort(([, a], [, b]) => a - b);
  const isFirst = one !== undefined && other !== undefined && one[1] < other[1];
  if (!isFirst) return { first: null, name: null, at: null, all };
  return { first: one[0], name: names.get(one[0]) ?? null, at: one[1], all };
}

const REPORTERS = sql`SELECT ${headField('reporters')} FROM document WHERE kind = 'story' AND body IS NOT NULL`;

export function readReporters(db: Db): Reporters[] {
  const texts = values<string | null>(db, REPORTERS).filter((text) => text !== null);
  return readable(db, texts, (text) => JSON.parse(text) as Reporters);
}

export function list(
  db: Db,
  { sort, text = '', offset, limit }: { sort: SourceSort; text?: string; offset: number; limit: number },
  now: number,
): SourceList {
  const { sources, sorted } = summarize(db, now);
  const ordered = sorted.get(sort) ?? sources.toSorted(ORDERS[sort]);
  sorted.set(sort, ordered);
  const wanted = sourceKey(text) || text.trim().toLowerCase();
  const found = wanted === '' ? ordered : ordered.filter(({ key }) => key.includes(wanted));
  return { sources: found.slice(offset, offset + limit).map(toLine), count: found.length };
}

/** Takes any name of the source. Errors: `not_found`. */
export function get(db: Db, name: string, now: number): SourcePage {
  const key = sourceKey(name);
  const source = summarize(db, now).sources.find((one) => one.key === key);
  if (!source) throw new BroadsheetError('not_found', 'No saved item is from this source.');
  return { ...toLine(source), names: namesOf(db, key), weeks: weeksOf(db, key, now) };
}

function namesOf(db: Db, key: string): string[] {
  const names = values<string>(
    db,
    `SELECT source_name FROM item_index CROSS JOIN item USING (arrival)
     WHERE item_index.source = (SELECT id FROM source WHERE source.key = ?) ORDER BY item_index.key DESC LIMIT ?`,
    ...[key, MAX_NAMED_ITEMS],
  );
  return [...new Set(names)].slice(0, MAX_NAMES);
}

function weeksOf(db: Db, key: string, now: number): SourcePage['weeks'] {
  const start = now - WEEKS * WEEK_MS;
  const weeks = Array.from({ length: WEEKS }, (_, week) => ({ from: asTime(start + week * WEEK_MS) ?? '', items: 0 }));
  for (const { week, items } of rows<{ week: number; items: number }>(db, WEEKLY, keyAt(start), key, keyAt(start))) {
    // A service's clock may be ahead.
    const last = weeks[Math.min(week, WEEKS - 1)];
    if (last) last.items += items;
  }
  return weeks;
}

const cacheOf = perConnection(() => ({ stamp: '', sources: [] as Known[], sorted: new Map<SourceSort, Known[]>() }));

/** Kept until something is written, because a reader pages, sorts and filters the list. */
function summarize(db: Db, now: number) {
  const cache = cacheOf(db);
  const stamp = `${versionOf(db)} ${String(Math.floor(now / FRESH_MS))}`;
  if (cache.stamp === stamp) return cache;
  type Numbers = Omit<Known, 'newestAt'> & { newest: number };
  const byKey = new Map(
    rows<Numbers>(db, NUMBERS, keyAt(now - FREQUENCY_DAYS * DAY_MS)).map(
      ({ key, name, items, unread, selected, recent, newest }): [string, Known] => {
        const newestAt = asTime(timeOf(newest)) ?? '';
        return [key, { key, name, items, unread, selected, recent, stories: 0, first: 0, newestAt }];
      },
    ),
  );
  for (const reporters of readReporters(db)) {
    if (reporters.all.length < 2) continue;
    for (const key of reporters.all) {
      const source = byKey.get(key);
      if (source) source.stories += 1;
    }
    const first = reporters.first === null ? undefined : byKey.get(reporters.first);
    if (first) first.first += 1;
  }
  return Object.assign(cache, { stamp, sources: [...byKey.values()], sorted: new Map<SourceSort, Known[]>() });
}

type Order = (a: SourceLine, b: SourceLine) => number;

const byName: Order = (a, b) => COMPARE.compare(a.name, b.name);
const most =
  (...of: ((line: SourceLine) => number)[]): Order =>
  (a, b) => {
    for (const amount of of) if (amount(a) !== amount(b)) return amount(b) - amount(a);
    return byName(a, b);
  };

const ORDERS: Record<SourceSort, Order> = {
  unread: most(({ unread }) => unread),
  frequency: most(
    ({ recent }) => recent,
    ({ items }) => items,
  ),
  selected: most(
    ({ selected, items }) => selected / items,
    ({ selected }) => selected,
  ),
  first: most(
    ({ first }) => first,
    ({ stories }) => stories,
  ),
  name: byName,
};

function toLine({ key: _, ...line }: Known): SourceLine {
  return line;
}

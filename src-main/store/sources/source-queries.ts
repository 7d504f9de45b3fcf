/** Reads the item index in steps, so that other reads come between, and caches the result (docs/decisions/088). */
import { sourceKey } from '../../common/source-label.ts';
import { asTime } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  FREQUENCY_DAYS,
  type SourceLine,
  type SourceList,
  type SourcePage,
  type SourceSort,
} from '../../contract/model/source.ts';
import { mirrorProperties as mirror } from '../database/properties.ts';
import { keyAt, timeOf } from '../items/time-key.ts';
import { perConnection, rows, sql, value, values, type Db } from '../sql.ts';
import { readReporters } from './sources.ts';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const WEEKS = 26;
/** Some 5 ms. */
const ITEMS_A_STEP = 5_000;
/** How long the numbers of recent items stay valid. */
const FRESH_MS = 10 * 60_000;
/** Items that are searched for other names of a source. */
const MAX_NAMED_ITEMS = 100;
const MAX_NAMES = 5;

const COMPARE = new Intl.Collator(['en', 'zh'], { numeric: true });

interface Group {
  source: number;
  /** Counts muted items, unlike the others. */
  read: number;
  items: number;
  unread: number;
  selected: number;
  recent: number;
  last: number;
  newest: number;
}

interface Known extends SourceLine {
  key: string;
}

interface Summary {
  stamp: string;
  /** A summary that was never returned is, whatever has changed since its scan began. */
  used: boolean;
  sources: Known[];
  byKey: Map<string, Known>;
  sorted: Map<SourceSort, Known[]>;
}

interface Scan {
  stamp: string;
  since: number;
  /** Null at the end. */
  from: number | null;
  groups: Map<number, Group>;
}

const GROUPS = `SELECT source, count(*) AS read, sum(NOT muted) AS items, sum(unread AND NOT muted) AS unread,
    sum(generation > 0 AND NOT muted) AS selected, sum(key >= ? AND NOT muted) AS recent,
    max(key) AS last, max(iif(muted, 0, key)) AS newest
  FROM (SELECT key, source, unread, muted, generation FROM item_index WHERE key >= ? ORDER BY key LIMIT ?) GROUP BY source`;
// Numbers are bound as REAL, which would make it a division with a remainder.
const WEEKLY = sql`SELECT (key - CAST(? AS INTEGER)) / ${keyAt(WEEK_MS)} AS week, count(*) AS items FROM item_index
  WHERE source = (SELECT id FROM source WHERE source.key = ?) AND key >= ? AND muted = 0 GROUP BY week`;

const cacheOf = perConnection((): { summary: Summary | null; scan: Scan | null } => ({ summary: null, scan: null }));

/** Does one step; call it again while it returns null. `now` is ms since 1970. */
export function list(
  db: Db,
  { sort, text = '', offset, limit }: { sort: SourceSort; text?: string; offset: number; limit: number },
  now: number,
): SourceList | null {
  const summary = step(db, now);
  if (summary === null) return null;
  const sorted = summary.sorted.get(sort) ?? summary.sources.toSorted(ORDERS[sort]);
  summary.sorted.set(sort, sorted);
  const wanted = sourceKey(text) || text.trim().toLowerCase();
  const found = wanted === '' ? sorted : sorted.filter(({ key }) => key.includes(wanted));
  return { sources: found.slice(offset, offset + limit).map(toLine), count: found.length };
}

/** Like {@link list}, for one source by any of its names. Errors: `not_found`. */
export function get(db: Db, name: string, now: number): SourcePage | null {
  const summary = step(db, now);
  if (summary === null) return null;
  const key = sourceKey(name);
  const source = summary.byKey.get(key);
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

/** Returns the numbers of all sources if they are up to date; else does one step and returns null. */
function step(db: Db, now: number): Summary | null {
  const cache = cacheOf(db);
  const stamp = stampAt(db, now);
  const known = cache.summary;
  if (known && (known.stamp === stamp || !known.used)) {
    known.used = true;
    return known;
  }
  // Later changes wait for the next scan: otherwise one might never end.
  const scan = (cache.scan ??= { stamp, since: keyAt(now - FREQUENCY_DAYS * DAY_MS), from: 0, groups: new Map() });
  if (scan.from !== null) {
    const { last, read } = readOn(db, scan, scan.from);
    scan.from = read === ITEMS_A_STEP ? last + 1 : null;
  } else {
    cache.scan = null;
    cache.summary = summarize(db, scan);
  }
  return null;
}

function readOn(db: Db, { since, groups }: Scan, from: number): { last: number; read: number } {
  let [last, read] = [from, 0];
  for (const part of rows<Group>(db, GROUPS, since, from, ITEMS_A_STEP)) {
    last = Math.max(last, part.last);
    read += part.read;
    const before = groups.get(part.source);
    if (!before) groups.set(part.source, part);
    else {
      before.read += part.read;
      before.items += part.items;
      before.unread += part.unread;
      before.selected += part.selected;
      before.recent += part.recent;
      before.last = part.last;
      before.newest = Math.max(before.newest, part.newest);
    }
  }
  return { last, read };
}

function summarize(db: Db, { stamp, groups }: Scan): Summary {
  const byKey = new Map<string, Known>();
  const named = rows<{ id: number; key: string; name: string }>(db, 'SELECT id, key, name FROM source');
  for (const { id, key, name } of named) {
    const group = groups.get(id);
    if (!group || group.items === 0) continue;
    const { items, unread, selected, recent, newest } = group;
    const newestAt = asTime(timeOf(newest)) ?? '';
    byKey.set(key, { key, name, items, unread, selected, recent, stories: 0, first: 0, newestAt });
  }
  for (const reporters of readReporters(db)) {
    if (reporters.all.length < 2) continue;
    for (const key of reporters.all) {
      const source = byKey.get(key);
      if (source) source.stories += 1;
    }
    const first = reporters.first === null ? undefined : byKey.get(reporters.first);
    if (first) first.first += 1;
  }
  return { stamp, used: false, sources: [...byKey.values()], byKey, sorted: new Map() };
}

function stampAt(db: Db, now: number): string {
  const version = value<number>(db, 'SELECT data_version FROM pragma_data_version') ?? 0;
  // data_version doesn't count writes of this connection, which may be the one that matches mute rules.
  const own = value<number>(db, 'SELECT total_changes()') ?? 0;
  const writes = [mirror.number(db, 'sequence'), mirror.number(db, 'statuses_applied')];
  return [...writes, version, own, Math.floor(now / FRESH_MS)].join(' ');
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

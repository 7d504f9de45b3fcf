/** Reads saved items over time in steps, so that other reads come between; nothing is kept. */
import { asTime } from '../../common/time.ts';
import { NAMED_SOURCES, type Statistics, type StatisticsDays } from '../../contract/model/source.ts';
import { THIS_MIRROR } from '../database/properties.ts';
import { keyAt } from '../items/time-key.ts';
import { perConnection, rows, sql, type Db } from '../sql.ts';
import { APPLIED } from '../statuses/reading-start.ts';
import { readReporters } from './sources.ts';

/** Some 5 ms. */
const ITEMS_A_STEP = 5_000;

interface Group {
  category: string | null;
  source: number;
  /** Counts muted items, unlike the others. */
  read: number;
  items: number;
  unread: number;
  /** Neither unread nor ever marked as read. */
  started: number;
  newest: number;
}

interface Scan {
  days: StatisticsDays;
  /** In ms since 1970: the starts of the spans, and the end of the last one. */
  bounds: number[];
  span: number;
  from: number;
  categories: Map<string | null, number[]>;
  sources: Map<number, number[]>;
  unread: number[];
  started: number[];
  all: number[];
}

const WAS_MARKED = `EXISTS (SELECT 1 FROM item CROSS JOIN user.item_status
    ON item_status.mirror = ${THIS_MIRROR} AND item_status.item_id = item.id
    WHERE item.arrival = some.arrival AND read_at IS NOT NULL)`;
const GROUPS = sql`SELECT category, source, count(*) AS read, sum(NOT muted) AS items, sum(unread AND NOT muted) AS unread,
    sum(key < began AND NOT unread AND NOT muted AND NOT ${WAS_MARKED}) AS started, max(key) AS newest
  FROM (SELECT key, arrival, category, source, unread, muted FROM item_index WHERE key >= ? AND key < ? ORDER BY key LIMIT ?)
         AS some,
       (SELECT ifnull(max(CAST(value AS INTEGER)), 0) AS began FROM main.property WHERE name = '${APPLIED}')
  GROUP BY category, source`;

/** One for each range, because two may be read at once. */
const scansOf = perConnection(() => new Map<StatisticsDays, Scan>());

/** Does one step; call it again while it returns null. `today` is the day that ends the range, in ms since 1970. */
export function get(db: Db, days: StatisticsDays, today: number): Statistics | null {
  const scans = scansOf(db);
  const scan = scans.get(days) ?? newScan(days, today);
  scans.set(days, scan);
  for (let left = ITEMS_A_STEP; left > 0 && scan.span < scan.bounds.length - 1;) left -= readSpan(db, scan, left);
  if (scan.span < scan.bounds.length - 1) return null;
  scans.delete(days);
  return resultOf(db, scan);
}

function readSpan(db: Db, scan: Scan, limit: number): number {
  const { span, from, bounds } = scan;
  let [read, last] = [0, from];
  const groups = rows<Group>(db, GROUPS, from, keyAt(bounds[span + 1] ?? 0), limit);
  for (const { category, source, items, unread, started, newest, read: count } of groups) {
    read += count;
    last = Math.max(last, newest);
    if (items === 0) continue;
    add(scan.categories, category, span, items, scan.all.length);
    add(scan.sources, source, span, items, scan.all.length);
    scan.all[span] = (scan.all[span] ?? 0) + items;
    scan.unread[span] = (scan.unread[span] ?? 0) + unread;
    scan.started[span] = (scan.started[span] ?? 0) + started;
  }
  if (read === limit) scan.from = last + 1;
  else {
    scan.span += 1;
    scan.from = keyAt(bounds[span + 1] ?? 0);
  }
  return read;
}

function resultOf(db: Db, { days, bounds, categories, sources, all, unread, started }: Scan): Statistics {
  const spans = bounds.slice(0, -1);
  const named = [...sources].filter(([id]) => id !== 0).sort(([, a], [, b]) => sum(b) - sum(a));
  const top = named.slice(0, NAMED_SOURCES);
  const names = new Map(
    rows<{ id: number; name: string }>(
      db,
      'SELECT source.id, source.name FROM json_each(?) AS wanted JOIN source ON source.id = wanted.value',
      JSON.stringify(top.map(([id]) => id)),
    ).map(({ id, name }) => [id, name]),
  );
  return {
    spans: spans.map(timeText),
    categories: [...categories]
      .map(([category, items]) => ({ category, items }))
      .sort((a, b) => sum(b.items) - sum(a.items)),
    sources: top.map(([id, items]) => ({ name: names.get(id) ?? '', items })),
    rest: {
      sources: named.length - top.length,
      items: all.map((count, span) => count - top.reduce((named, [, items]) => named + (items[span] ?? 0), 0)),
    },
    weeks: weeksOf(days, spans, { all, unread, started }),
    ...firstBetween(db, bounds[0] ?? 0, bounds.at(-1) ?? 0),
  };
}

function firstBetween(db: Db, from: number, to: number): Pick<Statistics, 'first' | 'stories'> {
  const counts = new Map<string, { name: string; first: number }>();
  let stories = 0;
  for (const reporters of readReporters(db)) {
    if (reporters.first === null || reporters.at === null) continue;
    if (reporters.at < from || reporters.at >= to) continue;
    stories += 1;
    const { first: key, name } = reporters;
    const entry = counts.get(key) ?? { name: name ?? key, first: 0 };
    counts.set(key, { ...entry, first: entry.first + 1 });
  }
  const sorted = [...counts.values()].sort((a, b) => b.first - a.first || (a.name < b.name ? -1 : 1));
  return { first: sorted.slice(0, NAMED_SOURCES), stories };
}

/** Counts days in the time zone of this computer. */
function newScan(days: StatisticsDays, today: number): Scan {
  const step = days === 30 ? 1 : 7;
  const count = Math.floor(days / step) + (days === 90 ? 1 : 0);
  const bounds = Array.from({ length: count + 1 }, (_, n) => {
    const day = new Date(today);
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() + 1 - (count - n) * step);
    return day.getTime();
  });
  const none = (): number[] => Array.from({ length: count }, () => 0);
  const groups = { categories: new Map(), sources: new Map(), unread: none(), started: none(), all: none() };
  return { days, bounds, span: 0, from: keyAt(bounds[0] ?? 0), ...groups };
}

function weeksOf(
  days: StatisticsDays,
  spans: readonly number[],
  { all, unread, started }: Pick<Scan, 'all' | 'unread' | 'started'>,
): Statistics['weeks'] {
  const each = days === 30 ? 7 : 1;
  const skipped = spans.length % each;
  return Array.from({ length: Math.floor(spans.length / each) }, (_, week) => {
    const from = skipped + week * each;
    const inWeek = (numbers: readonly number[]): number => sum(numbers.slice(from, from + each));
    return {
      from: timeText(spans[from] ?? 0),
      read: inWeek(all) - inWeek(unread) - inWeek(started),
      unread: inWeek(unread),
    };
  });
}

function add<Key>(groups: Map<Key, number[]>, key: Key, span: number, items: number, spans: number): void {
  const counts = groups.get(key) ?? Array.from({ length: spans }, () => 0);
  counts[span] = (counts[span] ?? 0) + items;
  groups.set(key, counts);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function timeText(ms: number): string {
  return asTime(ms) ?? '';
}

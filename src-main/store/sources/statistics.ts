import { asTime } from '../../common/time.ts';
import { MAX_NAMED_SOURCES, type Statistics, type StatisticsDays } from '../../contract/model/source.ts';
import { keyAt } from '../items/time-key.ts';
import { joinRecord } from '../records.ts';
import { rows, sql, value, type Db } from '../sql.ts';
import { STARTS_READ_BELOW } from '../statuses/status-sql.ts';
import { readReporters } from './sources.ts';

interface Group {
  category: string | null;
  source: number;
  items: number;
  unread: number;
  /** Neither unread nor ever marked as read. */
  started: number;
}

const WAS_MARKED = `EXISTS (SELECT 1 FROM item ${joinRecord('read', 'item.id')}
    WHERE item.arrival = item_index.arrival AND read.value >= 0)`;
const GROUPS = sql`SELECT category, source, count(*) AS items, sum(unread) AS unread,
    sum(key < began AND NOT unread AND NOT ${WAS_MARKED}) AS started
  FROM (SELECT ifnull(max(CAST(value AS INTEGER)), 0) AS began FROM main.property WHERE name = '${STARTS_READ_BELOW}')
    CROSS JOIN item_index NOT INDEXED
  WHERE key >= ? AND key < ? AND muted = 0 GROUP BY category, source`;

/** `today` is the day that ends the range, in ms since 1970. */
export function get(db: Db, days: StatisticsDays, today: number): Statistics {
  const bounds = boundsOf(days, today);
  const spans = bounds.slice(0, -1);
  const none = (): number[] => spans.map(() => 0);
  const [all, unread, started] = [none(), none(), none()];
  const categories = new Map<string | null, number[]>();
  const sources = new Map<number, number[]>();
  const add = <Key>(counts: Map<Key, number[]>, key: Key, span: number, items: number): void => {
    const count = counts.get(key) ?? none();
    count[span] = (count[span] ?? 0) + items;
    counts.set(key, count);
  };
  for (const [span, from] of spans.entries()) {
    const groups = rows<Group>(db, GROUPS, keyAt(from), keyAt(bounds[span + 1] ?? 0));
    for (const { category, source, items } of groups) {
      add(categories, category, span, items);
      add(sources, source, span, items);
    }
    all[span] = sum(groups.map(({ items }) => items));
    unread[span] = sum(groups.map((group) => group.unread));
    started[span] = sum(groups.map((group) => group.started));
  }
  const named = [...sources].filter(([id]) => id !== 0).sort(([, a], [, b]) => sum(b) - sum(a));
  const top = named.slice(0, MAX_NAMED_SOURCES);
  return {
    spans: spans.map(timeText),
    categories: [...categories]
      .map(([category, items]) => ({ category, items }))
      .sort((a, b) => sum(b.items) - sum(a.items)),
    sources: top.map(([id, items]) => ({
      name: value<string>(db, 'SELECT name FROM source WHERE id = ?', id) ?? '',
      items,
    })),
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
  return { first: sorted.slice(0, MAX_NAMED_SOURCES), stories };
}

/** Returns the starts of the spans, and the end of the last one. Counts days in the time zone of this computer. */
function boundsOf(days: StatisticsDays, today: number): number[] {
  const step = days === 30 ? 1 : 7;
  const count = Math.floor(days / step) + (days === 90 ? 1 : 0);
  return Array.from({ length: count + 1 }, (_, n) => {
    const day = new Date(today);
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() + 1 - (count - n) * step);
    return day.getTime();
  });
}

function weeksOf(
  days: StatisticsDays,
  spans: readonly number[],
  { all, unread, started }: Record<'all' | 'unread' | 'started', readonly number[]>,
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function timeText(ms: number): string {
  return asTime(ms) ?? '';
}

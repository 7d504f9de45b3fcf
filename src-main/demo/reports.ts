import type { Temporal } from 'temporal-polyfill';
import { dateAt, datesBetween, momentOf, monthOf, weekOf } from './calendar.ts';
import type { DemoRecord } from './record.ts';
import type { Category } from './content/template.ts';
import type { DemoState } from './state.ts';

/** A daily report: which items it holds. */
export interface DailyReport {
  label: string;
  date: Temporal.PlainDate;
  /** Milliseconds since 1970, as are the others. */
  generatedAt: number;
  windowStart: number;
  windowEnd: number;
  sections: Section[];
  flashes: DemoRecord[];
}

export interface Section {
  category: Category;
  records: DemoRecord[];
}

/** A weekly or monthly report: the best items of the dailies of its days. */
export interface PeriodReport {
  label: string;
  periodStart: Temporal.PlainDate;
  periodEnd: Temporal.PlainDate;
  generatedAt: number;
  windowStart: number;
  windowEnd: number;
  sections: Section[];
}

const SHARE_OF_DAILY: readonly [Category, number][] = [
  ['ai-models', 5],
  ['ai-products', 5],
  ['industry', 4],
  ['paper', 3],
  ['tip', 2],
  ['opinion', 2],
];
const FLASHES = 8;
const PERIOD_SECTION = 5;
/** How long a report takes to write, in milliseconds. */
const COMPILING = 140_000;

/** All published dailies, newest first. A daily is published at 08:00 of its date and covers the day before (Asia/Shanghai). */
export function dailiesAt(state: DemoState, now: number): DailyReport[] {
  const today = dateAt(now);
  const last = now >= momentOf(today, '08:00') ? today : today.subtract({ days: 1 });
  const first = dateAt(state.startsAt).add({ days: 1 });
  return datesBetween(first, last)
    .map((date) => dailyOf(state, date))
    .filter((daily) => daily !== null)
    .reverse();
}

/** Published weeklies, newest first. A weekly is published on Monday at 10:00 and covers the dailies of the week before. */
export function weekliesAt(state: DemoState, now: number): PeriodReport[] {
  const monday = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 });
  return periodReports(dailiesAt(state, now), now, weekOf, '10:00', (date) => {
    return { start: monday(date), end: monday(date).add({ days: 6 }) };
  });
}

/** Published monthlies, newest first. A monthly is published on the 1st at 10:30 and covers the dailies of the month before. */
export function monthliesAt(state: DemoState, now: number): PeriodReport[] {
  return periodReports(dailiesAt(state, now), now, monthOf, '10:30', (date) => {
    return { start: date.with({ day: 1 }), end: date.with({ day: date.daysInMonth }) };
  });
}

function dailyOf(state: DemoState, date: Temporal.PlainDate): DailyReport | null {
  const windowStart = momentOf(date.subtract({ days: 1 }), '00:00');
  const windowEnd = momentOf(date, '00:00');
  const records = onePerEvent(state.itemIndex.discovered(windowStart, windowEnd).filter((record) => record.selected));
  if (records.length === 0) return null;
  const sections = SHARE_OF_DAILY.map(([category, share]) => ({
    category,
    records: records.filter((record) => record.category === category).slice(0, share),
  }));
  const placed = new Set(sections.flatMap((section) => section.records));
  const flashes = records.filter((record) => !placed.has(record)).slice(0, FLASHES);
  const generatedAt = momentOf(date, '08:00') - COMPILING;
  return { label: date.toString(), date, generatedAt, windowStart, windowEnd, sections, flashes };
}

/** The best item on each news event, best first. */
function onePerEvent(records: DemoRecord[]): DemoRecord[] {
  const seen = new Set<number>();
  return records
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
    .filter(({ newsEvent }) => newsEvent === null || (!seen.has(newsEvent) && seen.add(newsEvent)));
}

function periodReports(
  dailies: DailyReport[],
  now: number,
  labelOf: (date: Temporal.PlainDate) => string,
  time: string,
  periodOf: (date: Temporal.PlainDate) => { start: Temporal.PlainDate; end: Temporal.PlainDate },
): PeriodReport[] {
  const groups = Map.groupBy(dailies, ({ date }) => labelOf(date));
  return [...groups].flatMap(([label, group]) => {
    const newest = group[0] as DailyReport;
    const { start, end } = periodOf(newest.date);
    const publishedAt = momentOf(end.add({ days: 1 }), time);
    if (now < publishedAt) return [];
    const { windowStart } = group.at(-1) as DailyReport;
    const { windowEnd } = newest;
    const period = { periodStart: start, periodEnd: end, generatedAt: publishedAt - COMPILING, windowStart, windowEnd };
    return [{ label, ...period, sections: sectionsOf(group) }];
  });
}

function sectionsOf(dailies: DailyReport[]): Section[] {
  const all = dailies.flatMap((daily) => daily.sections);
  return SHARE_OF_DAILY.map(([category]) => {
    const records = all.filter((section) => section.category === category).flatMap((section) => section.records);
    return { category, records: onePerEvent(records).slice(0, PERIOD_SECTION) };
  }).filter(({ records }) => records.length > 0);
}

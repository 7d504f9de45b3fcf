import { latestPublication } from '../common/publication-timetable.ts';
import { addDays, addMonths, mondayOf, monthOf, shanghaiDay, shanghaiMoment, weekOf } from '../common/time.ts';
import type { DemoRecord } from './record.ts';
import type { Category } from './content/template.ts';
import type { DemoState } from './state.ts';

/** Days are labels of the Shanghai calendar. */
export interface DailyReport {
  label: string;
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

export interface PeriodReport {
  label: string;
  periodStart: string;
  periodEnd: string;
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
const DAY = 86_400_000;
const FLASHES = 8;
const PERIOD_SECTION = 5;
/** In ms. */
const COMPILING = 140_000;

/** Returns the newest first. A daily is published at 08:00 and covers the day before (Asia/Shanghai). */
export function dailiesAt(state: DemoState, now: number): DailyReport[] {
  const last = latestPublication('daily', now).label;
  const dailies: DailyReport[] = [];
  for (let day = addDays(shanghaiDay(state.startsAt), 1); day <= last; day = addDays(day, 1)) {
    const daily = dailyOf(state, day);
    if (daily) dailies.unshift(daily);
  }
  return dailies;
}

/** Returns the newest first. A weekly is published on Monday and covers the dailies of the week before. */
export function weekliesAt(state: DemoState, now: number): PeriodReport[] {
  return periodReports(dailiesAt(state, now), now, weekOf, '10:00', (week) => {
    return { start: mondayOf(week), end: addDays(mondayOf(week), 6) };
  });
}

/** Returns the newest first. A monthly is published on the 1st and covers the dailies of the month before. */
export function monthliesAt(state: DemoState, now: number): PeriodReport[] {
  return periodReports(dailiesAt(state, now), now, monthOf, '10:30', (month) => {
    return { start: `${month}-01`, end: addDays(`${addMonths(month, 1)}-01`, -1) };
  });
}

function dailyOf(state: DemoState, label: string): DailyReport | null {
  const windowStart = shanghaiMoment(addDays(label, -1), '00:00');
  const windowEnd = shanghaiMoment(label, '00:00');
  const records = onePerEvent(
    state.itemIndex.discovered(windowStart, windowEnd).filter((record) => record.selected || isNotable(state, record)),
  );
  if (records.length === 0) return null;
  const sections = SHARE_OF_DAILY.map(([category, share]) => ({
    category,
    records: records.filter((record) => record.category === category).slice(0, share),
  }));
  if (state.harsh) bestFirst(sections);
  const placed = new Set(sections.flatMap((section) => section.records));
  const flashes = records.filter((record) => !placed.has(record)).slice(0, FLASHES);
  const generatedAt = shanghaiMoment(label, '08:00') - COMPILING;
  return { label, generatedAt, windowStart, windowEnd, sections, flashes };
}

/** Admits the better half of what is new, because the harsh service selects too little to fill a daily. */
function isNotable({ harsh }: DemoState, { score, discoveredAt, publishedAt }: DemoRecord): boolean {
  return harsh && score >= 45 && discoveredAt - (publishedAt ?? discoveredAt) < 3 * DAY;
}

/** Puts the section with the best item first, so that the first item repeats the lead, as seen on a real service. */
function bestFirst(sections: Section[]): void {
  sections.sort((a, b) => (b.records[0]?.score ?? 0) - (a.records[0]?.score ?? 0));
}

function onePerEvent(records: DemoRecord[]): DemoRecord[] {
  const seen = new Set<number>();
  return records
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
    .filter(({ newsEvent }) => newsEvent === null || (!seen.has(newsEvent) && seen.add(newsEvent)));
}

function periodReports(
  dailies: DailyReport[],
  now: number,
  labelOf: (day: string) => string,
  time: string,
  periodOf: (label: string) => { start: string; end: string },
): PeriodReport[] {
  const groups = Map.groupBy(dailies, (daily) => labelOf(daily.label));
  return [...groups].flatMap(([label, group]) => {
    const newest = group[0] as DailyReport;
    const { start, end } = periodOf(label);
    const publishedAt = shanghaiMoment(addDays(end, 1), time);
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

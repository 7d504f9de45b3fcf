import type { ReportKind } from '../contract/model/report.ts';
import { addDays, addMonths, mondayOf, monthOf, shanghaiDay, shanghaiMoment, weekdayOf, weekOf } from './time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Clocks differ, and installations should not send requests in the same second (docs/scale.md). */
const MIN_DELAY = 15 * SECOND;
const SPREAD = 165 * SECOND;
/** Reports can be late (observed-5-late). */
const FEW_MINUTES = 3 * MINUTE;
const FREQUENT_FOR = 30 * MINUTE;
const HALF_HOUR = 30 * MINUTE;
const LATE_FOR = 24 * HOUR;
const JITTER = 0.1;

/** Days are labels of the Shanghai calendar. */
interface Timetable {
  at: string;
  firstDay(day: string): string;
  period(firstDay: string, count: number): string;
  /** For comparison with an index, never for requests. */
  label(firstDay: string): string;
  /** Interval of other checks of the index (document 1 sections 4.4 and 4.5). */
  routine: number;
}

const TIMETABLES: Record<ReportKind, Timetable> = {
  daily: {
    at: '08:00',
    firstDay: (day) => day,
    period: addDays,
    label: (day) => day,
    routine: 8 * HOUR,
  },
  weekly: {
    at: '10:00',
    firstDay: (day) => addDays(day, -weekdayOf(day)),
    period: (monday, count) => addDays(monday, 7 * count),
    label: (monday) => weekOf(addDays(monday, -7)),
    routine: 24 * HOUR,
  },
  monthly: {
    at: '10:30',
    firstDay: (day) => `${monthOf(day)}-01`,
    period: (first, count) => `${addMonths(monthOf(first), count)}-01`,
    label: (first) => addMonths(monthOf(first), -1),
    routine: 24 * HOUR,
  },
};

export interface Publication {
  at: number;
  label: string;
}

/** Assumes that no report is late. Times are ms since 1970. */
export function latestPublication(kind: ReportKind, now: number): Publication {
  return publicationOn(kind, latestDay(kind, now));
}

export function nextPublication(kind: ReportKind, now: number): Publication {
  return publicationOn(kind, TIMETABLES[kind].period(latestDay(kind, now), 1));
}

export function labelAfter(kind: ReportKind, label: string): string {
  if (kind === 'daily') return addDays(label, 1);
  return kind === 'weekly' ? weekOf(addDays(mondayOf(label), 7)) : addMonths(label, 1);
}

/** Skips reports beyond the next publication, a mistake of the service, unless all are: then this clock is behind. */
export function newestPublished<T extends { label: string }>(
  kind: ReportKind,
  newestFirst: readonly T[],
  now: number,
): T | undefined {
  const next = nextPublication(kind, now).label;
  return newestFirst.find(({ label }) => label <= next) ?? newestFirst[0];
}

/** Just after the publication time. `chance` is in [0, 1). */
export function nextReportAt(kind: ReportKind, now: number, chance: number): number {
  return nextPublication(kind, now).at + MIN_DELAY + Math.round(SPREAD * chance);
}

export function nextCheckAt(kind: ReportKind, now: number, newest: string | null, chance: number): number {
  const step = stepUntilNext(kind, now, newest);
  return Math.min(nextReportAt(kind, now, chance), now + Math.round(step * (1 + JITTER * chance)));
}

function stepUntilNext(kind: ReportKind, now: number, newest: string | null): number {
  const { routine } = TIMETABLES[kind];
  const expected = latestPublication(kind, now);
  const late = now - expected.at;
  if ((newest !== null && newest >= expected.label) || late >= LATE_FOR) return routine;
  return late < FREQUENT_FOR ? FEW_MINUTES : HALF_HOUR;
}

function latestDay(kind: ReportKind, now: number): string {
  const { firstDay, period } = TIMETABLES[kind];
  const day = firstDay(shanghaiDay(now));
  return publicationOn(kind, day).at <= now ? day : period(day, -1);
}

function publicationOn(kind: ReportKind, day: string): Publication {
  const { at, label } = TIMETABLES[kind];
  return { at: shanghaiMoment(day, at), label: label(day) };
}

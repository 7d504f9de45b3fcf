import { Temporal } from 'temporal-polyfill';
import type { ReportKind } from '../contract/model/report.ts';

const ZONE = 'Asia/Shanghai';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After the hour: its clock and this one differ by a little, and not every reader has to ask in the same second. */
const SOONEST = 15 * SECOND;
const SPREAD = 75 * SECOND;
/** A report can slip (sheet 3): every few minutes for half an hour, then every half hour for a day. */
const FEW_MINUTES = 3 * MINUTE;
const SLIPPING = 30 * MINUTE;
const HALF_HOUR = 30 * MINUTE;
const PATIENCE = 24 * HOUR;
const JITTER = 0.1;

/** How reports of a kind come out. */
interface Timetable {
  /** Time of day in Shanghai, which keeps no summer time. */
  at: string;
  /** The first day of the period in which a date falls, on which a report comes out. */
  firstDay(date: Temporal.PlainDate): Temporal.PlainDate;
  period: { days: number } | { months: number };
  /** The label of the report that comes out on such a day. It is waited for, never asked for. */
  label(day: Temporal.PlainDate): string;
  /** Otherwise an index is worth a look a few times a day, or once (document 1 sections 4.4 and 4.5). */
  routine: number;
}

const TIMETABLES: Record<ReportKind, Timetable> = {
  daily: {
    at: '08:00',
    firstDay: (date) => date,
    period: { days: 1 },
    label: (day) => day.toString(),
    routine: 8 * HOUR,
  },
  weekly: {
    at: '10:00',
    firstDay: (date) => date.subtract({ days: date.dayOfWeek - 1 }),
    period: { days: 7 },
    label: (monday) => weekLabel(monday.subtract({ days: 7 })),
    routine: 24 * HOUR,
  },
  monthly: {
    at: '10:30',
    firstDay: (date) => date.with({ day: 1 }),
    period: { months: 1 },
    label: (first) => first.subtract({ months: 1 }).toPlainYearMonth().toString(),
    routine: 24 * HOUR,
  },
};

export interface Publication {
  /** ms since 1970. */
  at: number;
  label: string;
}

/** The report that is the newest one at `now` (ms since 1970), if all went as it should. */
export function latestPublication(kind: ReportKind, now: number): Publication {
  return publicationOn(kind, latestDay(kind, now));
}

/** The report that comes out next after `now`. */
export function nextPublication(kind: ReportKind, now: number): Publication {
  return publicationOn(kind, latestDay(kind, now).add(TIMETABLES[kind].period));
}

/** When to look for the next report: just after it is to come out. `chance` is in [0, 1). */
export function nextReportAt(kind: ReportKind, now: number, chance: number): number {
  return nextPublication(kind, now).at + SOONEST + Math.round(SPREAD * chance);
}

/**
 * When an index is worth the next look. `newest` is the label of the newest report that is stored: labels of one kind are in
 * the order of their times.
 */
export function nextLookAt(kind: ReportKind, now: number, newest: string | null, chance: number): number {
  return soonerOf(kind, now, stepUntilNext(kind, now, newest), chance);
}

/** As {@link nextLookAt}, also where a report is late. */
export function nextRoutineAt(kind: ReportKind, now: number, chance: number): number {
  return soonerOf(kind, now, TIMETABLES[kind].routine, chance);
}

function soonerOf(kind: ReportKind, now: number, step: number, chance: number): number {
  return Math.min(nextReportAt(kind, now, chance), now + Math.round(step * (1 + JITTER * chance)));
}

function stepUntilNext(kind: ReportKind, now: number, newest: string | null): number {
  const { routine } = TIMETABLES[kind];
  const expected = latestPublication(kind, now);
  const late = now - expected.at;
  if ((newest !== null && newest >= expected.label) || late >= PATIENCE) return routine;
  return late < SLIPPING ? FEW_MINUTES : HALF_HOUR;
}

function latestDay(kind: ReportKind, now: number): Temporal.PlainDate {
  const { firstDay, period } = TIMETABLES[kind];
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(ZONE).toPlainDate();
  const day = firstDay(today);
  return publicationOn(kind, day).at <= now ? day : day.subtract(period);
}

function publicationOn(kind: ReportKind, day: Temporal.PlainDate): Publication {
  const { at, label } = TIMETABLES[kind];
  const moment = day.toZonedDateTime({ timeZone: ZONE, plainTime: Temporal.PlainTime.from(at) });
  return { at: moment.epochMilliseconds, label: label(day) };
}

function weekLabel(date: Temporal.PlainDate): string {
  return `${String(date.yearOfWeek)}-W${String(date.weekOfYear).padStart(2, '0')}`;
}

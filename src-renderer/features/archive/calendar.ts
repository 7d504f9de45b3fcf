import type { ReportKind } from '../../../src-main/contract/model/report.ts';

/** Labels are Asia/Shanghai calendar labels (document 1 section 4): plain text here, never an instant of the app's zone. */
const DAY_MS = 86_400_000;

/** When a kind comes out, as minutes of its Shanghai day (document 1 sections 4.4 to 4.6). */
const OUT_AT: Readonly<Record<ReportKind, number>> = { daily: 8 * 60, weekly: 10 * 60, monthly: 10 * 60 + 30 };

const shanghai = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

export interface CalendarWeek {
  /** YYYY-Www. */
  week: string;
  /** Monday to Sunday, YYYY-MM-DD; the first and last week of a month reach into its neighbours. */
  days: string[];
}

function shanghaiNow(ms: number): { day: string; minute: number } {
  const parts = Object.fromEntries(shanghai.formatToParts(ms).map(({ type, value }) => [type, value]));
  return {
    day: `${parts['year']}-${parts['month']}-${parts['day']}`,
    minute: Number(parts['hour']) * 60 + Number(parts['minute']),
  };
}

/** The day that it is in Shanghai. */
export function shanghaiDay(ms: number): string {
  return shanghaiNow(ms).day;
}

/** A day as milliseconds since 1970, at midnight UTC: for counting and formatting with the zone UTC. */
export function dayMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export function addDays(day: string, days: number): string {
  return new Date(dayMs(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(dayMs(day)).getUTCDay() + 6) % 7;
}

/** The ISO week of a day: the one that its Thursday's year counts. */
export function weekOf(day: string): string {
  const thursday = addDays(day, 3 - weekdayOf(day));
  const year = thursday.slice(0, 4);
  const week = Math.floor((dayMs(thursday) - dayMs(`${year}-01-01`)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The Monday of an ISO week. */
export function mondayOf(week: string): string {
  const fourth = `${week.slice(0, 4)}-01-04`; // always in the first week
  return addDays(fourth, (Number(week.slice(6)) - 1) * 7 - weekdayOf(fourth));
}

/** The weeks that a month's calendar shows. */
export function weeksOf(month: string): CalendarWeek[] {
  const weeks: CalendarWeek[] = [];
  const first = `${month}-01`;
  for (let monday = addDays(first, -weekdayOf(first)); monthOf(monday) <= month; monday = addDays(monday, 7)) {
    weeks.push({ week: weekOf(monday), days: Array.from({ length: 7 }, (_, i) => addDays(monday, i)) });
  }
  return weeks;
}

/** The month in whose calendar a report is looked for: a week's is that of its Thursday. */
export function monthOfReport(kind: ReportKind, label: string): string {
  return kind === 'weekly' ? monthOf(addDays(mondayOf(label), 3)) : monthOf(label);
}

/** The label of the newest report of a kind that should be out at a time. For what is shown; never for asking the service. */
export function lastDue(kind: ReportKind, now: number): string {
  const { day, minute } = shanghaiNow(now);
  const out = minute >= OUT_AT[kind];
  switch (kind) {
    case 'daily':
      return out ? day : addDays(day, -1);
    case 'weekly': {
      const weeks = weekdayOf(day) === 0 && !out ? 14 : 7;
      return weekOf(addDays(day, -weeks));
    }
    case 'monthly': {
      const months = day.endsWith('-01') && !out ? 2 : 1;
      return addMonths(monthOf(day), -months);
    }
  }
}

export type Absence =
  /** The newest one that should be out: it can still come. */
  | 'awaited'
  /** Between what the index lists, or before what is out: it is missing. */
  | 'gap'
  /** Before the index starts, or not out yet. */
  | 'none';

/** Why there is no report under a label. `oldest` is the oldest label that the index lists, null for an empty index. */
export function absenceOf(label: string, oldest: string | null, due: string): Absence {
  if (label === due) return 'awaited';
  return oldest !== null && label > oldest && label < due ? 'gap' : 'none';
}

import {
  addDays,
  addMonths,
  mondayOf,
  monthOf,
  shanghaiDay,
  weekdayOf,
  weekOf,
} from '../../../src-main/common/time.ts';
import { REPORT_KINDS, type ReportKind, type ReportLine } from '../../../src-main/contract/model/report.ts';

/** All reports by their kind, newest first. */
export type ReportLines = Readonly<Record<ReportKind, readonly ReportLine[]>>;

export interface CalendarWeek {
  /** YYYY-Www. */
  week: string;
  /** Monday to Sunday, YYYY-MM-DD; the first and last week of a month reach into its neighbours. */
  days: string[];
}

export function weeksOf(month: string): CalendarWeek[] {
  const weeks: CalendarWeek[] = [];
  const first = `${month}-01`;
  for (let monday = addDays(first, -weekdayOf(first)); monthOf(monday) <= month; monday = addDays(monday, 7)) {
    weeks.push({ week: weekOf(monday), days: Array.from({ length: 7 }, (_, i) => addDays(monday, i)) });
  }
  return weeks;
}

/** Returns the month whose calendar has a report: a week belongs to the month of its Thursday. */
export function monthOfReport(kind: ReportKind, label: string): string {
  return kind === 'weekly' ? monthOf(addDays(mondayOf(label), 3)) : monthOf(label);
}

/** Returns the first month with a report, and the last one to show. */
export function monthsOf(all: ReportLines, now: number): { first: string; last: string } {
  const last = monthOf(shanghaiDay(now));
  const oldest = REPORT_KINDS.flatMap((kind) => all[kind].at(-1) ?? []);
  const months = oldest.map(({ kind, label }) => monthOfReport(kind, label));
  return { first: months.reduce((a, b) => (a < b ? a : b), last), last };
}

export type Absence =
  /** The newest one that should be out: it can still come. */
  | 'awaited'
  /** Missing: between reports in the index, or before the newest one. */
  | 'gap'
  /** Before the index starts, or not out yet. */
  | 'none';

/** Explains why there is no report under a label. `oldest` is the oldest label of the index, null for an empty one. */
export function absenceOf(label: string, oldest: string | null, due: string): Absence {
  if (label === due) return 'awaited';
  return oldest !== null && label > oldest && label < due ? 'gap' : 'none';
}

/** A cell of the calendar: a week, at the start of its row, or a day. */
export interface CalendarCell {
  kind: 'daily' | 'weekly';
  /** YYYY-Www or YYYY-MM-DD. */
  label: string;
}

/** Returns the cell that a key leads to; null for keys that the calendar does not use. */
export function cellAfterKey({ kind, label }: CalendarCell, key: string): CalendarCell | null {
  const monday = mondayOf(kind === 'weekly' ? label : weekOf(label));
  const fromWeek: Record<string, CalendarCell> = {
    ArrowLeft: day(addDays(monday, -1)),
    ArrowRight: day(monday),
    ArrowUp: week(addDays(monday, -7)),
    ArrowDown: week(addDays(monday, 7)),
    Home: week(monday),
    End: day(addDays(monday, 6)),
    PageUp: week(addDays(monday, -28)),
    PageDown: week(addDays(monday, 28)),
  };
  if (kind === 'weekly') return fromWeek[key] ?? null;
  const fromDay: Record<string, CalendarCell> = {
    ArrowLeft: label === monday ? week(label) : day(addDays(label, -1)),
    ArrowRight: day(addDays(label, 1)),
    ArrowUp: day(addDays(label, -7)),
    ArrowDown: day(addDays(label, 7)),
    Home: week(monday),
    End: day(addDays(monday, 6)),
    PageUp: day(sameDay(label, -1)),
    PageDown: day(sameDay(label, 1)),
  };
  return fromDay[key] ?? null;
}

/** Returns the same day some months later, or the last one of a shorter month. */
function sameDay(label: string, months: number): string {
  const month = addMonths(monthOf(label), months);
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const wanted = `${month}-${label.slice(8)}`;
  return wanted > last ? last : wanted;
}

function day(label: string): CalendarCell {
  return { kind: 'daily', label };
}

function week(monday: string): CalendarCell {
  return { kind: 'weekly', label: weekOf(monday) };
}

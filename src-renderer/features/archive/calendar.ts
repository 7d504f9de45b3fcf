import { addDays, mondayOf, monthOf, weekdayOf, weekOf } from '../../../src-main/common/time.ts';
import type { ReportKind } from '../../../src-main/contract/model/report.ts';

export interface CalendarWeek {
  /** YYYY-Www. */
  week: string;
  /** Monday to Sunday, YYYY-MM-DD; the first and last week of a month reach into its neighbours. */
  days: string[];
}

/** Returns the weeks of a month's calendar. */
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

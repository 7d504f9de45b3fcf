import { addDays, mondayOf, monthOf, weekdayOf, weekOf } from '../../../src-main/common/shanghai.ts';
import type { ReportKind } from '../../../src-main/contract/model/report.ts';

export interface CalendarWeek {
  /** YYYY-Www. */
  week: string;
  /** Monday to Sunday, YYYY-MM-DD; the first and last week of a month reach into its neighbours. */
  days: string[];
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

import { addDays, addMonths, monthOf, shanghaiDay, weekdayOf } from '../../../src-main/common/time.ts';
import type { ReportKind, ReportLine } from '../../../src-main/contract/model/report.ts';

export type ReportLines = Readonly<Record<ReportKind, readonly ReportLine[]>>;

/** Returns whole weeks from Monday to Sunday, YYYY-MM-DD; the first and last one reach into other months. */
export function weeksOf(month: string): string[][] {
  const weeks: string[][] = [];
  const first = `${month}-01`;
  for (let monday = addDays(first, -weekdayOf(first)); monthOf(monday) <= month; monday = addDays(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(monday, i)));
  }
  return weeks;
}

/** Returns the first month with a daily, and the last one to show. */
export function monthsOf(dailies: readonly ReportLine[], now: number): { first: string; last: string } {
  const last = monthOf(shanghaiDay(now));
  const oldest = dailies.at(-1);
  const first = oldest ? monthOf(oldest.label) : last;
  return { first: first < last ? first : last, last };
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

/** Returns the day that a key leads to; null for keys that the calendar does not use. */
export function dayAfterKey(day: string, key: string): string | null {
  const monday = addDays(day, -weekdayOf(day));
  const days: Record<string, string> = {
    ArrowLeft: addDays(day, -1),
    ArrowRight: addDays(day, 1),
    ArrowUp: addDays(day, -7),
    ArrowDown: addDays(day, 7),
    Home: monday,
    End: addDays(monday, 6),
    PageUp: sameDay(day, -1),
    PageDown: sameDay(day, 1),
  };
  return days[key] ?? null;
}

/** Returns the same day some months later, or the last one of a shorter month. */
function sameDay(label: string, months: number): string {
  const month = addMonths(monthOf(label), months);
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const wanted = `${month}-${label.slice(8)}`;
  return wanted > last ? last : wanted;
}

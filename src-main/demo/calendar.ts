import { Temporal } from 'temporal-polyfill';

const ZONE = 'Asia/Shanghai';

/** The Shanghai calendar date of a moment (milliseconds since 1970). */
export function dateAt(time: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(ZONE).toPlainDate();
}

/** A Shanghai time of day (`08:00`) on a date, in milliseconds since 1970. */
export function momentOf(date: Temporal.PlainDate, time: string): number {
  return date.toZonedDateTime({ timeZone: ZONE, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;
}

/** A date from its label; null if there is no such day. */
export function parseDate(label: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(label, { overflow: 'reject' });
  } catch {
    return null;
  }
}

/** ISO week label of a date: `2026-W39`. */
export function weekOf(date: Temporal.PlainDate): string {
  return `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, '0')}`;
}

/** Month label of a date: `2026-09`. */
export function monthOf(date: Temporal.PlainDate): string {
  return date.toPlainYearMonth().toString();
}

/** Every date from `first` to `last`, both included. */
export function datesBetween(first: Temporal.PlainDate, last: Temporal.PlainDate): Temporal.PlainDate[] {
  const days = first.until(last).days;
  return Array.from({ length: Math.max(0, days + 1) }, (_, index) => first.add({ days: index }));
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}

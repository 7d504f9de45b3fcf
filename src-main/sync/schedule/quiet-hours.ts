import { Temporal } from 'temporal-polyfill';
import type { QuietHours } from '../../contract/settings.ts';

/**
 * Until when it is quiet, in ms since 1970; null while it is not. The hours are those of the reader's clock in `zone` (an
 * IANA name). An hour that a day skips is the one after it, of one that a day has twice the first counts; hours that begin
 * and end at one time are none.
 */
export function quietUntil({ on, from, to }: QuietHours, now: number, zone: string): number | null {
  if (!on || from === to) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  // What began last evening may last into this morning.
  for (const day of [today.subtract({ days: 1 }), today]) {
    const begin = momentOf(day, from, zone);
    const end = momentOf(to < from ? day.add({ days: 1 }) : day, to, zone);
    if (begin <= now && now < end) return end;
  }
  return null;
}

function momentOf(day: Temporal.PlainDate, time: string, zone: string): number {
  return day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;
}

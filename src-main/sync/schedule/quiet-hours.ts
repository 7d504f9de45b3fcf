import { Temporal } from 'temporal-polyfill';
import type { Settings } from '../../contract/settings.ts';

/**
 * End of the current quiet hours in ms since 1970; null outside them. Times are local to `zone` (an IANA name). A time
 * that daylight saving skips is moved one hour later; of a repeated one the first counts. Equal start and end mean no
 * quiet hours.
 */
export function quietUntil({ on, from, to }: Settings['quietHours'], now: number, zone: string): number | null {
  if (!on || from === to) return null;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  // Quiet hours that began yesterday evening may last into this morning.
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

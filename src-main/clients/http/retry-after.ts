const DAY = 24 * 3_600_000;
/** The longest wait that can be meant, in ms (docs/decisions/035). */
const LONGEST_WAIT = 7 * DAY;

/** A wait in ms as it is kept: a longer one is a mistake, and the service is asked again after a day. */
export function plausibleWait(ms: number): number {
  return ms <= LONGEST_WAIT ? ms : DAY;
}

/** All three forms of an HTTP date (RFC 9110 section 5.6.7) start with a weekday. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** Clocks that were never set start in 1970. */
const EARLIEST = Date.parse('2020-01-01T00:00:00Z');

/**
 * The `Date` of a response in ms since 1970; null if it is missing or impossible. A Retry-After date is of the same clock:
 * by this computer's, which may be a day behind, the wait would be a day longer.
 */
export function sentAt(date: string | undefined): number | null {
  const at = Date.parse(date ?? '');
  return at >= EARLIEST ? at : null;
}

/**
 * How long to wait, in ms from `now`. The service sends seconds; proxies may send a date.
 * Null if the header is missing or invalid, 0 for a date in the past. See {@link plausibleWait}.
 */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!HTTP_DATE.test(value)) return null;
  const at = Date.parse(/ GMT$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}

/** Whoever asks for more than a day has a wrong clock or a wrong unit. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** The three forms of an HTTP date (RFC 9110 section 5.6.7) start with a day's name; a bare number never is one. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/**
 * How long to wait, in ms from `now`: the header says it in seconds, or, where a proxy wrote it, as a date.
 * Null where it says nothing that can be understood. A date that has passed is 0.
 */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, LONGEST_WAIT_MS);
  if (!HTTP_DATE.test(value)) return null;
  const at = Date.parse(/ GMT$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), LONGEST_WAIT_MS);
}

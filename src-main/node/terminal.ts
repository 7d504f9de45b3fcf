import { formatCount } from '../common/numbers.ts';
import { isoMinute } from '../common/time.ts';

/**
 * Controls (C0, DEL, C1), which a terminal would obey, and the marks that make text read in another order than it is
 * written. Both come from the service's texts; neither may move a cursor, set a title or disguise an address.
 */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;
const SPACES = /[\t\n\r\u2028\u2029]+/g;

/** Any text as one line that is safe to print. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(SPACES, ' ').replace(UNSAFE, '\uFFFD');
}

/** The same for a text of several lines: its line ends stay. */
export function severalLines(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map(oneLine)
    .join('\n');
}

/** JSON on one line in which nothing is left that a terminal obeys. It parses to exactly the value. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A time in the reader's zone, to the minute; an invalid time is shown as it is. */
export function localTime(time: string | null): string {
  if (time === null) return '-';
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? oneLine(time) : isoMinute(ms, -new Date(ms).getTimezoneOffset());
}

/** `1 request`, `2 requests`. */
export function counted(count: number, noun: string): string {
  return `${formatCount('en', count)} ${noun}${count === 1 ? '' : 's'}`;
}

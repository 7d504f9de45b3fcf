import { isoMinute } from '../common/time.ts';

/** Control characters and direction marks, which could move the cursor, set a title or disguise an address. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;
const SPACES = /[\t\n\r\u2028\u2029]+/g;

/** Makes a text safe to print on one line. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(SPACES, ' ').replace(UNSAFE, '\uFFFD');
}

/** Like {@link oneLine}, but keeps line breaks. */
export function severalLines(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map(oneLine)
    .join('\n');
}

/** JSON on one line with control characters escaped. Parses to exactly the same value. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A time in the local zone, to the minute. Invalid times are shown unchanged. */
export function localTime(time: string | null): string {
  if (time === null) return '-';
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? oneLine(time) : isoMinute(ms, -new Date(ms).getTimezoneOffset());
}

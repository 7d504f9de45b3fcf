import type { Settings } from '../contract/settings.ts';
import { localeOf } from './i18n/locale.ts';
import { m } from './i18n/messages.ts';
import { instant, sameDay } from './time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number, below: number][] = [
  ['minute', MINUTE, HOUR],
  ['hour', HOUR, DAY],
  ['day', DAY, 30 * DAY],
  ['month', 30 * DAY, 365 * DAY],
  ['year', 365 * DAY, Infinity],
];

const cache = new Map<string, Intl.RelativeTimeFormat | Intl.DateTimeFormat>();

function reuseFormat<T extends Intl.RelativeTimeFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = cache.get(key) as T | undefined;
  if (known) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

/** `options` must always be the same for a name. */
function dateFormat(name: string, locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return reuseFormat(`${locale} ${name}`, () => new Intl.DateTimeFormat(locale, options));
}

const CYCLES = { '12h': 'h12', '24h': 'h23' } as const;

/** Prefers the system's variant of the app's language (en-GB has no "AM"), with the 12-hour or 24-hour clock. */
export function dateLocaleOf(language: string, systemTag: string, timeFormat: Settings['timeFormat']): string {
  const tag = isSupported(systemTag) && primary(systemTag) === primary(language) ? systemTag : language;
  return timeFormat === 'system' ? tag : new Intl.Locale(tag, { hourCycle: CYCLES[timeFormat] }).toString();
}

function primary(tag: string): string | undefined {
  return tag.split('-')[0]?.toLowerCase();
}

function isSupported(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** `narrow` differs from `short` only in "now" for "just now". */
export function relativeTime(
  ms: number,
  now: number,
  locale: string,
  style: 'long' | 'short' | 'narrow' = 'long',
): string {
  const age = Math.abs(now - ms);
  // The runtime's "now" would turn "Updated now" into a promise, and in Chinese into an order.
  if (age < MINUTE)
    return (style === 'narrow' ? m.time_now : m.time_just_now)({}, { locale: localeOf('system', locale) });
  const format = reuseFormat(
    `${locale} ${style}`,
    () =>
      new Intl.RelativeTimeFormat(
        locale,
        style === 'long' ? { style, numeric: 'auto' } : { style: 'narrow', numeric: 'always' },
      ),
  );
  const sign = now >= ms ? -1 : 1;
  const [unit, size] = STEPS.find(([, , below]) => age < below) ?? ['year', 365 * DAY];
  return format.format(sign * Math.floor(age / size), unit);
}

/** Puts the zone's name last: some languages would put it between date and time. */
export function absoluteTime(ms: number, locale: string): string {
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const time = dateFormat('absolute', locale, { ...day, hour: '2-digit', minute: '2-digit' });
  const zone = dateFormat('zone', locale, { timeZoneName: 'short' });
  const name = zone.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${time.format(ms)} ${name}`.trimEnd();
}

export function fullDay(ms: number, locale: string): string {
  return dateFormat('day', locale, { dateStyle: 'full' }).format(ms);
}

/** In the app's zone. */
export function mediumDay(ms: number, locale: string): string {
  return dateFormat('medium day', locale, { dateStyle: 'medium' }).format(ms);
}

/** In the app's zone. */
export function shortDay(ms: number, locale: string): string {
  return dateFormat('short day', locale, { day: 'numeric', month: 'short' }).format(ms);
}

/** In the app's zone. */
export function timeOfDay(ms: number, locale: string): string {
  return dateFormat('time of day', locale, { hour: '2-digit', minute: '2-digit' }).format(ms);
}

export function wallClock(time: string, locale: string): string {
  const options = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const;
  return dateFormat('wall', locale, options).format(Date.parse(`1970-01-01T${time}Z`));
}

/** `ms` is midnight UTC; independent of the app's zone. */
export function calendarDay(
  ms: number,
  locale: string,
  style: 'full' | 'long' | 'date' | 'month' | 'weekday' | 'dayOfWeek',
): string {
  const options: Readonly<Record<typeof style, Intl.DateTimeFormatOptions>> = {
    full: { dateStyle: 'full' },
    long: { day: 'numeric', month: 'short', weekday: 'short' },
    date: { dateStyle: 'medium' },
    month: { year: 'numeric', month: 'long' },
    weekday: { weekday: 'narrow' },
    dayOfWeek: { weekday: 'long' },
  };
  return dateFormat(`calendar ${style}`, locale, { ...options[style], timeZone: 'UTC' }).format(ms);
}

/** Between midnights UTC; independent of the app's zone. */
export function calendarRange(from: number, to: number, locale: string): string {
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return dateFormat('calendar range', locale, options).formatRange(from, to);
}

/** In the app's zone. */
export function instantRange(from: string | null, to: string | null, locale: string): string | null {
  const [start, end] = [instant(from), instant(to)];
  if (start === null || end === null || end < start) return null;
  const options = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  return dateFormat('instant range', locale, options).formatRange(start, end);
}

/** In the app's zone, with the day unless it is today. */
export function shortTime(ms: number, now: number, locale: string): string {
  const day = sameDay(ms, now) ? {} : ({ month: 'short', day: 'numeric' } as const);
  // "2:05 pm" with the 12-hour clock.
  const hour = new Intl.Locale(locale).hourCycle === 'h12' ? 'numeric' : '2-digit';
  const name = `short ${hour}${'day' in day ? ' day' : ''}`;
  return dateFormat(name, locale, { ...day, hour, minute: '2-digit' }).format(ms);
}

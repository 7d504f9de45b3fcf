import type { Settings } from '../contract/settings.ts';
import { localeOf } from './i18n/locale.ts';
import { m } from './i18n/messages.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The range of Date. */
const LAST_MS = 8.64e15;

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number, below: number][] = [
  ['minute', MINUTE, HOUR],
  ['hour', HOUR, DAY],
  ['day', DAY, 30 * DAY],
  ['month', 30 * DAY, 365 * DAY],
  ['year', 365 * DAY, Infinity],
];

const cache = new Map<string, Intl.RelativeTimeFormat | Intl.DateTimeFormat>();

function cached<T extends Intl.RelativeTimeFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = cache.get(key) as T | undefined;
  if (known) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

const CYCLES = { '12h': 'h12', '24h': 'h23' } as const;

/**
 * The locale for dates and times: the system's variant of the app's language (en-GB has no "AM"), or that language. It
 * includes the 12-hour or 24-hour clock of the settings, so every format made with it follows the setting.
 */
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

/** Milliseconds since 1970 of an RFC 3339 time; null if it is invalid. */
export function instant(time: string | null | undefined): number | null {
  const ms = time ? Date.parse(time) : NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** `2026-11-20 14:05` on a clock that is so many minutes ahead of UTC. */
export function isoMinute(ms: number, minutesAhead: number): string {
  const shifted = Math.max(-LAST_MS, Math.min(LAST_MS, ms + minutesAhead * MINUTE));
  return new Date(shifted)
    .toISOString()
    .replace('T', ' ')
    .replace(/:[\d.]+Z$/, '');
}

/**
 * "3 hours ago"; within a minute, before or after, "just now". `short` is "3 hr ago" and "just now", `narrow` is "3 hr ago" and
 * "now".
 */
export function relativeTime(
  ms: number,
  now: number,
  locale: string,
  style: 'long' | 'short' | 'narrow' = 'long',
): string {
  const age = Math.abs(now - ms);
  // The runtime's own "now" would make a promise of "Updated now", and an order of it in Chinese.
  if (age < MINUTE)
    return (style === 'narrow' ? m.time_now : m.time_just_now)({}, { locale: localeOf('system', locale) });
  const format = cached(
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

/** Date and time in the app's zone, followed by the zone's name, which some languages would put between the two. */
export function absoluteTime(ms: number, locale: string): string {
  const time = cached(
    `${locale} absolute`,
    () =>
      new Intl.DateTimeFormat(locale, {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
      }),
  );
  const zone = cached(`${locale} zone`, () => new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }));
  const name = zone.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${time.format(ms)} ${name}`.trimEnd();
}

/** The day in the app's zone with its weekday, month and year. */
export function longDay(ms: number, locale: string): string {
  return cached(`${locale} day`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'full' })).format(ms);
}

/** A short time of day, or day, for the ticks of a chart. In the app's zone. */
export function tickText(ms: number, locale: string, days: boolean): string {
  const options: Intl.DateTimeFormatOptions = days
    ? { day: 'numeric', month: 'short' }
    : { hour: '2-digit', minute: '2-digit' };
  return cached(`${locale} tick ${days}`, () => new Intl.DateTimeFormat(locale, options)).format(ms);
}

/** A time of the app's clock, given as `HH:MM`, in the app's language. */
export function wallClock(time: string, locale: string): string {
  const options = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const;
  return cached(`${locale} wall`, () => new Intl.DateTimeFormat(locale, options)).format(
    Date.parse(`1970-01-01T${time}Z`),
  );
}

/** A calendar day (ms at its midnight UTC), independent of the app's zone. */
export function calendarDay(ms: number, locale: string, style: 'full' | 'long' | 'date' | 'month' | 'weekday'): string {
  const options: Readonly<Record<typeof style, Intl.DateTimeFormatOptions>> = {
    full: { dateStyle: 'full' },
    long: { day: 'numeric', month: 'short', weekday: 'short' },
    date: { dateStyle: 'medium' },
    month: { year: 'numeric', month: 'long' },
    weekday: { weekday: 'narrow' },
  };
  return cached(
    `${locale} calendar ${style}`,
    () => new Intl.DateTimeFormat(locale, { ...options[style], timeZone: 'UTC' }),
  ).format(ms);
}

/** A range of calendar days (ms at their midnights UTC), independent of the app's zone. */
export function calendarRange(from: number, to: number, locale: string): string {
  return cached(
    `${locale} calendar range`,
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  ).formatRange(from, to);
}

/** A range of RFC 3339 times in the app's zone; null if either is invalid. */
export function instantRange(from: string | null, to: string | null, locale: string): string | null {
  const [start, end] = [instant(from), instant(to)];
  if (start === null || end === null || end < start) return null;
  return cached(
    `${locale} instant range`,
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  ).formatRange(start, end);
}

/** A time in the app's zone as short as possible: the time of day today, with the day otherwise. Both in ms since 1970. */
export function shortTime(ms: number, now: number, locale: string): string {
  const day = sameDay(ms, now) ? {} : ({ month: 'short', day: 'numeric' } as const);
  // "2:05 pm", where the reader chose the 12-hour clock.
  const hour = new Intl.Locale(locale).hourCycle === 'h12' ? 'numeric' : '2-digit';
  return new Intl.DateTimeFormat(locale, { ...day, hour, minute: '2-digit' }).format(ms);
}

/** In the app's zone; times in ms since 1970. */
export function sameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** How many days of the app's zone ago a time was: 0 today, 1 yesterday. Both in ms since 1970. */
export function daysAgo(at: number, now: number): number {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  // A day on which the clocks change has 23 or 25 hours.
  return Math.round((midnight(now) - midnight(at)) / DAY);
}

import type { Settings } from '../../../src-main/contract/settings.ts';

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

function cached<T extends Intl.RelativeTimeFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = cache.get(key) as T | undefined;
  if (known) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

const CYCLES = { '12h': 'h12', '24h': 'h23' } as const;

/**
 * The locale to write dates and times by: the system's own variant where it is of the page's language (en-GB has no "AM"),
 * else that language; with the app's clock as a part of it, so that all that is written by it keeps to that clock.
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

/** Milliseconds since 1970 of an RFC 3339 time, or null where it is none. */
export function instant(time: string | null | undefined): number | null {
  const ms = time ? Date.parse(time) : NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** The runtime's own "now" would make a promise of "Updated now", and an order of it in Chinese. */
const JUST_NOW = { en: { long: 'just now', narrow: 'now' }, zh: { long: '刚刚', narrow: '刚刚' } };

/** How long ago, in words: "3 hours ago". Within a minute, and for a clock that runs ahead a little, "just now". */
export function relativeTime(ms: number, now: number, locale: string, style: 'long' | 'narrow' = 'long'): string {
  const age = Math.abs(now - ms);
  if (age < MINUTE) return JUST_NOW[/^zh\b/i.test(locale) ? 'zh' : 'en'][style];
  const format = cached(
    `${locale} ${style}`,
    () => new Intl.RelativeTimeFormat(locale, { style, numeric: style === 'long' ? 'auto' : 'always' }),
  );
  const sign = now >= ms ? -1 : 1;
  const [unit, size] = STEPS.find(([, , below]) => age < below) ?? ['year', 365 * DAY];
  return format.format(sign * Math.floor(age / size), unit);
}

/** Date and time in the app's zone, with the zone's name after it: some languages would put it between the two. */
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

/** The day in the app's zone, as a newspaper's head gives it. */
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

/** A calendar day (ms at its midnight UTC) in words, whatever the app's zone is. */
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

/** Calendar days from one to another (ms at their midnights UTC), whatever the app's zone is. */
export function calendarRange(from: number, to: number, locale: string): string {
  return cached(
    `${locale} calendar range`,
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  ).formatRange(from, to);
}

/** From one RFC 3339 time to another in the app's zone; null where one of them is none. */
export function instantRange(from: string | null, to: string | null, locale: string): string | null {
  const [start, end] = [instant(from), instant(to)];
  if (start === null || end === null || end < start) return null;
  return cached(
    `${locale} instant range`,
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  ).formatRange(start, end);
}

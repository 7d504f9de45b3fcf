import { isSupported, localeOf } from './i18n/locale.ts';
import { m } from './i18n/messages.ts';
import { daysAgo, instant, sameDay } from './time.ts';

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

export type TimeForm = 'list' | 'article' | 'sentence' | 'day';

const cache = new Map<string, object>();

function reuse<T extends object>(key: string, make: () => T): T {
  const known = cache.get(key) as T | undefined;
  if (known) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

/** `options` must always be the same for a name. */
function dateFormat(name: string, locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return reuse(`${locale} ${name}`, () => new Intl.DateTimeFormat(locale, options));
}

/** The system's variant of the app's language (en-GB has no "AM"), or else the language, with a 24-hour clock of the system. */
export function dateLocaleOf(language: string, systemTag: string): string {
  if (!isSupported(systemTag)) return language;
  if (primary(systemTag) === primary(language)) return systemTag;
  const { hourCycle } = new Intl.DateTimeFormat(systemTag, { hour: 'numeric' }).resolvedOptions();
  return hourCycle === 'h23' ? new Intl.Locale(language, { hourCycle }).toString() : language;
}

function primary(tag: string): string | undefined {
  return tag.split('-')[0]?.toLowerCase();
}

export function relativeTime(ms: number, now: number, locale: string, style: 'long' | 'short' = 'long'): string {
  const age = Math.abs(now - ms);
  // The runtime's "now" would turn "Updated now" into a promise, and in Chinese into an order.
  if (age < MINUTE) return m.time_just_now({}, { locale: localeOf('system', locale) });
  const format = reuse(
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

/**
 * Formats a time as people say it, in the app's zone. In lists: "8:47 PM" for today, then "Yesterday", "Saturday",
 * "Nov 14", "Nov 14, 2024". In articles with day and time: "Today, 7:19 PM"; after other words "today, 7:19 PM". The day
 * alone: "Today", "Saturday".
 */
export function calendarTime(ms: number, now: number, locale: string, form: TimeForm): string {
  const days = daysAgo(ms, now);
  if (form === 'list' && days === 0) return timeOfDay(ms, locale);
  const name = dayName(ms, days, now, locale);
  const day = form === 'sentence' ? name : name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  if (form === 'list' || form === 'day') return day;
  return m.time_day_and_time({ day, time: timeOfDay(ms, locale) }, { locale: localeOf('system', locale) });
}

function dayName(ms: number, days: number, now: number, locale: string): string {
  if (days === 0 || days === 1) {
    const words = reuse(`${locale} relative day`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
    return words.format(-days, 'day');
  }
  // From the seventh day on, a weekday could be either of two.
  if (days > 1 && days < 7) return dateFormat('weekday', locale, { weekday: 'long' }).format(ms);
  return new Date(ms).getFullYear() === new Date(now).getFullYear() ? shortDay(ms, locale) : mediumDay(ms, locale);
}

/** "Today", "Yesterday", or else the date. Both are labels of the same calendar: YYYY-MM-DD. */
export function labelDay(label: string, today: string, locale: string): string {
  const [day = 0, now = 0] = [label, today].map(noonOf);
  const days = daysAgo(day, now);
  if (days !== 0 && days !== 1) return longDay(day, now, locale);
  const name = dayName(day, days, now, locale);
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** In the app's zone, in which the label then has the same date. */
export function noonOf(label: string): number {
  return Date.parse(`${label}T12:00`);
}

/** "8:47 PM", but "08:47" with the 24-hour clock. */
function clockOptions(locale: string): Intl.DateTimeFormatOptions {
  const hour = dateFormat('hour', locale, { hour: 'numeric' });
  const { hour12 } = reuse(`${locale} clock`, () => hour.resolvedOptions());
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' };
}

/** Puts the zone's name last: some languages would put it between date and time. */
export function absoluteTime(ms: number, locale: string): string {
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const time = dateFormat('absolute', locale, { ...day, ...clockOptions(locale) });
  const zone = dateFormat('zone', locale, { timeZoneName: 'short' });
  const name = zone.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${time.format(ms)} ${name}`.trimEnd();
}

function fullDay(ms: number, locale: string): string {
  return dateFormat('day', locale, { dateStyle: 'full' }).format(ms);
}

/** "Monday, November 23", with the year if it is another one. In the app's zone. */
export function longDay(ms: number, now: number, locale: string): string {
  const day = { weekday: 'long', month: 'long', day: 'numeric' } as const;
  return new Date(ms).getFullYear() === new Date(now).getFullYear()
    ? dateFormat('long day', locale, day).format(ms)
    : fullDay(ms, locale);
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
  return dateFormat('time of day', locale, clockOptions(locale)).format(ms);
}

export function wallClock(time: string, locale: string): string {
  const options = { ...clockOptions(locale), timeZone: 'UTC' };
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

/** The runtime puts spaces around the dash between two days, too, and has only numbers in Chinese. */
const DAYS = /\b(\d{1,2})\s–\s(\d{1,2})\b/;

/** Between midnights UTC, without the year if that is the one of `now`; independent of the app's zone. */
export function calendarRange(from: number, to: number, locale: string, now?: number): string {
  const options = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  const years = new Set([from, to, now].map((ms) => (ms === undefined ? null : new Date(ms).getUTCFullYear())));
  const format =
    years.size === 1
      ? dateFormat('calendar range', locale, options)
      : dateFormat('calendar range with year', locale, { ...options, year: 'numeric' });
  if (!locale.startsWith('zh')) return format.formatRange(from, to).replace(DAYS, '$1–$2');
  const [first, last] = [format.format(from), format.format(to)];
  const shared = ['月', '年']
    .map((unit) => first.slice(0, first.indexOf(unit) + 1))
    .find((one) => last.startsWith(one));
  return `${first}至${last.slice(shared?.length ?? 0)}`;
}

/** In the app's zone. */
export function instantRange(from: string | null, to: string | null, locale: string): string | null {
  const [start, end] = [instant(from), instant(to)];
  if (start === null || end === null || end < start) return null;
  const options = { day: 'numeric', month: 'short', ...clockOptions(locale) } as const;
  return dateFormat('instant range', locale, options).formatRange(start, end);
}

/** In the app's zone, after other words, with the day unless it is today. */
export function shortTime(ms: number, now: number, locale: string): string {
  if (sameDay(ms, now)) return timeOfDay(ms, locale);
  if (ms < now) return calendarTime(ms, now, locale, 'sentence');
  return dateFormat('day and time', locale, { month: 'short', day: 'numeric', ...clockOptions(locale) }).format(ms);
}

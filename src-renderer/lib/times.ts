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

/** Date and time in the reader's zone, with the zone's name. */
export function absoluteTime(ms: number, locale: string): string {
  return cached(
    `${locale} absolute`,
    () =>
      new Intl.DateTimeFormat(locale, {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'short',
      }),
  ).format(ms);
}

/** The day in the reader's zone, as a newspaper's head gives it. */
export function longDay(ms: number, locale: string): string {
  return cached(`${locale} day`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'full' })).format(ms);
}

import type { Locale } from '../common/i18n/locale.ts';
import type { Settings } from '../contract/settings.ts';

/** How times are written: the words' language, in the system's own variant of it (en-GB has no "AM"). */
export interface TimeStyle {
  locale: string;
  timeFormat: Settings['timeFormat'];
}

export function timeStyle(locale: Locale, systemTag: string, timeFormat: TimeStyle['timeFormat']): TimeStyle {
  const sameLanguage = systemTag.split('-')[0] === locale.split('-')[0];
  return { locale: sameLanguage && isKnown(systemTag) ? systemTag : locale, timeFormat };
}

/** A moment (ms since 1970) as seen at `now`, in the reader's zone: the time of day, with the day where it is another one. */
export function shortTime(ms: number, now: number, { locale, timeFormat }: TimeStyle): string {
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(locale, {
    ...(isToday ? {} : { month: 'short', day: 'numeric' }),
    hour: timeFormat === '12h' ? 'numeric' : '2-digit',
    minute: '2-digit',
    ...(timeFormat === 'system' ? {} : { hourCycle: timeFormat === '12h' ? 'h12' : 'h23' }),
  }).format(ms);
}

function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

import type { Settings } from '../../contract/settings.ts';
import { getLocale, overwriteGetLocale } from './compiled/runtime.js';

export type Locale = 'en' | 'zh-CN';

export interface InLocale {
  locale: Locale;
}

/** English until {@link followLocale} is called. */
export { getLocale };

/** Reads the language for every message, so it may change at any time. */
export function followLocale(read: () => Locale): void {
  overwriteGetLocale(read);
}

/** Returns the first language of the system, or English: with `LANG=C.UTF-8`, Electron names a language "c". */
export function firstLanguage(tags: readonly string[]): string {
  return tags.find(isSupported) ?? 'en';
}

export function isSupported(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** Resolves `system` by a BCP 47 tag, with English as the fallback. */
export function localeOf(setting: Settings['language'], systemTag: string): Locale {
  if (setting !== 'system') return setting;
  return /^zh\b/i.test(systemTag) ? 'zh-CN' : 'en';
}

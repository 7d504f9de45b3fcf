import type { Settings } from '../../contract/settings.ts';
import { getLocale, overwriteGetLocale } from './compiled/runtime.js';

export type Locale = 'en' | 'zh-CN';

/** Options of a message: writes it in a given language rather than in the current one. */
export interface InLocale {
  locale: Locale;
}

/** The language in force: English until a host or the page says where it is read from. */
export { getLocale };

/** Says where the language in force is read from. It is asked for every message, so it may change at any time. */
export function followLocale(read: () => Locale): void {
  overwriteGetLocale(read);
}

/** The language to show under a setting; `system` follows the given BCP 47 tag, English where it is none of ours. */
export function localeOf(setting: Settings['language'], systemTag: string): Locale {
  if (setting !== 'system') return setting;
  return /^zh\b/i.test(systemTag) ? 'zh-CN' : 'en';
}

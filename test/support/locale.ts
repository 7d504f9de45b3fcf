import { followLocale, getLocale, type Locale } from '../../src-main/common/i18n/locale.ts';

/** Does something in a language, then goes back to the one that was in force. */
export function inLocale<T>(locale: Locale, what: () => T): T {
  const before = getLocale();
  followLocale(() => locale);
  try {
    return what();
  } finally {
    followLocale(() => before);
  }
}

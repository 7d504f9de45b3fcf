import { followLocale, type Locale } from '../../src-main/common/i18n/locale.ts';
import { absoluteTime, dateLocaleOf } from '../../src-main/common/time-text.ts';
import { instant } from '../../src-main/common/time.ts';

class Language {
  #locale = $state<Locale>('en');
  #dateLocale = $state('en');

  get locale(): Locale {
    return this.#locale;
  }

  /** The locale for dates and times (see `dateLocaleOf`). */
  get dateLocale(): string {
    return this.#dateLocale;
  }

  /** Returns a time (RFC 3339) in full; null if it is none. */
  fullTime(time: string | null | undefined): string | null {
    const ms = instant(time);
    return ms === null ? null : absoluteTime(ms, this.#dateLocale);
  }

  /** Joins sentences: Chinese puts no space between them. */
  sentences(...texts: string[]): string {
    return texts.join(this.#locale === 'zh-CN' ? '' : ' ');
  }

  use(locale: Locale, systemTag: string): void {
    this.#locale = locale;
    this.#dateLocale = dateLocaleOf(locale, systemTag);
    document.documentElement.lang = locale;
  }
}

export const language = new Language();
followLocale(() => language.locale);

import { followLocale, type Locale } from '../../src-main/common/i18n/locale.ts';
import { dateLocaleOf } from '../../src-main/common/time.ts';
import type { Settings } from '../../src-main/contract/settings.ts';

/** The page's language, one for all of it. */
class Language {
  #locale = $state<Locale>('en');
  #dateLocale = $state('en');

  get locale(): Locale {
    return this.#locale;
  }

  /** The locale to write dates and times by (see `dateLocaleOf`). */
  get dateLocale(): string {
    return this.#dateLocale;
  }

  /** Sentences one after the other: Chinese puts nothing between them. */
  sentences(...texts: string[]): string {
    return texts.join(this.#locale === 'zh-CN' ? '' : ' ');
  }

  use(locale: Locale, systemTag: string, timeFormat: Settings['timeFormat'] = 'system'): void {
    this.#locale = locale;
    this.#dateLocale = dateLocaleOf(locale, systemTag, timeFormat);
    document.documentElement.lang = locale;
  }
}

export const language = new Language();
followLocale(() => language.locale);

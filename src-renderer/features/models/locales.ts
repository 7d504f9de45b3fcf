/** Locales of values: `locale` for numbers and texts, `dateLocale` for dates. The page's `language` is one. */
export interface Locales {
  locale: string;
  dateLocale: string;
}

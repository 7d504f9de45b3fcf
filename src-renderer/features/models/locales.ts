/** How values are written: `locale` for numbers and texts, `dateLocale` for dates. The page's `language` is one. */
export interface Locales {
  locale: string;
  dateLocale: string;
}

export const CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'] as const;
export type Category = (typeof CATEGORIES)[number];
export type Language = 'zh' | 'en';

/** The same thing in both languages. */
export interface Bilingual {
  zh: string;
  en: string;
}

/** A kind of news. `{name}` in its sentences stands for a value of the fact. */
export interface Kind {
  titles: readonly Bilingual[];
  /** First sentences. */
  leads: readonly Bilingual[];
  /** Further sentences; each can stand after any other. */
  details: readonly Bilingual[];
  /** Why an editor would select it. */
  reasons: readonly Bilingual[];
  /** Not published by the organisation that it is about. */
  independent: boolean;
}

/** A text that is written once where it is the same in both languages. */
export function both(text: string | Bilingual): Bilingual {
  return typeof text === 'string' ? { zh: text, en: text } : text;
}

/** Values for templates, by name. */
export type Values = Readonly<Record<string, string | number>>;

/** The values of one news event, by the names that templates use. */
export type Fact = Record<Language, Values>;

/** Puts values into a template. Errors: throws for a name without a value, which is a mistake in a template. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for {${name}} in: ${template}`);
    return String(value);
  });
}

/** A whole sentence or title: filled in, spaced as its language wants it, with a capital at the start. */
export function render(template: Bilingual, fact: Fact, language: Language): string {
  const text = fill(template[language], fact[language]);
  return language === 'zh' ? spaced(text) : text.charAt(0).toUpperCase() + text.slice(1);
}

const HAN = '\\p{Script=Han}';
const BETWEEN_HAN = new RegExp(`(?<=[${HAN}，。：；、《》“”]) (?=[${HAN}])|(?<=${HAN}) (?=[，。：；、《》“”])`, 'gu');
const HAN_THEN_LATIN = new RegExp(`(?<=${HAN})(?=[A-Za-z0-9])`, 'gu');
const LATIN_THEN_HAN = new RegExp(`(?<=[A-Za-z0-9%])(?=${HAN})`, 'gu');

/** Chinese spacing: none between Chinese characters, one space between them and Latin letters or digits. */
function spaced(text: string): string {
  return text.replace(BETWEEN_HAN, '').replace(HAN_THEN_LATIN, ' ').replace(LATIN_THEN_HAN, ' ');
}

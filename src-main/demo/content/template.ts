export const CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'] as const;
export type Category = (typeof CATEGORIES)[number];
export type Language = 'zh' | 'en';

export interface Bilingual {
  zh: string;
  en: string;
}

/** `{name}` in a sentence stands for a value of the fact. */
export interface Kind {
  titles: readonly Bilingual[];
  leads: readonly Bilingual[];
  /** Can follow each other in any order. */
  details: readonly Bilingual[];
  reasons: readonly Bilingual[];
  /** Not published by the organisation that it is about. */
  independent: boolean;
}

export function both(text: string | Bilingual): Bilingual {
  return typeof text === 'string' ? { zh: text, en: text } : text;
}

export type Values = Readonly<Record<string, string | number>>;

export type Fact = Record<Language, Values>;

/** Errors: throws for a name without a value. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for {${name}} in: ${template}`);
    return String(value);
  });
}

export function render(template: Bilingual, fact: Fact, language: Language): string {
  const text = fill(template[language], fact[language]);
  return language === 'zh' ? spaced(text) : text.charAt(0).toUpperCase() + text.slice(1);
}

const HAN = '\\p{Script=Han}';
const BETWEEN_HAN = new RegExp(`(?<=[${HAN}，。：；、《》“”]) (?=[${HAN}])|(?<=${HAN}) (?=[，。：；、《》“”])`, 'gu');
const HAN_THEN_LATIN = new RegExp(`(?<=${HAN})(?=[A-Za-z0-9])`, 'gu');
const LATIN_THEN_HAN = new RegExp(`(?<=[A-Za-z0-9%])(?=${HAN})`, 'gu');

/** Leaves no space between Chinese characters, and one between them and Latin letters or digits. */
function spaced(text: string): string {
  return text.replace(BETWEEN_HAN, '').replace(HAN_THEN_LATIN, ' ').replace(LATIN_THEN_HAN, ' ');
}

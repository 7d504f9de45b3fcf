import aiModels from '../texts/ai-models.json' with { type: 'json' };
import aiProducts from '../texts/ai-products.json' with { type: 'json' };
import industry from '../texts/industry.json' with { type: 'json' };
import modelCatalogue from '../texts/model-catalogue.json' with { type: 'json' };
import opinion from '../texts/opinion.json' with { type: 'json' };
import organisations from '../texts/organisations.json' with { type: 'json' };
import outlets from '../texts/outlets.json' with { type: 'json' };
import paper from '../texts/paper.json' with { type: 'json' };
import phrases from '../texts/phrases.json' with { type: 'json' };
import terms from '../texts/terms.json' with { type: 'json' };
import tip from '../texts/tip.json' with { type: 'json' };
import type { KNOWN_CATEGORIES } from '../../contract/model/item.ts';

// The type annotations check the data: a missing text or a wrong name doesn't compile.

export interface Organisation {
  name: Bilingual;
  domain: string;
  models: Bilingual[];
  products: Bilingual[];
}

interface Outlet {
  name: string;
  domain: string;
}

export const KINDS: Record<Category, readonly Kind[]> = {
  'ai-models': aiModels,
  'ai-products': aiProducts,
  industry,
  paper,
  tip,
  opinion,
};

/** All names are made up, those of the outlets too. */
export const ORGANISATIONS: readonly Organisation[] = organisations.map(({ name, domain, models, products }) => {
  return { name: both(name), domain, models: models.map(both), products: products.map(both) };
});

export const OUTLETS: Record<Language, readonly Outlet[]> = outlets;

export const TERMS = { ...terms, benchmarks: terms.benchmarks.map(both), licences: terms.licences.map(both) };

export const SECTION_LABELS: Record<Category, Record<Language, string>> = phrases.reports.sections;
export const REPORT_PHRASES = phrases.reports;
export const DIGEST_PHRASES = phrases.digest;
export const UPDATES: readonly Bilingual[] = phrases.updates;
export const AGENT_GUIDE = phrases.agentGuide.join('\n');
export const MODEL_TEXTS = modelCatalogue;

export type Category = (typeof KNOWN_CATEGORIES)[number];
export type Language = 'zh' | 'en';

export interface Bilingual {
  zh: string;
  en: string;
}

/** `{name}` in a sentence stands for a value of the fact. */
export interface Kind {
  titles: readonly Bilingual[];
  leads: readonly Bilingual[];
  details: readonly Bilingual[];
  reasons: readonly Bilingual[];
  /** Not published by the organisation that it is about. */
  independent: boolean;
}

export function both(text: string | Bilingual): Bilingual {
  return typeof text === 'string' ? { zh: text, en: text } : text;
}

type Values = Readonly<Record<string, string | number>>;

export type Fact = Record<Language, Values>;

export function fill(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for {${name}} in: ${template}`);
    return String(value);
  });
}

export function render(template: Bilingual, fact: Fact, language: Language): string {
  const text = fill(template[language], fact[language]);
  return language === 'zh' ? addSpaces(text) : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Leaves out sentences that a kind of news doesn't have. */
export function joinSentences(sentences: readonly (Bilingual | undefined)[], fact: Fact, language: Language): string {
  return sentences
    .filter((sentence) => sentence !== undefined)
    .map((sentence) => render(sentence, fact, language))
    .join(language === 'zh' ? '' : ' ');
}

const HAN = '\\p{Script=Han}';
const BETWEEN_HAN = new RegExp(`(?<=[${HAN}，。：；、《》“”]) (?=[${HAN}])|(?<=${HAN}) (?=[，。：；、《》“”])`, 'gu');
const HAN_THEN_LATIN = new RegExp(`(?<=${HAN})(?=[A-Za-z0-9])`, 'gu');
const LATIN_THEN_HAN = new RegExp(`(?<=[A-Za-z0-9%])(?=${HAN})`, 'gu');

/** Leaves no space between Chinese characters, and one between them and Latin letters or digits. */
function addSpaces(text: string): string {
  return text.replace(BETWEEN_HAN, '').replace(HAN_THEN_LATIN, ' ').replace(LATIN_THEN_HAN, ' ');
}

import Big from 'big.js';
import { modelFilterSwitches, modelFilterValues } from '../../../src-main/common/i18n/model-labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { isFree } from '../../../src-main/common/model-cost.ts';
import { vendorName } from '../../../src-main/common/model-line.ts';
import { formatCount } from '../../../src-main/common/numbers.ts';
import { aMillion, payable, readPrice, priceOf } from '../../../src-main/common/price.ts';
import { usdText } from '../../../src-main/common/price-text.ts';
import { oneLine, searchKey } from '../../../src-main/common/text.ts';
import { instant } from '../../../src-main/common/time.ts';
import type { ModelLine } from '../../../src-main/contract/model/model.ts';
import { modalityName, nameRanks } from './model-columns.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

/** The filter of the table. A part that is null, empty or `any` is not set. */
export interface ModelFilter {
  /** Words that all occur in the name, the id or the description. */
  text: string;
  /** Any of them. */
  vendors: readonly string[];
  /** All of them. */
  inputs: readonly string[];
  outputs: readonly string[];
  parameters: readonly string[];
  /** In tokens. */
  contextFrom: number | null;
  contextTo: number | null;
  /** Price of the prompt: USD a million tokens, as decimal texts. */
  priceFrom: string | null;
  priceTo: string | null;
  free: boolean;
  moderated: 'any' | 'yes' | 'no';
  /** `dated` has an expiry; `soon` has one within 30 days, or past. */
  expiring: 'any' | 'dated' | 'soon';
  favourites: boolean;
}

export const NO_FILTER: ModelFilter = {
  text: '',
  vendors: [],
  inputs: [],
  outputs: [],
  parameters: [],
  contextFrom: null,
  contextTo: null,
  priceFrom: null,
  priceTo: null,
  free: false,
  moderated: 'any',
  expiring: 'any',
  favourites: false,
};

/** A model with the values for filtering and sorting, computed once. */
export interface ModelEntry {
  line: ModelLine;
  rank: number;
  /** Name, id and description in their searchable form. */
  folded: string;
  /** USD a million prompt tokens; null if unknown. */
  promptPrice: Big | null;
  free: boolean;
  /** ms since 1970. */
  expiresAt: number | null;
}

export function modelEntries(lines: readonly ModelLine[], locale: string): ModelEntry[] {
  const ranks = nameRanks(lines, locale);
  return lines.map((line) => {
    const prompt = payable(readPrice(priceOf(line.pricing, 'prompt')));
    return {
      line,
      rank: ranks.get(line.id) ?? 0,
      folded: searchKey(`${line.name}\n${line.id}\n${line.description ?? ''}`),
      promptPrice: prompt && aMillion(prompt),
      free: isFree(line.pricing),
      expiresAt: instant(line.expirationDate),
    };
  });
}

/** Returns the models that match a filter, in their order. `now` is ms since 1970. */
export function filterModels(entries: readonly ModelEntry[], filter: ModelFilter, now: number): ModelEntry[] {
  const tests = testsOf(filter, now);
  return tests.length === 0 ? [...entries] : entries.filter((entry) => tests.every((test) => test(entry)));
}

type Test = (entry: ModelEntry) => boolean;

function testsOf(filter: ModelFilter, now: number): Test[] {
  const tests: Test[] = [];
  for (const word of searchKey(filter.text).split(/\s+/).filter(Boolean))
    tests.push(({ folded }) => folded.includes(word));
  if (filter.vendors.length > 0) tests.push(({ line }) => filter.vendors.includes(vendorName(line) ?? ''));
  const { inputs, outputs, parameters } = filter;
  if (inputs.length > 0) tests.push(({ line }) => hasAll(line.inputModalities, inputs));
  if (outputs.length > 0) tests.push(({ line }) => hasAll(line.outputModalities, outputs));
  if (parameters.length > 0) tests.push(({ line }) => hasAll(line.supportedParameters, parameters));
  tests.push(...rangeTests(filter));
  if (filter.free) tests.push(({ free }) => free);
  if (filter.moderated !== 'any') tests.push(({ line }) => line.moderated === (filter.moderated === 'yes'));
  if (filter.expiring !== 'any') {
    const until = filter.expiring === 'soon' ? now + SOON_DAYS * DAY_MS : Infinity;
    tests.push(({ expiresAt }) => expiresAt !== null && expiresAt <= until);
  }
  if (filter.favourites) tests.push(({ line }) => line.favouriteAt !== null);
  return tests;
}

/** Unknown values are in no range. */
function rangeTests({ contextFrom, contextTo, priceFrom, priceTo }: ModelFilter): Test[] {
  const tests: Test[] = [];
  const [least, most] = [decimal(priceFrom), decimal(priceTo)];
  if (contextFrom !== null) tests.push(({ line }) => line.contextLength !== null && line.contextLength >= contextFrom);
  if (contextTo !== null) tests.push(({ line }) => line.contextLength !== null && line.contextLength <= contextTo);
  if (least) tests.push(({ promptPrice }) => promptPrice?.gte(least) ?? false);
  if (most) tests.push(({ promptPrice }) => promptPrice?.lte(most) ?? false);
  return tests;
}

function hasAll(values: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((value) => values.includes(value));
}

/** Parses a bound that was typed; null if it is none. */
export function decimal(text: string | null): Big | null {
  const trimmed = text?.trim() ?? '';
  return /^\d{1,12}(\.\d{0,20})?$|^\.\d{1,20}$/.test(trimmed) ? new Big(trimmed) : null;
}

/** The choices of a filter: the values that occur, with the number of models for each. */
export interface Facets {
  vendors: Facet[];
  inputs: Facet[];
  outputs: Facet[];
  parameters: Facet[];
}

export interface Facet {
  value: string;
  count: number;
}

export function facetsOf(lines: readonly ModelLine[]): Facets {
  return {
    vendors: counted(lines.map((line) => [vendorName(line)].flatMap((name) => name ?? []))),
    inputs: counted(lines.map(({ inputModalities }) => inputModalities)),
    outputs: counted(lines.map(({ outputModalities }) => outputModalities)),
    parameters: counted(lines.map(({ supportedParameters }) => supportedParameters)),
  };
}

function counted(values: readonly string[][]): Facet[] {
  const counts = new Map<string, number>();
  for (const value of values.flatMap((of) => [...new Set(of)])) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => (a.value.toLowerCase() < b.value.toLowerCase() ? -1 : 1));
}

/** A part of a filter that has its own name and can be removed by itself. */
export type FilterPart =
  | { of: 'vendors' | 'inputs' | 'outputs' | 'parameters'; value: string }
  | { of: 'text' | 'context' | 'price' | 'free' | 'moderated' | 'expiring' | 'favourites' };

const LISTS = ['vendors', 'inputs', 'outputs', 'parameters'] as const;

export function filterParts(filter: ModelFilter): FilterPart[] {
  const parts: FilterPart[] = [];
  if (filter.text.trim() !== '') parts.push({ of: 'text' });
  for (const of of LISTS) parts.push(...filter[of].map((value) => ({ of, value })));
  if (filter.contextFrom !== null || filter.contextTo !== null) parts.push({ of: 'context' });
  if (decimal(filter.priceFrom) || decimal(filter.priceTo)) parts.push({ of: 'price' });
  if (filter.free) parts.push({ of: 'free' });
  if (filter.moderated !== 'any') parts.push({ of: 'moderated' });
  if (filter.expiring !== 'any') parts.push({ of: 'expiring' });
  if (filter.favourites) parts.push({ of: 'favourites' });
  return parts;
}

export function withoutPart(filter: ModelFilter, part: FilterPart): ModelFilter {
  switch (part.of) {
    case 'vendors':
    case 'inputs':
    case 'outputs':
    case 'parameters':
      return { ...filter, [part.of]: filter[part.of].filter((value) => value !== part.value) };
    case 'context':
      return { ...filter, contextFrom: null, contextTo: null };
    case 'price':
      return { ...filter, priceFrom: null, priceTo: null };
    default:
      return { ...filter, [part.of]: NO_FILTER[part.of] };
  }
}

interface RangeTexts {
  both: (from: string, to: string) => string;
  from: (from: string) => string;
  to: (to: string) => string;
}

export function partName(filter: ModelFilter, part: FilterPart, locale: string): string {
  switch (part.of) {
    case 'text':
      return m.model_filter_parts_text({ value: oneLine(filter.text, 40) });
    case 'vendors':
      return oneLine(part.value, 60);
    case 'inputs':
    case 'outputs':
      return modelFilterValues[part.of]({ value: modalityName(part.value) });
    case 'parameters':
      return m.model_filter_parts_parameters({ value: oneLine(part.value, 60) });
    case 'context': {
      const tokens = (count: number | null): string | null => (count === null ? null : formatCount(locale, count));
      const texts = {
        both: (from: string, to: string) => m.model_filter_parts_context({ from, to }),
        from: (from: string) => m.model_filter_parts_context_from({ from }),
        to: (to: string) => m.model_filter_parts_context_to({ to }),
      };
      return range(tokens(filter.contextFrom), tokens(filter.contextTo), texts);
    }
    case 'price': {
      const texts = {
        both: (from: string, to: string) => m.model_filter_parts_price({ from, to }),
        from: (from: string) => m.model_filter_parts_price_from({ from }),
        to: (to: string) => m.model_filter_parts_price_to({ to }),
      };
      return range(dollars(filter.priceFrom, locale), dollars(filter.priceTo, locale), texts);
    }
    case 'moderated':
      return (filter.moderated === 'no' ? m.model_filter_parts_moderated_no : m.model_filter_parts_moderated_yes)();
    case 'expiring':
      return (filter.expiring === 'soon' ? m.model_filter_parts_expiring_soon : m.model_filter_parts_expiring_dated)();
    case 'free':
    case 'favourites':
      return modelFilterSwitches[part.of]();
  }
}

function range(from: string | null, to: string | null, texts: RangeTexts): string {
  if (from !== null && to !== null) return texts.both(from, to);
  return from === null ? texts.to(to ?? '') : texts.from(from);
}

function dollars(text: string | null, locale: string): string | null {
  const value = decimal(text);
  return value && usdText(value, locale);
}

const MAX_TOKENS = 1_000_000_000;

/** Parses a number of tokens: `131072`, `131,072` or `128k`. Null if it is not such a number. */
export function tokensOf(text: string): number | null {
  const match = /^(\d{1,3}(?:[,\s\u00a0\u202f]?\d{3})*|\d+)(?:\.(\d{1,3}))?\s*([km]?)$/i.exec(text.trim());
  if (!match) return null;
  const [, whole = '', places = '', suffix = ''] = match;
  const scale = { k: 1_000, m: 1_000_000 }[suffix.toLowerCase()] ?? 1;
  const tokens = Number(`${whole.replace(/\D/g, '')}.${places || '0'}`) * scale;
  return Number.isInteger(tokens) && tokens <= MAX_TOKENS ? tokens : null;
}

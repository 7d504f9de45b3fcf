import { KNOWN_CATEGORIES } from '../../contract/model/item.ts';
import { isDay } from '../shanghai.ts';
import { nameKey } from '../text.ts';
import type { Comparison } from './query.ts';

const DATE = /^(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?|年)?$/;
const SCORE = /^(>=|<=|=>|=<|[<>=≥≤])?(\d{1,3}(?:\.\d{1,6})?)$/;
const COMPARISONS: Readonly<Record<string, Comparison>> = { '=>': '>=', '≥': '>=', '=<': '<=', '≤': '<=' };

/** The first day of a date, a month or a year, as `2026-11-20`; null for anything else. */
export function dayOf(value: string): string | null {
  const found = DATE.exec(value.normalize('NFKC'));
  if (!found) return null;
  const [, year = '', month = '1', day = '1'] = found;
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(text) ? text : null;
}

/** A comparison with a score; without a sign, with exactly this one. Null for anything else. */
export function scoreOf(value: string): { comparison: Comparison; score: number } | null {
  const found = SCORE.exec(value.normalize('NFKC'));
  if (!found) return null;
  const [, sign = '=', score] = found;
  return { comparison: COMPARISONS[sign] ?? (sign as Comparison), score: Number(score) };
}

/**
 * The interface's names of the categories, in each language. Repeated here so that searches don't load the catalogue of
 * messages; a test compares the two.
 */
export const CATEGORY_NAMES: Readonly<Record<(typeof KNOWN_CATEGORIES)[number], readonly string[]>> = {
  'ai-models': ['Models', '模型'],
  'ai-products': ['Products', '产品'],
  industry: ['Industry', '行业'],
  paper: ['Papers', '论文'],
  tip: ['Tips', '技巧'],
  opinion: ['Opinion', '观点'],
};

/** The service's name of a category, which may be given as the interface shows it, in any of its languages. */
export function categoryOf(value: string): string {
  const key = nameKey(value);
  return KNOWN_CATEGORIES.find((name) => [name, ...CATEGORY_NAMES[name]].some((one) => nameKey(one) === key)) ?? value;
}

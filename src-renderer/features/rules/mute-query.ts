import { operatorText, parseQuery, QUOTES } from '../../../src-main/common/query.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';

/** Longest name of a source, in UTF-16 units: queries have a maximum length. */
const LONGEST_SOURCE = 300;

const QUOTED = new RegExp(`[${QUOTES}]`, 'u');
const BREAKS = new RegExp(`[\\s,;，。、；！？（）()${QUOTES}]+`, 'u');

/**
 * Returns the query that mutes a source by its name as rows show it. A name with quotes can't be quoted in the query
 * language: the query then has its words one by one.
 */
export function muteOfSource(whole: string): string {
  const name = sourceLabel(whole, LONGEST_SOURCE);
  if (!QUOTED.test(name)) return `source:"${name.trim()}"`;
  const words = name.split(BREAKS).filter((word) => word !== '');
  return words.map((word) => `source:${word}`).join(' ');
}

export function muteOfCategory(category: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(category) ? `category:${category}` : `category:"${category}"`;
}

/**
 * Returns the query to save for a search: the text with the filters of its list except for the time window, which has
 * no operator that stays true. The filters precede each alternative, so that an unclosed quote can't take them in.
 */
export function savedQueryOf({ text = '', scope, state, category, source }: ItemsQuery): string {
  const filters = [
    ...(scope === 'selected' ? ['is:selected'] : []),
    ...(state === 'any' ? [] : [`is:${state}`]),
    ...(category === undefined ? [] : [operatorText('category', category).trim()]),
    ...(source === undefined ? [] : [muteOfSource(source)]),
  ];
  if (filters.length === 0) return text;
  const alternatives = parseQuery(text).alternatives.map((terms) =>
    text.slice(terms[0]?.from ?? 0, terms.at(-1)?.to ?? text.length),
  );
  return alternatives.map((part) => [...filters, part].join(' ')).join(' OR ');
}

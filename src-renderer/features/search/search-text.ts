import { parseQuery } from '../../../src-main/common/query.ts';
import type { OnlineSearch } from '../../../src-main/contract/model/item.ts';
import { termName } from '../../ui/text/query-name.ts';

/** A part of a query that can be removed. */
export interface QueryChip {
  name: string;
  /** As it was typed. */
  text: string;
  /** True if it is what to find, and no more. */
  word: boolean;
  /** True if it begins another alternative, after `OR`. */
  or: boolean;
  /** The query without this part. */
  without: string;
}

export function chipsOf(text: string): QueryChip[] {
  return parseQuery(text).alternatives.flatMap((terms, alternative) =>
    terms.map((term, at) => ({
      name: termName(term, text),
      text: text.slice(term.from, term.to),
      word: term.kind === 'words' && !term.negated,
      or: alternative > 0 && at === 0,
      without: tidy(`${text.slice(0, term.from)} ${text.slice(term.to)}`),
    })),
  );
}

/** Removes the rest of an alternative that is gone. */
function tidy(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/\bOR(?: OR)+\b/gu, 'OR')
    .replace(/^ ?(?:OR )+|(?: OR)+ ?$/gu, '')
    .replace(/^ ?OR ?$/u, '')
    .trim();
}

/** Returns a search with another text; an empty one is left out. */
export function withText({ q: _, ...rest }: OnlineSearch, text: string): OnlineSearch {
  return text.trim() === '' ? rest : { ...rest, q: text.trim() };
}

/** Null for all categories. */
export function withCategory({ category: _, ...rest }: OnlineSearch, category: string | null): OnlineSearch {
  return category === null ? rest : { ...rest, category };
}

/** Returns true if the service accepts a text: none, or 2 to 200 code points (document 1 section 4.1). */
export function isValidText(text: string): boolean {
  const length = Array.from(text.trim()).length;
  return length === 0 || (length >= 2 && length <= 200);
}

/** Most entries of the recent searches, and the longest entry in UTF-16 units. The contract refuses more. */
const MAX_RECENT = 10;
const MAX_RECENT_LENGTH = 200;

/** Adds a search in front of the recent ones. Drops one that is too long to be shown. */
export function withSearch(recent: readonly string[], text: string): string[] {
  const wanted = text.trim().replace(/\s+/gu, ' ');
  if (wanted === '' || wanted.length > MAX_RECENT_LENGTH) return [...recent];
  return [wanted, ...recent.filter((other) => other !== wanted)].slice(0, MAX_RECENT);
}

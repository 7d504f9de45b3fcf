/**
 * A query (common/query) in the form in which it is compared: words as tokens of the index, days as places in time, names
 * folded. The list (lists/list-filter.ts) and a single item (item-matcher.ts) are compared with the same parts.
 *
 * Parts without a letter or digit are ignored. A query that only excludes words finds nothing, but one that only excludes
 * a source does. FTS5 gets quoted tokens of letters and digits only.
 */
import { type OperatorTerm, type ParsedQuery, parseQuery, type QueryTerm } from '../../common/query.ts';
import { startOfDay } from '../../common/time.ts';
import { keyAt } from '../items/time-key.ts';
import { isIdeograph, tokensOf } from './search-text.ts';
import { wantedSource, type WantedSource } from './source-names.ts';

/** Tokens in a row. With `prefix`, the last one may be the start of a longer word. */
export interface Phrase {
  tokens: string[];
  prefix: boolean;
}

/** A property that an item must have, or must not have. */
export type Condition = { negated: boolean } & (
  | Extract<OperatorTerm, { kind: 'category' | 'is' | 'has' | 'score' }>
  | { kind: 'source'; source: WantedSource }
  /** Before this place in time (time-key.ts), or from it on. */
  | { kind: 'before' | 'after'; key: number; day: string }
);

/** All of these must hold. */
export interface Alternative {
  wanted: Phrase[];
  excluded: Phrase[];
  conditions: Condition[];
}

export interface ParsedSearch {
  /** Whether the text is only white space: then there is no search, and the list is shown unfiltered. */
  blank: boolean;
  /** At least one must match; without any, nothing is found. */
  alternatives: Alternative[];
  /** A safe FTS5 MATCH expression for all of it; null if the index alone cannot answer, or nothing is found. */
  match: string | null;
}

/** Far above what people type. The rest is ignored, so that the cost of a query is bounded. */
const MAX_TOKENS = 128;

/** Parses the text of the search box. Never throws. */
export function parseSearch(text: string): ParsedSearch {
  return compileQuery(parseQuery(text));
}

export function compileQuery({ blank, alternatives: parsed }: ParsedQuery): ParsedSearch {
  let tokensLeft = MAX_TOKENS;
  const phraseOf = (term: Extract<QueryTerm, { kind: 'words' }>): Phrase | null => {
    const tokens = tokensOf(term.text);
    if (tokens.length === 0 || tokensLeft === 0) return null;
    const kept = tokens.slice(0, tokensLeft);
    tokensLeft -= kept.length;
    return { tokens: kept, prefix: kept.length === tokens.length && isPrefix(tokens, term) };
  };
  const alternatives = parsed
    .map((terms) => {
      const alternative: Alternative = { wanted: [], excluded: [], conditions: [] };
      for (const term of terms) {
        if (term.kind === 'words') {
          const phrase = phraseOf(term);
          if (phrase) (term.negated ? alternative.excluded : alternative.wanted).push(phrase);
        } else alternative.conditions.push(conditionOf(term));
      }
      return alternative;
    })
    .filter(({ wanted, conditions }) => wanted.length > 0 || conditions.length > 0);
  return { blank, alternatives, match: wholeMatch(alternatives) };
}

/** The phrases that are marked in the texts of a result. */
export function phrasesOf({ alternatives }: ParsedSearch): Phrase[] {
  return alternatives.flatMap(({ wanted }) => wanted);
}

/** A safe FTS5 MATCH expression for the words of an alternative; null if it wants none. */
export function matchOf({ wanted, excluded }: Alternative): string | null {
  if (wanted.length === 0) return null;
  const all = wanted.map((phrase) => `(${quote(phrase)})`).join(' AND ');
  return excluded.length === 0 ? all : `(${all}) NOT (${anyOf(excluded)})`;
}

/** A MATCH expression for what contains one of these phrases. */
export function anyOf(phrases: readonly Phrase[]): string {
  return phrases.map(quote).join(' OR ');
}

/** Whether a word of it is the beginning of others. */
export function hasPrefix({ wanted, excluded }: Alternative): boolean {
  return [...wanted, ...excluded].some(({ prefix }) => prefix);
}

function conditionOf(term: Exclude<QueryTerm, { kind: 'words' }>): Condition {
  const { negated } = term;
  switch (term.kind) {
    case 'source':
      return { negated, kind: 'source', source: wantedSource(term) };
    case 'before':
    case 'after':
      return { negated, kind: term.kind, key: keyAt(startOfDay(term.day)), day: term.day };
    default:
      return term;
  }
}

function isPrefix(tokens: string[], { starred, open }: { starred: boolean; open: boolean }): boolean {
  const last = tokens.at(-1) ?? '';
  if (isIdeograph(last)) return false;
  return starred || (open && /^\p{L}[^]/u.test(last));
}

function wholeMatch(alternatives: Alternative[]): string | null {
  if (alternatives.some(({ conditions }) => conditions.length > 0)) return null;
  const [first, ...others] = alternatives;
  if (!first) return null;
  return others.length === 0 ? matchOf(first) : alternatives.map((one) => `(${matchOf(one) ?? ''})`).join(' OR ');
}

/** Tokens contain only letters and digits, so there are no quotes to escape. */
function quote({ tokens, prefix }: Phrase): string {
  return `"${tokens.join(' ')}"${prefix ? '*' : ''}`;
}

/**
 * A query in the form in which it is compared with the list and with a single item: words as tokens of the index, days as
 * keys, names folded. A query that only excludes words finds nothing, but one that only excludes a source does.
 */
import { type OperatorTerm, type ParsedQuery, parseQuery, type QueryTerm } from '../../common/query.ts';
import { sourceKey } from '../../common/source-label.ts';
import { startOfDay } from '../../common/time.ts';
import { keyAt } from '../items/time-key.ts';
import type { SearchableItem } from './search-index.ts';
import { indexFields, indexText, isIdeograph, tokensOf } from './search-text.ts';

/** Tokens in a row. With `prefix`, the last one may be the start of a longer word. */
export interface Phrase {
  tokens: string[];
  prefix: boolean;
}

export interface WantedSource {
  /** The key of just this one; null if words of it are enough. */
  whole: string | null;
  words: string;
  prefix: boolean;
}

export type Condition = { negated: boolean } & (
  | Extract<OperatorTerm, { kind: 'category' | 'is' | 'has' | 'score' }>
  | { kind: 'source'; source: WantedSource }
  /** `ago`, in ms, is set if the key depends on the time of reading. */
  | { kind: 'before' | 'after'; key: number; ago?: number }
);

export interface Alternative {
  wanted: Phrase[];
  excluded: Phrase[];
  conditions: Condition[];
}

export interface ParsedSearch {
  /** The list is shown unfiltered. */
  blank: boolean;
  alternatives: Alternative[];
  /** An FTS5 expression for all of it; null if the index alone can't decide, or nothing is found. */
  match: string | null;
}

export interface ItemFacts {
  text: string;
  key: number;
  /** The end of a period, such as a week. */
  endKey?: number;
  sourceName: string | null;
  otherSources?: readonly string[];
  category: string | null;
  score: number | null;
  unread: boolean;
  starred: boolean;
  selected: boolean;
  withdrawn: boolean;
  muted: boolean;
  hasStory: boolean;
  hasNote: boolean;
}

/** Far above what people type. The rest is ignored, which bounds the cost of a query. */
const MAX_TOKENS = 128;
/** More than a news service has sources; bounds the memory. */
const MAX_KNOWN = 20_000;

/** `now` in ms since 1970. */
export function parseSearch(text: string, now: number): ParsedSearch {
  return compileQuery(parseQuery(text), now);
}

export function compileQuery({ blank, alternatives: parsed }: ParsedQuery, now: number): ParsedSearch {
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
        } else alternative.conditions.push(conditionOf(term, now));
      }
      return alternative;
    })
    .filter(({ wanted, conditions }) => wanted.length > 0 || conditions.length > 0);
  return { blank, alternatives, match: wholeMatch(alternatives) };
}

export function phrasesOf({ alternatives }: ParsedSearch): Phrase[] {
  return alternatives.flatMap(({ wanted }) => wanted);
}

/** Returns an FTS5 MATCH expression; null without wanted words. */
export function matchOf({ wanted, excluded }: Alternative): string | null {
  if (wanted.length === 0) return null;
  const all = wanted.map((phrase) => `(${quote(phrase)})`).join(' AND ');
  return excluded.length === 0 ? all : `(${all}) NOT (${anyOf(excluded)})`;
}

export function anyOf(phrases: readonly Phrase[]): string {
  return phrases.map(quote).join(' OR ');
}

export function hasPrefix({ wanted, excluded }: Alternative): boolean {
  return [...wanted, ...excluded].some(({ prefix }) => prefix);
}

export function isSource({ whole, words, prefix }: WantedSource, key: string): boolean {
  if (key === '') return false;
  if (whole !== null) return key === whole;
  return foldedKey(key).includes(prefix ? words : `${words} `);
}

/** Memoized, because a query needs it once for each document. */
const keyOfSource = memoize((name) => sourceKey(name));

const foldedKey = memoize((key) => ` ${indexText(key)} `);

function conditionOf(term: Exclude<QueryTerm, { kind: 'words' }>, now: number): Condition {
  const { negated } = term;
  switch (term.kind) {
    case 'source':
      return { negated, kind: 'source', source: wantedSource(term) };
    case 'before':
    case 'after':
      return 'day' in term
        ? { negated, kind: term.kind, key: keyAt(startOfDay(term.day)) }
        : { negated, kind: term.kind, key: keyAt(now - term.ago), ago: term.ago };
    default:
      return term;
  }
}

/** `open`: the last word is being typed. */
function wantedSource({ text, whole, open }: { text: string; whole: boolean; open: boolean }): WantedSource {
  const words = indexText(text);
  const last = words.slice(words.lastIndexOf(' ') + 1);
  const isWhole = whole || words === '';
  const prefix = (open || /[*＊]$/u.test(text)) && last.length > 1 && !isIdeograph(last);
  return { whole: isWhole ? sourceKey(text) : null, words: ` ${words}`, prefix };
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

export function searchedText(item: Omit<SearchableItem, 'key'>): string {
  return searchedFields([item.title, item.originalTitle, item.summary, item.sourceName, item.reason]);
}

/** Returns texts as the index has them. No phrase spans two of them. */
export function searchedFields(texts: readonly (string | null)[]): string {
  return ` ${indexFields(texts)} `;
}

export function matchesAlternative({ wanted, excluded, conditions }: Alternative, facts: ItemFacts): boolean {
  return (
    // The cheapest first.
    meetsAll(conditions, facts) &&
    wanted.every((phrase) => contains(facts.text, phrase)) &&
    !excluded.some((phrase) => contains(facts.text, phrase))
  );
}

export function meetsAll(conditions: readonly Condition[], facts: Omit<ItemFacts, 'text'>): boolean {
  return conditions.every((condition) => holds(condition, facts) !== condition.negated);
}

function contains(text: string, { tokens, prefix }: Phrase): boolean {
  return text.includes(` ${tokens.join(' ')}${prefix ? '' : ' '}`);
}

function holds(condition: Condition, facts: Omit<ItemFacts, 'text'>): boolean {
  switch (condition.kind) {
    case 'source':
      return (
        isNamed(condition.source, facts.sourceName) ||
        (facts.otherSources?.some((name) => isNamed(condition.source, name)) ?? false)
      );
    case 'category':
      return facts.category === condition.category;
    case 'is':
      return condition.state === 'read' ? !facts.unread : facts[condition.state];
    case 'has':
      return condition.part === 'story' ? facts.hasStory : facts.hasNote;
    case 'before':
      return facts.key < condition.key;
    case 'after':
      return (facts.endKey ?? facts.key) >= condition.key;
    case 'score':
      return facts.score !== null && compare(facts.score, condition);
  }
}

function isNamed(wanted: WantedSource, name: string | null): boolean {
  return name !== null && isSource(wanted, keyOfSource(name));
}

function compare(score: number, { comparison, score: wanted }: Extract<Condition, { kind: 'score' }>): boolean {
  switch (comparison) {
    case '>':
      return score > wanted;
    case '>=':
      return score >= wanted;
    case '<':
      return score < wanted;
    case '<=':
      return score <= wanted;
    case '=':
      return score === wanted;
  }
}

function memoize(make: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let made = known.get(text);
    if (made !== undefined) return made;
    made = make(text);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, made);
    return made;
  };
}

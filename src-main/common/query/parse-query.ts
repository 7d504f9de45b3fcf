/**
 * The query language (docs/decisions/080), made for people: nothing is a syntax error. What is not understood is searched
 * as words, and named in `problems`.
 *
 * - all words must match; `"a phrase"` matches its words in a row, and so does a run like `gpt-5` or `推理模型`;
 * - `-word`, `-"a phrase"` and `-source:name` exclude;
 * - `word*` and `"a phr"*` also match longer words, and so does the last word while it is being typed;
 * - `source:`, `category:`, `is:`, `has:`, `before:`, `after:` and `score:` ask for a property;
 * - `a b OR c` matches what has both of the first two, or the third.
 *
 * Input methods mix widths freely, so quotes, colons and the minus may be those of either script.
 */
import type { QueryProblem, QueryProblemCode } from '../../contract/model/search.ts';
import {
  MOST_QUERY_TERMS,
  MOST_QUERY_UNITS,
  QUERY_OPERATORS,
  QUERY_PARTS,
  QUERY_STATES,
  type OperatorTerm,
  type ParsedQuery,
  type QueryOperator,
  type QueryTerm,
  type WordsTerm,
} from './query.ts';
import { categoryOf, dayOf, scoreOf } from './values.ts';

/** Any of these opens or closes a phrase. */
export const QUOTES = '"“”„‟«»「」『』＂〝〞〟';
/** Separators in either script, which would otherwise join two words into a phrase. */
const BREAKS = String.raw`\s,;!?()\[\]{}<>|，。、；：！？（）【】《》〈〉［］｛｝｜…—`;
/** Characters that end a value without quotes. */
const VALUE_ENDS = String.raw`\s,;，。、；！？（）()`;
const MINUS = '-－−';
const LEXEME = new RegExp(
  [
    `(?<minus>[${MINUS}]?)(?<operator>${QUERY_OPERATORS.join('|')})[:：](?:[${QUOTES}](?<quotedValue>[^${QUOTES}]*)(?<closed>[${QUOTES}]?)|(?<value>[^${QUOTES}${VALUE_ENDS}]*))`,
    `(?<sign>[${MINUS}]?)[${QUOTES}](?<quoted>[^${QUOTES}]*)[${QUOTES}]?(?<star>[*＊]?)`,
    `[^${QUOTES}${BREAKS}]+`,
  ].join('|'),
  'giu',
);
/** Two hyphens don't exclude: people search for command line options. */
const EXCLUDED = new RegExp(`^[${MINUS}](?![${MINUS}])`, 'u');
const HAS_WORD = /[\p{L}\p{N}]/u;
/** Parts that a problem names are cut to this, in UTF-16 units. */
const LONGEST_NAMED = 40;
const ENDS_OPEN = new RegExp(`[^${QUOTES}\\s]$`, 'u');
/** Something that looks like an operator. An address does not, nor does a time of day. */
const LOOKS_LIKE_OPERATOR = new RegExp(`^[${MINUS}]?[a-z]{2,20}:(?!/)[^:]`, 'iu');

interface Lexeme {
  text: string;
  from: number;
  to: number;
  /** Nothing but white space follows. */
  last: boolean;
  /** The text ends in it, unquoted. */
  open: boolean;
  groups: Partial<
    Record<'minus' | 'operator' | 'quotedValue' | 'closed' | 'value' | 'sign' | 'quoted' | 'star', string>
  >;
}

interface Read {
  term: QueryTerm | null;
  problem?: QueryProblemCode;
}

/** Parses the text of a search box. Never throws; the work is bounded whatever the text is. */
export function parseQuery(text: string): ParsedQuery {
  const problems: QueryProblem[] = [];
  const alternatives: QueryTerm[][] = [[]];
  let terms = 0;
  const tooLong = (from: number): void => {
    problems.push({ code: 'too_long', text: text.slice(from, from + LONGEST_NAMED), from, to: text.length });
  };
  for (const lexeme of lexemesOf(text.slice(0, MOST_QUERY_UNITS))) {
    if (lexeme.text === 'OR') {
      alternatives.push([]);
      continue;
    }
    const { term, problem } = read(lexeme);
    const { from, to } = lexeme;
    if (terms === MOST_QUERY_TERMS) {
      tooLong(from);
      break;
    }
    if (problem) problems.push({ code: problem, text: lexeme.text, from, to });
    if (!term) continue;
    alternatives.at(-1)?.push(term);
    terms += 1;
  }
  if (text.length > MOST_QUERY_UNITS && terms < MOST_QUERY_TERMS) tooLong(MOST_QUERY_UNITS);
  const asked = alternatives.filter(({ length }) => length > 0);
  problems.push(...asked.filter(onlyExcludes).map((some) => excludedOnly(some, text)));
  return { blank: text.trim() === '', alternatives: asked, problems };
}

/** Checks that an alternative only excludes. A term without letters and digits is not a word. */
function onlyExcludes(terms: readonly QueryTerm[]): boolean {
  const asked = terms.filter((term) => term.kind !== 'words' || HAS_WORD.test(term.text));
  return asked.length > 0 && asked.every(({ kind, negated }) => kind === 'words' && negated);
}

function excludedOnly(terms: readonly QueryTerm[], whole: string): QueryProblem {
  const [from, to] = [terms[0]?.from ?? 0, terms.at(-1)?.to ?? 0];
  return { code: 'only_excludes', text: whole.slice(from, Math.min(to, from + LONGEST_NAMED)), from, to };
}

function lexemesOf(text: string): Lexeme[] {
  const end = text.trimEnd().length;
  return Array.from(text.matchAll(LEXEME), (match) => {
    const to = match.index + match[0].length;
    const open = to === text.length && ENDS_OPEN.test(text);
    return { text: match[0], from: match.index, to, last: to >= end, open, groups: match.groups ?? {} };
  });
}

function read(lexeme: Lexeme): Read {
  const { groups } = lexeme;
  if (groups.operator !== undefined) return readOperator(lexeme, groups.operator.toLowerCase() as QueryOperator);
  return { term: words(lexeme), ...(looksLikeOperator(lexeme) && { problem: 'unknown_operator' as const }) };
}

function looksLikeOperator({ text, groups }: Lexeme): boolean {
  return groups.quoted === undefined && LOOKS_LIKE_OPERATOR.test(text);
}

function readOperator(lexeme: Lexeme, operator: QueryOperator): Read {
  const { quotedValue, value = '', minus } = lexeme.groups;
  const given = (quotedValue ?? value).trim();
  // An operator that is still being typed finds nothing of its own.
  if (given === '') return { term: lexeme.last ? null : words(lexeme), problem: 'missing_value' };
  const made = operatorTerm(operator, given, lexeme);
  if (typeof made === 'string') return { term: words(lexeme), problem: made };
  return { term: { ...made, negated: minus !== '', from: lexeme.from, to: lexeme.to } };
}

function operatorTerm(operator: QueryOperator, value: string, lexeme: Lexeme): OperatorTerm | QueryProblemCode {
  const lower = value.toLowerCase();
  switch (operator) {
    case 'source': {
      const whole = lexeme.groups.quotedValue !== undefined;
      return { kind: 'source', text: value, whole, open: lexeme.open && !whole };
    }
    case 'category':
      return { kind: 'category', category: categoryOf(value) };
    case 'is': {
      const state = QUERY_STATES.find((one) => one === lower);
      return state ? { kind: 'is', state } : 'unknown_value';
    }
    case 'has': {
      const part = QUERY_PARTS.find((one) => one === lower);
      return part ? { kind: 'has', part } : 'unknown_value';
    }
    case 'before':
    case 'after': {
      const day = dayOf(value);
      return day === null ? 'invalid_date' : { kind: operator, day };
    }
    case 'score': {
      const score = scoreOf(value);
      return score ? { kind: 'score', ...score } : 'invalid_score';
    }
  }
}

/** The words of a lexeme, also of an operator that is none. */
function words({ text, from, to, open, groups }: Lexeme): QueryTerm {
  const { sign, quoted, star } = groups;
  const made = (negated: boolean, rest: Omit<WordsTerm, 'kind'>): QueryTerm => ({
    kind: 'words',
    negated,
    ...rest,
    from,
    to,
  });
  if (quoted !== undefined)
    return made(sign !== '', { text: quoted, starred: star !== '', open: open && sign === '' && star === '' });
  const negated = EXCLUDED.test(text);
  const bare = negated ? text.slice(1) : text;
  const starred = /[*＊]$/u.test(bare);
  return made(negated, { text: bare, starred, open: open && !negated });
}

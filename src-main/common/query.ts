/**
 * The query language (docs/decisions/008). Nothing is a syntax error: parts that are not understood are searched as
 * words and named in `problems`. Input methods mix widths, so quotes, colons and the minus may be of either script.
 */
import { KNOWN_CATEGORIES } from '../contract/model/item.ts';
import type { QueryProblem, QueryProblemCode, SearchSuggestion, TextPlace } from '../contract/model/search.ts';
import { nameKey } from './text.ts';
import { DAY, HOUR, isDay } from './time.ts';

/** One alternative must match, with every term. No alternative is empty. */
export interface ParsedQuery {
  blank: boolean;
  alternatives: QueryTerm[][];
  problems: QueryProblem[];
}

export type QueryTerm = TextPlace & { negated: boolean } & (WordsTerm | OperatorTerm);

/** Words in a row, which store/search/search-text.ts separates. */
interface WordsTerm {
  kind: 'words';
  text: string;
  /** A star follows: the last word may be the beginning of a longer one. */
  starred: boolean;
  /** The last word may still be being typed. */
  open: boolean;
}

export const QUERY_STATES = ['unread', 'read', 'starred', 'selected', 'withdrawn', 'muted'] as const;
export type QueryState = (typeof QUERY_STATES)[number];
export const QUERY_PARTS = ['story', 'note'] as const;
export type QueryPart = (typeof QUERY_PARTS)[number];
/** Offered after `after:`; any number of hours and days is understood. */
const QUERY_TIMES = ['24h', '7d', '30d'] as const;
export type Comparison = '>' | '>=' | '<' | '<=' | '=';

export type OperatorTerm =
  /** `whole`: all of a source's name, not words in it. */
  | { kind: 'source'; text: string; whole: boolean; open: boolean }
  | { kind: 'category'; category: string }
  | { kind: 'is'; state: QueryState }
  | { kind: 'has'; part: QueryPart }
  | { kind: 'before' | 'after'; day: string }
  /** `ago` in ms: so long before the time of reading. */
  | { kind: 'before' | 'after'; ago: number }
  | { kind: 'score'; comparison: Comparison; score: number };

export const QUERY_OPERATORS = ['source', 'category', 'is', 'has', 'before', 'after', 'score'] as const;
export type QueryOperator = (typeof QUERY_OPERATORS)[number];

/** Other names of operators and of their values, which mean the same. */
const CHINESE: Readonly<Record<string, QueryOperator | QueryState | QueryPart>> = {
  ...{ 来源: 'source', 分类: 'category', 状态: 'is', 含有: 'has', 早于: 'before', 晚于: 'after', 评分: 'score' },
  ...{ 未读: 'unread', 已读: 'read', 星标: 'starred', 精选: 'selected', 已撤回: 'withdrawn', 已屏蔽: 'muted' },
  ...{ 事件: 'story', 笔记: 'note' },
};
const OPERATOR_NAMES = [...QUERY_OPERATORS, ...Object.keys(CHINESE)]
  .filter((name) => isOperator(named(name)))
  .join('|');

function named(word: string): string {
  return CHINESE[word] ?? word.toLowerCase();
}

function isOperator(name: string): name is QueryOperator {
  return QUERY_OPERATORS.some((one) => one === name);
}

const MOST_QUERY_UNITS = 1_000;
export const MOST_QUERY_TERMS = 32;

export const QUOTES = '"“”„‟«»「」『』＂〝〞〟';
const BREAKS = String.raw`\s,;!?()\[\]{}<>|，。、；：！？（）【】《》〈〉［］｛｝｜…—`;
const VALUE_ENDS = String.raw`\s,;，。、；！？（）()`;
const MINUS = '-－−';
const LEXEME = new RegExp(
  [
    `(?<minus>[${MINUS}]?)(?<operator>${OPERATOR_NAMES})[:：](?:[${QUOTES}](?<quotedValue>[^${QUOTES}]*)[${QUOTES}]?|(?<value>[^${QUOTES}${VALUE_ENDS}]*))`,
    `(?<sign>[${MINUS}]?)[${QUOTES}](?<quoted>[^${QUOTES}]*)[${QUOTES}]?(?<star>[*＊]?)`,
    `[^${QUOTES}${BREAKS}]+`,
  ].join('|'),
  'giu',
);
/** Two hyphens don't exclude: people search for command line options. */
const EXCLUDED = new RegExp(`^[${MINUS}](?![${MINUS}])`, 'u');
const HAS_WORD = /[\p{L}\p{N}]/u;
const LONGEST_NAMED = 40;
const ENDS_OPEN = new RegExp(`[^${QUOTES}\\s]$`, 'u');
/** Not addresses or times of day. */
const LOOKS_LIKE_OPERATOR = new RegExp(`^[${MINUS}]?[a-z]{2,20}:(?!/)[^:]`, 'iu');

interface Lexeme {
  text: string;
  from: number;
  to: number;
  last: boolean;
  open: boolean;
  groups: Partial<Record<'minus' | 'operator' | 'quotedValue' | 'value' | 'sign' | 'quoted' | 'star', string>>;
}

interface Read {
  term: QueryTerm | null;
  problem?: QueryProblemCode;
}

/** Puts operators before each alternative of a text, so that an unclosed quote can't take them in. */
export function precedeEach(text: string, operators: readonly string[]): string {
  if (operators.length === 0) return text;
  const alternatives = parseQuery(text).alternatives.map((terms) =>
    text.slice(terms[0]?.from ?? 0, terms.at(-1)?.to ?? text.length),
  );
  if (alternatives.length === 0) return operators.join(' ');
  return alternatives.map((part) => [...operators, part].join(' ')).join(' OR ');
}

/** Never throws; the work is bounded for any text. */
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
  problems.push(...asked.filter(onlyExcludes).map((some) => excludedProblem(some, text)));
  return { blank: text.trim() === '', alternatives: asked, problems };
}

function onlyExcludes(terms: readonly QueryTerm[]): boolean {
  const asked = terms.filter((term) => term.kind !== 'words' || HAS_WORD.test(term.text));
  return asked.length > 0 && asked.every(({ kind, negated }) => kind === 'words' && negated);
}

function excludedProblem(terms: readonly QueryTerm[], whole: string): QueryProblem {
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
  const operator = named(groups.operator ?? '');
  if (isOperator(operator)) return readOperator(lexeme, operator);
  return { term: words(lexeme), ...(looksLikeOperator(lexeme) && { problem: 'unknown_operator' as const }) };
}

function looksLikeOperator({ text, groups }: Lexeme): boolean {
  return groups.quoted === undefined && LOOKS_LIKE_OPERATOR.test(text);
}

function readOperator(lexeme: Lexeme, operator: QueryOperator): Read {
  const { quotedValue, value = '', minus } = lexeme.groups;
  const given = (quotedValue ?? value).trim();
  // An operator that is still being typed finds nothing by itself.
  if (given === '') return { term: lexeme.last ? null : words(lexeme), problem: 'missing_value' };
  const makeTerm = operatorTerm(operator, given, lexeme);
  if (typeof makeTerm === 'string') return { term: words(lexeme), problem: makeTerm };
  return { term: { ...makeTerm, negated: minus !== '', from: lexeme.from, to: lexeme.to } };
}

function operatorTerm(operator: QueryOperator, value: string, lexeme: Lexeme): OperatorTerm | QueryProblemCode {
  const word = named(value);
  switch (operator) {
    case 'source': {
      const whole = lexeme.groups.quotedValue !== undefined;
      return { kind: 'source', text: value, whole, open: lexeme.open && !whole };
    }
    case 'category':
      return { kind: 'category', category: categoryOf(value) };
    case 'is': {
      const state = QUERY_STATES.find((one) => one === word);
      return state ? { kind: 'is', state } : 'unknown_value';
    }
    case 'has': {
      const part = QUERY_PARTS.find((one) => one === word);
      return part ? { kind: 'has', part } : 'unknown_value';
    }
    case 'before':
    case 'after': {
      const ago = agoOf(value);
      if (ago !== null) return { kind: operator, ago };
      const day = dayOf(value);
      return day === null ? 'invalid_date' : { kind: operator, day };
    }
    case 'score': {
      const score = scoreOf(value);
      return score ? { kind: 'score', ...score } : 'invalid_score';
    }
  }
}

function words({ text, from, to, open, groups }: Lexeme): QueryTerm {
  const { sign, quoted, star } = groups;
  const term = { kind: 'words', from, to } as const;
  if (quoted !== undefined) {
    const [negated, starred] = [sign !== '', star !== ''];
    return { ...term, negated, text: quoted, starred, open: open && !negated && !starred };
  }
  const negated = EXCLUDED.test(text);
  const bare = negated ? text.slice(1) : text;
  return { ...term, negated, text: bare, starred: /[*＊]$/u.test(bare), open: open && !negated };
}

const DATE = /^(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?|年)?$/;
const AGO = /^(\d{1,3})(?:(h|小时)|d|天)$/i;
const SCORE = /^(>=|<=|=>|=<|[<>=≥≤])?(\d{1,3}(?:\.\d{1,6})?)$/;
const COMPARISONS: Readonly<Record<string, Comparison>> = { '=>': '>=', '≥': '>=', '=<': '<=', '≤': '<=' };

export function dayOf(value: string): string | null {
  const found = DATE.exec(value.normalize('NFKC'));
  if (!found) return null;
  const [, year = '', month = '1', day = '1'] = found;
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(text) ? text : null;
}

function agoOf(value: string): number | null {
  const found = AGO.exec(value.normalize('NFKC'));
  if (!found) return null;
  const [, count = '', hours] = found;
  return Number(count) * (hours === undefined ? DAY : HOUR);
}

function scoreOf(value: string): { comparison: Comparison; score: number } | null {
  const found = SCORE.exec(value.normalize('NFKC'));
  if (!found) return null;
  const [, sign = '=', score] = found;
  return { comparison: COMPARISONS[sign] ?? (sign as Comparison), score: Number(score) };
}

/** Category names in each language, repeated so that searches don't load the messages; a test compares the two. */
export const CATEGORY_NAMES: Readonly<Record<(typeof KNOWN_CATEGORIES)[number], readonly string[]>> = {
  'ai-models': ['Models', '模型'],
  'ai-products': ['Products', '产品'],
  industry: ['Industry', '行业'],
  paper: ['Papers', '论文'],
  tip: ['Tips', '技巧'],
  opinion: ['Opinion', '观点'],
};

/** Accepts the interface's names in any language. */
export function categoryOf(value: string): string {
  const key = nameKey(value);
  return KNOWN_CATEGORIES.find((name) => [name, ...CATEGORY_NAMES[name]].some((one) => nameKey(one) === key)) ?? value;
}

/** Text before the cursor: the start of an operator, or of its value. A minus is before it. */
export interface Begun {
  from: number;
  to: number;
  operator: QueryOperator | null;
  value: string;
}

const OPERATOR_BEGUN = new RegExp(
  `(?:^|[\\s${QUOTES}])[-－−]?((${OPERATOR_NAMES})[:：](?:[${QUOTES}]([^${QUOTES}]*)|([^\\s${QUOTES}]*)))$`,
  'iu',
);
const WORD_BEGUN = new RegExp(`(?:^|[\\s${QUOTES}])[-－−]?([^\\s${QUOTES}]*)$`, 'u');

export function operatorAt(text: string, at: number): Begun | null {
  const before = text.slice(0, at);
  const to = before.length;
  const value = OPERATOR_BEGUN.exec(before);
  if (value) {
    const [, all = '', name = '', quoted, bare = ''] = value;
    const operator = named(name);
    return { from: to - all.length, to, operator: isOperator(operator) ? operator : null, value: quoted ?? bare };
  }
  const word = WORD_BEGUN.exec(before)?.[1];
  return word === undefined ? null : { from: to - word.length, to, operator: null, value: word };
}

export function fixedSuggestions({ from, to, operator, value }: Begun): SearchSuggestion[] {
  const begun = value.toLowerCase();
  if (operator === null) {
    const names = QUERY_OPERATORS.filter((name) => name.startsWith(begun)).map((name) => `${name}:`);
    return names.map((name) => ({ insert: name, from, to, label: name }));
  }
  return valuesOf(operator)
    .filter((one) => one.startsWith(begun))
    .map((one) => ({ insert: `${operator}:${one} `, from, to, label: one }));
}

function valuesOf(operator: QueryOperator): readonly string[] {
  if (operator === 'is') return QUERY_STATES;
  if (operator === 'has') return QUERY_PARTS;
  return operator === 'after' ? QUERY_TIMES : [];
}

/** Quotes the value where needed or with `whole`. */
export function operatorText(operator: QueryOperator, value: string, whole = false): string {
  const bare = value.replaceAll(new RegExp(`[${QUOTES}]`, 'gu'), ' ').trim();
  return whole || !/^[\p{L}\p{N}_-]+$/u.test(bare) ? `${operator}:"${bare}" ` : `${operator}:${bare} `;
}

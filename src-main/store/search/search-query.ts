/**
 * The query language (contract, `ItemsQuery.text`), made for people rather than for SQLite:
 *
 * - all words must match; `"a phrase"` matches its words in a row, and so does a run like `gpt-5` or `推理模型`;
 * - `-word` and `-"a phrase"` exclude; a query with exclusions only finds nothing;
 * - `word*` and `"a phr"*` also match longer words, and so does the last word while it is being typed;
 * - `a OR b` matches either of the two.
 *
 * There are no syntax errors: meaningless parts are ignored, and FTS5 only gets quoted tokens.
 */
import { isIdeograph, tokensOf } from './search-text.ts';

/** Tokens in a row. With `prefix`, the last one may be the start of a longer word. */
export interface Phrase {
  tokens: string[];
  prefix: boolean;
}

export interface ParsedSearch {
  /** A safe FTS5 MATCH expression; null if there is nothing to search for, so that nothing is found. */
  match: string | null;
  /** Whether the text is only white space: then there is no search, and the list is shown unfiltered. */
  blank: boolean;
  /** At least one phrase of each group must match. */
  groups: Phrase[][];
  excluded: Phrase[];
}

/** Limits far above what people type. The rest is ignored, so that the cost of a query is bounded. */
const MAX_UNITS = 2_000;
const MAX_LEXEMES = 32;
const MAX_TOKENS = 128;

/** Any of these opens or closes a phrase: input methods mix them freely. */
const QUOTES = '"“”„‟«»「」『』＂〝〞〟';
/** Separators in either script, which would otherwise join two words into a phrase. */
const BREAKS = String.raw`\s,;!?()\[\]{}<>|，。、；：！？（）【】《》〈〉［］｛｝｜…—`;
const LEXEME = new RegExp(`([-－]?)[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?([*＊]?)|[^${QUOTES}${BREAKS}]+`, 'gu');
/** Two hyphens don't exclude: people search for command line options. */
const EXCLUDED = /^[-－](?![-－])/u;
const ENDS_OPEN = new RegExp(`[^${QUOTES}\\s]$`, 'u');

interface Lexeme {
  kind: 'wanted' | 'excluded' | 'or';
  phrase: Phrase;
}

/** Parses the text of the search box. Never throws. */
export function parseSearch(text: string): ParsedSearch {
  const blank = text.trim() === '';
  const lexemes = withinLimits(readLexemes(text.slice(0, MAX_UNITS)));
  const groups = groupAlternatives(lexemes);
  const excluded = lexemes.filter(({ kind }) => kind === 'excluded').map(({ phrase }) => phrase);
  return { match: composeMatch(groups, excluded), blank, groups, excluded };
}

function readLexemes(text: string): Lexeme[] {
  const found = [...text.matchAll(LEXEME)];
  return found.flatMap((match, index) => {
    const typing = index === found.length - 1 && match.index + match[0].length === text.length && ENDS_OPEN.test(text);
    return readLexeme(match, typing);
  });
}

function readLexeme(match: RegExpMatchArray, typing: boolean): Lexeme[] {
  const [whole, sign, quoted, star] = match;
  if (whole === 'OR') return [{ kind: 'or', phrase: { tokens: [], prefix: false } }];
  const excluded = quoted === undefined ? EXCLUDED.test(whole) : sign !== '';
  const tokens = tokensOf(quoted ?? whole);
  if (tokens.length === 0) return [];
  const starred = quoted === undefined ? /[*＊]$/u.test(whole) : star !== '';
  const prefix = isPrefix(tokens, starred, typing && !excluded);
  return [{ kind: excluded ? 'excluded' : 'wanted', phrase: { tokens, prefix } }];
}

function isPrefix(tokens: string[], starred: boolean, typing: boolean): boolean {
  const last = tokens.at(-1) ?? '';
  if (isIdeograph(last)) return false;
  return starred || (typing && /^\p{L}[^]/u.test(last));
}

function withinLimits(lexemes: Lexeme[]): Lexeme[] {
  let tokensLeft = MAX_TOKENS;
  const kept: Lexeme[] = [];
  for (const lexeme of lexemes) {
    if (kept.length >= MAX_LEXEMES || tokensLeft === 0) break;
    const { tokens, prefix } = lexeme.phrase;
    const cut = tokens.length > tokensLeft;
    kept.push({ ...lexeme, phrase: { tokens: tokens.slice(0, tokensLeft), prefix: prefix && !cut } });
    tokensLeft -= Math.min(tokens.length, tokensLeft);
  }
  return kept;
}

/** An OR without a phrase on either side is ignored. */
function groupAlternatives(lexemes: Lexeme[]): Phrase[][] {
  const groups: Phrase[][] = [];
  lexemes.forEach(({ kind, phrase }, index) => {
    if (kind !== 'wanted') return;
    const last = groups.at(-1);
    const joins = lexemes[index - 1]?.kind === 'or' && lexemes[index - 2]?.kind === 'wanted';
    if (joins && last !== undefined) last.push(phrase);
    else groups.push([phrase]);
  });
  return groups;
}

function composeMatch(groups: Phrase[][], excluded: Phrase[]): string | null {
  if (groups.length === 0) return null;
  const wanted = groups.map((group) => `(${group.map(quote).join(' OR ')})`).join(' AND ');
  return excluded.length === 0 ? wanted : `(${wanted}) NOT (${excluded.map(quote).join(' OR ')})`;
}

/** Tokens contain only letters and digits, so there are no quotes to escape. */
function quote({ tokens, prefix }: Phrase): string {
  return `"${tokens.join(' ')}"${prefix ? '*' : ''}`;
}

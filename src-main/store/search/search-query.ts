/**
 * The query language (contract, `ItemsQuery.text`), for people rather than for SQLite:
 *
 * - words are all wanted; `"a phrase"` wants its words in a row, and so does a run like `gpt-5` or `推理模型`;
 * - `-word` and `-"a phrase"` exclude; a query that only excludes finds nothing;
 * - `word*` and `"a phr"*` find longer words too, and so does the last word while it is being typed;
 * - `a OR b` wants one of the two.
 *
 * Nothing is ever a syntax error: what has no meaning is left out, and FTS5 only sees quoted tokens.
 */
import { isIdeograph, tokensOf } from './search-text.ts';

/** Tokens in a row. With `prefix` the last one may be the beginning of a longer word. */
export interface Phrase {
  tokens: string[];
  prefix: boolean;
}

export interface ParsedSearch {
  /** A safe FTS5 MATCH expression; null if there is nothing to search for, and then nothing is found. */
  match: string | null;
  /** Whether the text is white space only: no search at all, so the caller shows its list as it is. */
  blank: boolean;
  /** One phrase of each group is wanted. */
  groups: Phrase[][];
  excluded: Phrase[];
}

/** Far more than a person writes. What is beyond is left out, so that no query costs more than these. */
const MOST_UNITS = 2_000;
const MOST_LEXEMES = 32;
const MOST_TOKENS = 128;

/** Any of these opens a phrase and any of these closes it: input methods mix them freely. */
const QUOTES = '"“”„‟«»「」『』＂〝〞〟';
/** What stands between words in either script, and would otherwise make a phrase of its two sides. */
const BREAKS = String.raw`\s,;!?()\[\]{}<>|，。、；：！？（）【】《》〈〉［］｛｝｜…—`;
const LEXEME = new RegExp(`([-－]?)[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?([*＊]?)|[^${QUOTES}${BREAKS}]+`, 'gu');
/** More than one hyphen is no exclusion: people look for command line options. */
const EXCLUDED = /^[-－](?![-－])/u;
const ENDS_OPEN = new RegExp(`[^${QUOTES}\\s]$`, 'u');

interface Lexeme {
  kind: 'wanted' | 'excluded' | 'or';
  phrase: Phrase;
}

/** Reads what a person typed. Never throws. */
export function parseSearch(text: string): ParsedSearch {
  const blank = text.trim() === '';
  const lexemes = withinLimits(readLexemes(text.slice(0, MOST_UNITS)));
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
  let tokensLeft = MOST_TOKENS;
  const kept: Lexeme[] = [];
  for (const lexeme of lexemes) {
    if (kept.length >= MOST_LEXEMES || tokensLeft === 0) break;
    const { tokens, prefix } = lexeme.phrase;
    const cut = tokens.length > tokensLeft;
    kept.push({ ...lexeme, phrase: { tokens: tokens.slice(0, tokensLeft), prefix: prefix && !cut } });
    tokensLeft -= Math.min(tokens.length, tokensLeft);
  }
  return kept;
}

/** An OR without a wanted phrase on either side is left out. */
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

/** Tokens are letters and digits only, so there is no quote to escape in them. */
function quote({ tokens, prefix }: Phrase): string {
  return `"${tokens.join(' ')}"${prefix ? '*' : ''}`;
}

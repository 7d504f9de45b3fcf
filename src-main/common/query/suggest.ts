import type { SearchSuggestion } from '../../contract/model/search.ts';
import { QUERY_OPERATORS, QUERY_PARTS, QUERY_STATES, type QueryOperator } from './query.ts';
import { QUOTES } from './parse-query.ts';

/** The text before the cursor: the beginning of a value after an operator, otherwise of an operator. */
export interface Begun {
  /** Where that begins; a minus before it stays. */
  from: number;
  to: number;
  operator: QueryOperator | null;
  /** Without the quote before it. */
  value: string;
}

const OPERATOR_BEGUN = new RegExp(
  `(?:^|[\\s${QUOTES}])[-－−]?((${QUERY_OPERATORS.join('|')})[:：](?:[${QUOTES}]([^${QUOTES}]*)|([^\\s${QUOTES}]*)))$`,
  'iu',
);
const WORD_BEGUN = new RegExp(`(?:^|[\\s${QUOTES}])[-－−]?([^\\s${QUOTES}]*)$`, 'u');

/** Null within a text in quotes, for example. */
export function begunAt(text: string, at: number): Begun | null {
  const before = text.slice(0, at);
  const to = before.length;
  const value = OPERATOR_BEGUN.exec(before);
  if (value) {
    const [, all = '', operator = '', quoted, bare = ''] = value;
    return {
      from: to - all.length,
      to,
      operator: operator.toLowerCase() as QueryOperator,
      value: quoted ?? bare,
    };
  }
  const word = WORD_BEGUN.exec(before)?.[1];
  return word === undefined ? null : { from: to - word.length, to, operator: null, value: word };
}

/** The operators that begin like a word, and the values of those that have few. */
export function fixedSuggestions({ from, to, operator, value }: Begun): SearchSuggestion[] {
  const begun = value.toLowerCase();
  if (operator === null) {
    return QUERY_OPERATORS.filter((name) => name.startsWith(begun)).map((name) => ({
      insert: `${name}:`,
      from,
      to,
      label: `${name}:`,
    }));
  }
  const values: readonly string[] = operator === 'is' ? QUERY_STATES : operator === 'has' ? QUERY_PARTS : [];
  return values
    .filter((one) => one.startsWith(begun))
    .map((one) => ({ insert: `${operator}:${one} `, from, to, label: one }));
}

/** An operator with a value, in quotes where it needs them or `whole` is asked, ready for the next word. */
export function operatorText(operator: QueryOperator, value: string, whole = false): string {
  const bare = value.replaceAll(new RegExp(`[${QUOTES}]`, 'gu'), ' ').trim();
  return whole || !/^[\p{L}\p{N}_-]+$/u.test(bare) ? `${operator}:"${bare}" ` : `${operator}:${bare} `;
}

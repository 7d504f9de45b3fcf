import { parseQuery } from '../../../src-main/common/query/parse-query.ts';

/** A part of a query, to be shown and to be taken out. */
export interface QueryChip {
  /** As it was typed. */
  text: string;
  /** Whether it asks for a property, and not for words. */
  operator: boolean;
  /** Whether it begins another alternative: `OR` stands before it. */
  or: boolean;
  /** The query without it. */
  without: string;
}

/** The parts of a query that are searched for, in their order. */
export function chipsOf(text: string): QueryChip[] {
  return parseQuery(text).alternatives.flatMap((terms, alternative) =>
    terms.map(({ kind, from, to }, at) => ({
      text: text.slice(from, to),
      operator: kind !== 'words',
      or: alternative > 0 && at === 0,
      without: tidy(`${text.slice(0, from)} ${text.slice(to)}`),
    })),
  );
}

/** Without what is left of an alternative that has gone. */
function tidy(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/\bOR(?: OR)+\b/gu, 'OR')
    .replace(/^ ?(?:OR )+|(?: OR)+ ?$/gu, '')
    .replace(/^ ?OR ?$/u, '')
    .trim();
}

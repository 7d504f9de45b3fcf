import { parseQuery } from '../../../src-main/common/query.ts';

/** A part of a query that can be removed. */
export interface QueryChip {
  /** As it was typed. */
  text: string;
  /** True if it asks for a property, and not for words. */
  operator: boolean;
  /** True if it begins another alternative, after `OR`. */
  or: boolean;
  /** The query without this part. */
  without: string;
}

/** Returns the parts of a query that are searched for, in their order. */
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

/** Removes the rest of an alternative that is gone. */
function tidy(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/\bOR(?: OR)+\b/gu, 'OR')
    .replace(/^ ?(?:OR )+|(?: OR)+ ?$/gu, '')
    .replace(/^ ?OR ?$/u, '')
    .trim();
}

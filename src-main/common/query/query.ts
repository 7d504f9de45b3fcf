import type { QueryProblem, TextPlace } from '../../contract/model/search.ts';

/** A query as its parts: at least one alternative must match, and of an alternative every term. */
export interface ParsedQuery {
  /** Only white space: then there is no search. */
  blank: boolean;
  /** Empty if nothing in the text can be searched for. No alternative is empty. */
  alternatives: QueryTerm[][];
  /** Parts that were searched for as words because they were not understood, and parts that find nothing. */
  problems: QueryProblem[];
}

export type QueryTerm = TextPlace & { negated: boolean } & (WordsTerm | OperatorTerm);

/** Words in a row. Which words a text has is decided where it is compared (store/search/search-text.ts). */
export interface WordsTerm {
  kind: 'words';
  text: string;
  /** The last word may be the beginning of a longer one: a star was typed after it. */
  starred: boolean;
  /** The text ends here, without a space or a quote: the last word may still be being typed. */
  open: boolean;
}

export const QUERY_STATES = ['unread', 'read', 'starred', 'selected', 'withdrawn', 'muted'] as const;
export type QueryState = (typeof QUERY_STATES)[number];
export const QUERY_PARTS = ['story', 'note'] as const;
export type QueryPart = (typeof QUERY_PARTS)[number];
export type Comparison = '>' | '>=' | '<' | '<=' | '=';

export type OperatorTerm =
  /** `whole`: the name is all of a source's name, not words in it. `open` as in {@link WordsTerm}. */
  | { kind: 'source'; text: string; whole: boolean; open: boolean }
  /** A category as the service names it. */
  | { kind: 'category'; category: string }
  | { kind: 'is'; state: QueryState }
  | { kind: 'has'; part: QueryPart }
  /** Before the beginning of a day, or from its beginning on: `2026-11-20`, a day of the reader's clock. */
  | { kind: 'before' | 'after'; day: string }
  | { kind: 'score'; comparison: Comparison; score: number };

export const QUERY_OPERATORS = ['source', 'category', 'is', 'has', 'before', 'after', 'score'] as const;
export type QueryOperator = (typeof QUERY_OPERATORS)[number];

/** Far above what people type. The rest is not searched, so that the cost of a query is bounded. */
export const MOST_QUERY_UNITS = 1_000;
export const MOST_QUERY_TERMS = 32;

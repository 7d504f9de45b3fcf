import type { ReportKind } from './report.ts';
import type { ModelListName } from './resource.ts';

/** What can be searched, in the order in which the groups of a search are returned. */
export const SEARCH_KINDS = ['items', 'stories', 'reports', 'models', 'notes'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** A part of a text, in UTF-16 units: [from, to). */
export interface TextPlace {
  from: number;
  to: number;
}

export type QueryProblemCode =
  /** `colour:red`. */
  | 'unknown_operator'
  /** `is:purple`. */
  | 'unknown_value'
  /** `before:yesterday`. */
  | 'invalid_date'
  /** `score:high`. */
  | 'invalid_score'
  /** `source:` and nothing after it. */
  | 'missing_value'
  /** `-gpt` alone, or as all of an alternative: it finds nothing, because nothing is asked for. */
  | 'only_excludes'
  /** The text is longer, or has more parts, than is searched. */
  | 'too_long';

/**
 * A part of a query that was not understood, so that its words were searched for instead, or that finds nothing. `text` is that
 * part, or its beginning.
 */
export interface QueryProblem extends TextPlace {
  code: QueryProblemCode;
  text: string;
}

/** A part of a text around a match. `ranges` are [start, end) UTF-16 offsets into `text`. */
export interface SearchSnippet {
  field:
    | 'originalTitle'
    | 'summary'
    | 'source'
    | 'reason'
    | 'latest'
    | 'digest'
    | 'overview'
    | 'citation'
    | 'id'
    | 'alias'
    | 'description'
    | 'note';
  text: string;
  ranges: [start: number, end: number][];
}

/** One result of a search. Fields that its kind doesn't have are null. */
export interface SearchHit {
  kind: SearchKind;
  /**
   * An item's or a story's id; `daily/2026-11-20`; `models/` or `embeddings/` and the id of a model; `item/`, `story/` or `report/`
   * and the id of what a note is about.
   */
  id: string;
  /** Of a note: the title of what it is about. */
  title: string;
  /** Matches in the title. */
  titleRanges: [start: number, end: number][];
  /** The first other text with a match; null if only the title has one, or nothing but operators was searched for. */
  snippet: SearchSnippet | null;
  /** RFC 3339: an item's effective time, a story's latest report, when a report was written, a model was added or a note was changed. */
  at: string | null;
  source: string | null;
  category: string | null;
  unread: boolean | null;
  starred: boolean | null;
  report: { kind: ReportKind; label: string } | null;
  model: { modelList: ModelListName; id: string } | null;
}

export interface SearchGroup {
  kind: SearchKind;
  /** The number of all hits, or a number that there are at least. */
  count: number;
  atLeast: boolean;
  /** The best first. */
  hits: SearchHit[];
}

export interface SearchResults {
  /** One for each kind that was searched, also without hits. */
  groups: SearchGroup[];
  problems: QueryProblem[];
}

/** What could be typed at a place: `insert` replaces [from, to) of the text. */
export interface SearchSuggestion {
  insert: string;
  from: number;
  to: number;
  label: string;
  /** The number of saved items that it finds, if that is known. */
  count?: number;
}

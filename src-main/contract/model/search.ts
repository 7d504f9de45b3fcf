import type { ReportKind } from './report.ts';
import type { ModelListName } from './resource.ts';
import type { FailureReason } from '../errors.ts';

export const SEARCH_KINDS = ['items', 'stories', 'reports', 'models', 'notes'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** The newest by the effective time: so long before the time of reading. */
export const WINDOWS = ['24h', '7d', '30d', 'any'] as const;

/** [from, to) in UTF-16 units. */
export interface TextPlace {
  from: number;
  to: number;
}

export type QueryProblemCode =
  | 'unknown_operator'
  | 'unknown_value'
  | 'invalid_date'
  | 'invalid_score'
  | 'missing_value'
  | 'only_excludes'
  | 'too_long';

/** A part that is searched as plain words, or finds nothing. `text` may be cut. */
export interface QueryProblem extends TextPlace {
  code: QueryProblemCode;
  text: string;
}

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

export interface SearchHit {
  kind: SearchKind;
  /** An id, with its list or kind before it where it has one: `daily/2026-11-20`, `models/ID`, `item/ID` of a note. */
  id: string;
  title: string;
  titleRanges: [start: number, end: number][];
  snippet: SearchSnippet | null;
  /** The beginning of its text, for a row whose match is in the title. */
  summary: string | null;
  at: string | null;
  source: string | null;
  /** Null for anything but a topic. */
  sourceCount: number | null;
  category: string | null;
  unread: boolean | null;
  starred: boolean | null;
  report: { kind: ReportKind; label: string } | null;
  model: { modelList: ModelListName; id: string } | null;
}

export interface SearchGroup {
  kind: SearchKind;
  count: number;
  atLeast: boolean;
  hits: SearchHit[];
}

export interface SearchResults {
  groups: SearchGroup[];
  problems: QueryProblem[];
}

export interface SearchSuggestion {
  insert: string;
  from: number;
  to: number;
  label: string;
  count?: number;
}

export const MOST_SAVED_SEARCHES = 50;
export const MOST_MUTE_RULES = 500;
export const LONGEST_RULE_NAME = 80;
export const LONGEST_RULE_QUERY = 1000;

export interface RuleProgress {
  done: number;
}

export interface ViewCount {
  total: number;
  unread: number;
}

export interface RuleProblem {
  reason: FailureReason;
  message: string;
}

/** Marks that a saved search can give to items newer than it. */
export const SEARCH_MARKS = ['read', 'star'] as const;
export type SearchMark = (typeof SEARCH_MARKS)[number];

export interface SavedSearch {
  id: string;
  name: string;
  query: string;
  notify: boolean;
  marks: SearchMark | null;
  position: number;
  count: ViewCount;
  problem: RuleProblem | null;
}

export interface MuteRule {
  id: string;
  query: string;
  createdAt: string;
  hides: number;
  problem: RuleProblem | null;
}

export interface SavedSearches {
  searches: SavedSearch[];
  progress: RuleProgress | null;
}

export interface MuteRules {
  rules: MuteRule[];
  progress: RuleProgress | null;
}

import type { FailureReason } from '../errors.ts';
import type { ViewCount } from './counts.ts';

/** The most saved searches and mute rules, and the longest of their texts, in UTF-16 units. */
export const MOST_SAVED_SEARCHES = 50;
export const MOST_MUTE_RULES = 500;
export const LONGEST_RULE_NAME = 80;
export const LONGEST_RULE_QUERY = 1000;

/** How far saved items are matched with rules that were added or changed. */
export interface RuleProgress {
  /** From 0 to 1. */
  done: number;
}

/** Why a rule can't be used. */
export interface RuleProblem {
  reason: FailureReason;
  /** In English, as in a `Failure`. */
  message: string;
}

/** A search as a view of its own. Its items are in all lists, too. */
export interface SavedSearch {
  id: string;
  name: string;
  /** In the language of the search box. */
  query: string;
  /** Whether new items are notified. */
  notify: boolean;
  /** Where it stands among the others. */
  position: number;
  /** What its list has. While saved items are being matched, that is a part. */
  count: ViewCount;
  /** Why the query can't be used; null if it can. It finds nothing then. */
  problem: RuleProblem | null;
}

/** Hides the items that its query matches, from everything but Starred and the list of hidden items. */
export interface MuteRule {
  id: string;
  query: string;
  /** RFC 3339. */
  createdAt: string;
  /** How many saved items it matches. */
  hides: number;
  /** As in {@link SavedSearch}. */
  problem: RuleProblem | null;
}

/** In the reader's order. `progress` is null if everything is matched. */
export interface SavedSearches {
  searches: SavedSearch[];
  progress: RuleProgress | null;
}

/** Newest first. */
export interface MuteRules {
  rules: MuteRule[];
  progress: RuleProgress | null;
}

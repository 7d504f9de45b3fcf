import type { Json } from './json.ts';

/** An entry of the ranking (document 1 section 4.2; observed-3-fields). Ranks are 1 to 10 and can have gaps (observed-3-gaps). */
export interface HotTopic {
  rank: number;
  /** An item's id. */
  id: string;
  title: string;
  source: { name: string | null; [unknown: string]: Json };
  links: { aihot: string | null; original: string | null; story: string | null; [unknown: string]: Json };
  sourceCount: number | null;
  signalCount: number | null;
  participantCount: number | null;
  sourceNames: string[];
  latestAt: string | null;
  extra: { [field: string]: Json };
}

/** A topic's ranks over time, in the rankings that were synced. Times are RFC 3339. */
export interface RankHistory {
  firstSeenAt: string;
  peak: { rank: number; at: string };
  /** How often it returned after leaving the ranking. */
  reentries: number;
  /**
   * One point per changed ranking of the last 30 days, oldest first; rank is null while the topic was not ranked. A run
   * of equal ranks has its first and last point only.
   */
  points: { at: string; rank: number | null }[];
}

export interface RankedTopic extends HotTopic {
  /** Last path segment of `links.story`; null without a link. */
  storyId: string | null;
  /** Since when the service no longer has this story (RFC 3339); null otherwise. */
  storyGoneAt: string | null;
  /** Whether the story is saved and can be read. */
  storySaved: boolean;
  /** Places gained (positive) or lost since the previous ranking; null for a new entry. */
  moved: number | null;
  history: RankHistory;
  readAt: string | null;
}

export interface HotTopics {
  /** Ordered by rank. */
  topics: RankedTopic[];
  /** When this ranking was first synced (RFC 3339); null before the first sync. */
  since: string | null;
}

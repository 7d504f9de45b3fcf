import type { Json } from './json.ts';

/** One entry of the ranking (document 1 section 4.2, sheet 3 "Hot topics"). Ranks are 1 to 10 and can have gaps. */
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

/** A topic's way through the rankings that were seen here. Times are RFC 3339. */
export interface RankHistory {
  firstSeenAt: string;
  peak: { rank: number; at: string };
  /** How often it came back after it had left the ranking. */
  reentries: number;
  /**
   * One point a ranking that changed, oldest first; rank null while it was not ranked. Of a run of equal ranks only the
   * first and the last point are told. Rankings of the last 30 days.
   */
  points: { at: string; rank: number | null }[];
}

export interface RankedTopic extends HotTopic {
  /** From the last path segment of `links.story`, never made up; null without one. */
  storyId: string | null;
  /** Against the ranking before: places up (positive) or down; null for a new entry. */
  moved: number | null;
  history: RankHistory;
  readAt: string | null;
}

export interface HotTopics {
  /** By rank. */
  topics: RankedTopic[];
  /** When this ranking was first seen here; null before the first. */
  since: string | null;
}

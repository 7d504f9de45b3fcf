import type { Json } from './model.ts';

/** observed-4-coverage */
export interface Coverage {
  id: string;
  title: string;
  summary: string | null;
  source: { name: string | null; firstParty: boolean; [unknown: string]: Json };
  publishedAt: string | null;
  links: { aihot: string | null; original: string | null; [unknown: string]: Json };
  extra: { [field: string]: Json };
}

export interface StoryNeighbor {
  publicId: string;
  title: string;
  relation: string | null;
  links: { aihot: string | null; api: string | null; [unknown: string]: Json };
  extra: { [field: string]: Json };
}

/** Document 1 section 4.3. `reports` are newest first. */
export interface Story {
  publicId: string;
  title: string;
  /** `active`, `settled`, or a value that the service may add later. */
  status: string | null;
  sourceCount: number | null;
  reportCount: number | null;
  firstReportAt: string | null;
  latestAt: string | null;
  latest: string | null;
  /** May contain Markdown, which has to be sanitized. */
  digest: string | null;
  digestUpdatedAt: string | null;
  links: { aihot: string | null; [unknown: string]: Json };
  reports: Coverage[];
  storyline: StoryNeighbor[];
  related: StoryNeighbor[];
  extra: { [field: string]: Json };
}

export interface CoverageWithStatus extends Coverage {
  /** Matched by id, else by address. */
  itemId: string | null;
  readAt: string | null;
}

export interface StoredStory extends Omit<Story, 'reports'> {
  reports: CoverageWithStatus[];
  fetchedAt: string;
  /** Since a 404; the last saved version is still shown. */
  goneAt: string | null;
  followedAt: string | null;
  starredAt: string | null;
  fresh: { reportIds: string[]; digest: boolean };
}

export interface StoryLine {
  publicId: string;
  title: string;
  status: string | null;
  latest: string | null;
  latestAt: string | null;
  sourceCount: number | null;
  reportCount: number | null;
  followedAt: string | null;
  starredAt: string | null;
  goneAt: string | null;
  freshReports: number;
  hot: boolean;
}

/** Document 1 section 4.2; observed-3-fields. Ranks are 1 to 10 and can have gaps (observed-3-gaps). */
export interface HotTopic {
  rank: number;
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

export interface RankHistory {
  firstSeenAt: string;
  peak: { rank: number; at: string };
  reentries: number;
  /**
   * One point per changed ranking of the last 30 days, oldest first; null while not ranked. Of a run of equal ranks
   * only the first and last.
   */
  points: { at: string; rank: number | null }[];
}

export interface RankedTopic extends HotTopic {
  storyId: string | null;
  storyGoneAt: string | null;
  storySaved: boolean;
  /** Positive if it rose; null for a new entry. */
  moved: number | null;
  history: RankHistory;
  readAt: string | null;
}

export interface HotTopics {
  topics: RankedTopic[];
  since: string | null;
}

import type { JsonObject } from './model.ts';
import type { Links, Source } from './record.ts';

/** observed-4-coverage */
export interface Coverage {
  id: string;
  title: string;
  summary: string | null;
  source: Source & { firstParty: boolean };
  publishedAt: string | null;
  links: Links<'aihot' | 'original'>;
  extra: JsonObject;
}

export interface StoryNeighbor {
  publicId: string;
  title: string;
  relation: string | null;
  links: Links<'aihot' | 'api'>;
  extra: JsonObject;
}

/** Document 1 section 4.3. `reports` are newest first. */
export interface Story {
  publicId: string;
  title: string;
  status: string | null;
  sourceCount: number | null;
  reportCount: number | null;
  firstReportAt: string | null;
  latestAt: string | null;
  latest: string | null;
  /** May contain Markdown, which has to be sanitized. */
  digest: string | null;
  digestUpdatedAt: string | null;
  links: Links<'aihot'>;
  reports: Coverage[];
  storyline: StoryNeighbor[];
  related: StoryNeighbor[];
  extra: JsonObject;
}

export interface CoverageWithStatus extends Coverage {
  /** Matched by id, else by address. */
  itemId: string | null;
  /** That of the item in lists. */
  effectiveAt: string | null;
  readAt: string | null;
}

export interface StoredStory extends Omit<Story, 'reports'> {
  reports: CoverageWithStatus[];
  fetchedAt: string;
  goneAt: string | null;
  followedAt: string | null;
  starredAt: string | null;
  fresh: { reportIds: string[]; digest: boolean };
}

type StatedOfStory = 'publicId' | 'title' | 'status' | 'latest' | 'latestAt' | 'sourceCount' | 'reportCount';

export interface StoryLine extends Pick<StoredStory, StatedOfStory | 'followedAt' | 'starredAt' | 'goneAt'> {
  freshReports: number;
  hot: boolean;
}

/** Document 1 section 4.2; observed-3-fields. Ranks are 1 to 10 and can have gaps (observed-3-gaps). */
export interface HotTopic {
  rank: number;
  id: string;
  title: string;
  source: Source;
  links: Links<'aihot' | 'original' | 'story'>;
  sourceCount: number | null;
  signalCount: number | null;
  participantCount: number | null;
  sourceNames: string[];
  latestAt: string | null;
  extra: JsonObject;
}

export interface RankHistory {
  firstSeenAt: string;
  peak: { rank: number; at: string };
  reentries: number;
  /** The last 30 days, oldest first; null while not ranked. Only the first and last of a run of equal ranks. */
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

import type { Json } from './json.ts';

/** One report of a story's coverage (sheet 3, "Story"). */
export interface Coverage {
  id: string;
  title: string;
  summary: string | null;
  source: { name: string | null; firstParty: boolean; [unknown: string]: Json };
  publishedAt: string | null;
  links: { aihot: string | null; original: string | null; [unknown: string]: Json };
  extra: { [field: string]: Json };
}

/** Another story, of the same storyline or related. Opened inside the app by `publicId`. */
export interface StoryNeighbor {
  publicId: string;
  title: string;
  relation: string | null;
  links: { aihot: string | null; api: string | null; [unknown: string]: Json };
  extra: { [field: string]: Json };
}

/** A story as the service tells it (document 1 section 4.3). `reports` newest first. */
export interface Story {
  publicId: string;
  title: string;
  /** `active`, `settled`, or what the service may add. */
  status: string | null;
  sourceCount: number | null;
  reportCount: number | null;
  firstReportAt: string | null;
  latestAt: string | null;
  latest: string | null;
  /** Markdown at most; shown sanitised. */
  digest: string | null;
  digestUpdatedAt: string | null;
  links: { aihot: string | null; [unknown: string]: Json };
  reports: Coverage[];
  storyline: StoryNeighbor[];
  related: StoryNeighbor[];
  extra: { [field: string]: Json };
}

/** A stored story with what the reader did with it. */
export interface StoredStory extends Story {
  fetchedAt: string;
  /** Set when the service answered 404: what is shown is what was stored. */
  goneAt: string | null;
  followedAt: string | null;
  starredAt: string | null;
  /** What came since the reader's last look at a followed story. */
  fresh: { reportIds: string[]; digest: boolean };
}

/** A line of the list of stories. */
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
  /** Reports that came since the last look; 0 for stories that are not followed. */
  freshReports: number;
  /** Linked by the current ranking. */
  hot: boolean;
}

import type { Json } from './json.ts';

/** One report in a story's coverage (observed-4-coverage). */
export interface Coverage {
  id: string;
  title: string;
  summary: string | null;
  source: { name: string | null; firstParty: boolean; [unknown: string]: Json };
  publishedAt: string | null;
  links: { aihot: string | null; original: string | null; [unknown: string]: Json };
  extra: { [field: string]: Json };
}

/** Another story of the same storyline, or a related one. `stories.open` takes its `publicId`. */
export interface StoryNeighbor {
  publicId: string;
  title: string;
  relation: string | null;
  links: { aihot: string | null; api: string | null; [unknown: string]: Json };
  extra: { [field: string]: Json };
}

/** A story as the service sends it (document 1 section 4.3). `reports` are newest first. */
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
  /** May contain Markdown; sanitise it before showing it. */
  digest: string | null;
  digestUpdatedAt: string | null;
  links: { aihot: string | null; [unknown: string]: Json };
  reports: Coverage[];
  storyline: StoryNeighbor[];
  related: StoryNeighbor[];
  extra: { [field: string]: Json };
}

export interface CoverageWithStatus extends Coverage {
  /** The saved item that this report is: the one with its id, else with its address; null if there is none. */
  itemId: string | null;
  /** When that item was read. */
  readAt: string | null;
}

/** A saved story and what the user did with it. */
export interface StoredStory extends Omit<Story, 'reports'> {
  reports: CoverageWithStatus[];
  fetchedAt: string;
  /** When the service answered 404 (RFC 3339); the last saved version is still shown. */
  goneAt: string | null;
  followedAt: string | null;
  starredAt: string | null;
  /** What is new in a followed story since the user last opened it. */
  fresh: { reportIds: string[]; digest: boolean };
}

/** A row of the story list. */
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
  /** New reports since the user last opened it; 0 for stories that are not followed. */
  freshReports: number;
  /** Whether the current ranking links to it. */
  hot: boolean;
}

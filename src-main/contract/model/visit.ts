import type { Failure } from '../errors.ts';
import type { ItemRow } from './item.ts';
import type { Json } from './json.ts';
import type { ResourceStatus } from './sync-status.ts';
import type { Problem } from '../user-data.ts';

/** Exact counts of what changed since the user's last visit. */
export interface SinceLastVisit {
  /** RFC 3339; null before the first visit, while nothing is counted. */
  since: string | null;
  added: number;
  /** Added items that are older than the last visit by more than 72 hours, such as those of a backfilled source. */
  older: number;
  revised: number;
  withdrawn: number;
  /** How many of them are in the selected set. Of a withdrawn item that isn't known any more. */
  selected: { added: number; older: number; revised: number };
}

/** The numbers of {@link SinceLastVisit}, in the order of the page. */
export const VISIT_LISTS = ['added', 'older', 'revised', 'withdrawn'] as const;
export type VisitList = (typeof VISIT_LISTS)[number];

/** A withdrawn item: only its id, and when it was withdrawn. */
export interface Withdrawal {
  id: string;
  at: string;
}

/** One revision of a saved item: old and new texts. */
export interface Revision {
  at: string;
  fields: { field: string; before: string | null; after: string | null }[];
}

/** Parameters of `GET /api/v1/items`. `q` has 2 to 200 code points after trimming, or is absent. */
export interface OnlineSearch {
  mode: 'selected' | 'all';
  window: '24h' | '7d';
  by: 'timeline' | 'published';
  category?: string;
  q?: string;
}

/** A search result of the news service, with the state of the saved item if there is one. */
export interface OnlineResult extends Omit<ItemRow, 'snippets'> {
  /** Whether it is saved, and can be opened and marked. */
  stored: boolean;
}

/** A text page of the service as last fetched. */
export interface GuidePage {
  /** The service's Markdown. Sanitise it; never render it as HTML. */
  text: string;
  fetchedAt: string;
  /** Why this may be outdated: the fetch failed. Null if the text is current. */
  stale: Failure | null;
}

/** State of all stored data, for the user and for bug reports. Contains no secrets, titles or searches. */
export interface SyncHealth {
  resources: ResourceStatus[];
  files: { name: string; bytes: number }[];
  /** Result of the last check of the databases; null before the first. */
  integrity: { at: string; sound: boolean; messages: string[] } | null;
  runs: {
    resource: string;
    at: string;
    status: string;
    requests: number;
    changes: number;
    skipped: number;
    reasons: string[];
  }[];
  /** Unexpected errors that are not dismissed yet, newest first. */
  problems: Problem[];
  paused: boolean;
  pausedUntil: string | null;
  facts: { [name: string]: Json };
}

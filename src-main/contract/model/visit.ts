import type { Failure } from '../errors.ts';
import type { ItemRow } from './item.ts';
import type { Json } from './json.ts';
import type { ResourceStatus } from './sync-status.ts';
import type { Problem } from '../user-data.ts';

/** What came since the reader last caught up, exactly, from the writes that were applied. */
export interface SinceLastVisit {
  /** RFC 3339; null before the first visit, when everything is new and nothing is counted. */
  since: string | null;
  added: number;
  revised: number;
  withdrawn: number;
}

export type VisitList = 'added' | 'revised' | 'withdrawn';

/** An item that is gone. Only the fact stays: its id, and when it was withdrawn. */
export interface Withdrawal {
  id: string;
  at: string;
}

/** One revision of a stored item: what the texts were before. */
export interface Revision {
  at: string;
  fields: { field: string; before: string | null; after: string | null }[];
}

/** What `GET /api/v1/items` takes; `q` has 2 to 200 code points after trimming, or is left out. */
export interface OnlineSearch {
  mode: 'selected' | 'all';
  window: '24h' | '7d';
  by: 'timeline' | 'published';
  category?: string;
  q?: string;
}

/** An item that the service found, with what is stored of it. */
export interface OnlineResult extends Omit<ItemRow, 'snippets'> {
  /** Whether it is in the store, so that it can be opened and marked. */
  stored: boolean;
}

/** A text page of the service, kept as it was fetched. */
export interface GuidePage {
  /** Markdown of the service: shown sanitised, never as HTML. */
  text: string;
  fetchedAt: string;
  /** Why this is the stored copy where the service could not be asked; null for one that it stands by. */
  stale: Failure | null;
}

/** The state of everything that is kept, for people and for support: without secrets, without titles, without searches. */
export interface SyncHealth {
  resources: ResourceStatus[];
  files: { name: string; bytes: number }[];
  /** What the last check of the databases said; null before one was made. */
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
  /** Defects that were met and not yet dismissed, newest first. */
  problems: Problem[];
  paused: boolean;
  pausedUntil: string | null;
  facts: { [name: string]: Json };
}

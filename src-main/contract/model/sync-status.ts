import type { Failure } from '../errors.ts';
import type { GatewaySource } from './gateway.ts';
import type { ResourceName } from './resource.ts';

/** The news source in use. `option` and `environment` override the settings for this run. */
export interface NewsSource {
  address: string;
  /** The address to be used instead once it has answered: until then, the one that was used before stays in use. */
  awaited?: string;
  demo: boolean;
  /** Whether it is the harsh demo, which has other content than the standard one. */
  harsh?: boolean;
  from: 'option' | 'environment' | 'settings' | 'demo';
}

export interface SyncProgress {
  /** Records saved so far in this run. */
  stored: number;
  /** Expected total of records; null if unknown. */
  expected: number | null;
  /** Pages fetched so far. */
  pages: number;
}

/**
 * Values that an implausible answer lacks, if it isn't about records. `marked`: the selected set lacks items that the list of
 * all items marks as selected. It is downloaded again.
 */
export type LostKind = 'models' | 'prices' | 'contextLengths' | 'marked';

/** An implausible answer, such as a nearly empty list. Nothing is removed until it is confirmed. */
export interface Confirming {
  /** RFC 3339. */
  since: string;
  /** The number of saved records, or of those values, that the answer would have replaced. */
  stored: number;
  /** The number in the answer. */
  received: number;
  /** The values that are counted; records without it. */
  of?: LostKind;
  /** Only the reader confirms it, with `sync.accept`: another such answer doesn't. */
  acceptable?: true;
}

export interface ResourceStatus {
  name: ResourceName;
  running: boolean;
  progress: SyncProgress | null;
  lastTryAt: string | null;
  lastSuccessAt: string | null;
  nextDueAt: string | null;
  /** Failures since the last success. */
  failures: number;
  error: Failure | null;
  /** Set while an implausible answer waits to be confirmed. */
  confirming: Confirming | null;
  rows: number;
}

export interface SyncStatus {
  source: NewsSource;
  /** The model gateway; null if none is configured. */
  gateway: GatewaySource | null;
  resources: ResourceStatus[];
  /** False until the first snapshot of the selected set is complete. Before, recent items are shown (docs/decisions/077). */
  selectedComplete: boolean;
  /** Latest successful sync of any news resource (RFC 3339); null before the first. */
  lastSuccessAt: string | null;
  /** Whether the last sync reached the news service; null before the first attempt of this run. */
  reachable: boolean | null;
  /** Set while polling is paused; `until` (RFC 3339) is null for a pause without an end. */
  pause: { until: string | null } | null;
  /** The setting of this name. With `byHand`, `nextDueAt` is null. */
  polling: 'usual' | 'seldom' | 'byHand';
  /** Problems found in the stored files. Each stays, in every process, until it is restored or dismissed. */
  storageWarnings: StorageWarning[];
}

/** A stored file that was damaged and set aside (never overwritten), or that was repaired or replaced. */
export interface StorageWarning {
  file: string;
  setAsideAs: string | null;
  reason: string;
  /** The newest backup from before the damage that `data.restore` can restore this file from. */
  backup?: string;
  /** With the reason `invalid-values`: the members of the file whose values can't be used. */
  members?: string[];
}

/** Result of syncing one resource. Field names are those of `sync --json`. */
export interface ResourceResult {
  status: 'ok' | 'notModified' | 'notDue' | 'failed';
  requests: number;
  added: number;
  /**
   * How many of the added items are no news: their time is more than 72 hours ago, for example those of a new source. 0
   * in a first download, where nothing is.
   */
  older?: number;
  revised: number;
  withdrawn: number;
  /** Records that were left out because they were unreadable or not downloaded. */
  skipped: number;
  /** Known fields that can't be read, each once for an answer: their records are saved without them. */
  unreadableFields?: number;
  /** How many of these could not be downloaded. */
  missed?: number;
  error?: Failure;
  /** With `notDue`: from when the cache rules permit a manual refresh (RFC 3339). */
  permittedAt?: string | null;
  /** With `notDue`: until when the service asked to wait (RFC 3339); missing if it didn't. */
  waitUntil?: string;
}

export interface SyncResult {
  ok: boolean;
  resources: Record<ResourceName, ResourceResult>;
  counts: { items: number; selected: number; unread: number; starred: number };
  /** Why what is derived from the items, such as the search index, is not up to date. `ok` is false then. */
  indexing?: Failure;
}

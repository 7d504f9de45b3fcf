import type { Failure } from '../errors.ts';
import type { GatewaySource } from './gateway.ts';
import type { ResourceName } from './resource.ts';

/** Where the news comes from. `option` and `environment` win over settings for this run. */
export interface NewsSource {
  address: string;
  demo: boolean;
  from: 'option' | 'environment' | 'settings' | 'demo';
}

export interface SyncProgress {
  /** Records stored so far in this run. */
  stored: number;
  /** Records to expect in all, where the service said so. */
  expected: number | null;
  /** Pages fetched so far. */
  pages: number;
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
  rows: number;
}

export interface SyncStatus {
  source: NewsSource;
  /** Where models come from; null where no gateway is named. */
  gateway: GatewaySource | null;
  resources: ResourceStatus[];
  /** False until the first snapshot of the selected set was stored to its last page: until then the set is not shown. */
  selectedComplete: boolean;
  /** The latest success of any resource of the news, RFC 3339: how old what is shown can be. */
  lastSuccessAt: string | null;
  /** Whether the last round reached the news service. Null before the first one of this run. */
  reachable: boolean | null;
  /** Set while polling rests at the reader's wish; `until` is null until it is resumed. RFC 3339. */
  pause: { until: string | null } | null;
  /** The reader's setting of that name: `nextDueAt` is null by hand. */
  polling: 'usual' | 'seldom' | 'byHand';
  /** What was found wrong with the stored files when they were opened, in words; empty if nothing was. */
  storageWarnings: StorageWarning[];
}

/** A stored file that could not be used and was set aside (never overwritten), or is not what it was. */
export interface StorageWarning {
  file: string;
  setAsideAs: string | null;
  reason: string;
  /** The newest backup, where the file can be had back from one (`data.restore`). */
  backup?: string;
}

/** What one resource's run did. The names are those of `sync --json`. */
export interface ResourceResult {
  status: 'ok' | 'notModified' | 'notDue' | 'failed';
  requests: number;
  added: number;
  revised: number;
  withdrawn: number;
  /** Records that could not be read and were left out. */
  skipped: number;
  error?: Failure;
  /** Of `notDue`: from when on the cache rules permit a reader's refresh to ask. RFC 3339. */
  permittedAt?: string | null;
}

export interface SyncResult {
  ok: boolean;
  resources: Record<ResourceName, ResourceResult>;
  counts: { items: number; selected: number; unread: number; starred: number };
}

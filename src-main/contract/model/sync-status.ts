import type { Json, GatewaySource } from './model.ts';
import type { Failure } from '../errors.ts';
import type { ResourceName } from './resource.ts';

export interface NewsSource extends GatewaySource {
  /** Used once it has answered; until then, the previous address stays in use. */
  awaited?: string;
}

export interface SyncProgress {
  stored: number;
  expected: number | null;
  pages: number;
}

/** `marked`: the selected set lacks items that the list of all items marks as selected; it is downloaded again. */
export const LOST_KINDS = ['models', 'prices', 'contextLengths', 'marked'] as const;
export type LostKind = (typeof LOST_KINDS)[number];

/** An implausible answer, such as a nearly empty list. Nothing is removed until it is confirmed. */
export interface Confirming {
  since: string;
  stored: number;
  received: number;
  of?: LostKind;
  /** By the user with `sync.accept`; another such answer doesn't confirm it. */
  acceptable?: true;
}

export interface ResourceStatus {
  name: ResourceName;
  running: boolean;
  progress: SyncProgress | null;
  lastTryAt: string | null;
  lastSuccessAt: string | null;
  /** Past if it is due now; null if only the user's refresh fetches it. */
  nextDueAt: string | null;
  failures: number;
  error: Failure | null;
  confirming: Confirming | null;
  rows: number;
}

export interface SyncStatus {
  source: NewsSource;
  gateway: GatewaySource | null;
  resources: ResourceStatus[];
  /** Until the first snapshot is complete, recent items are shown (docs/decisions/046). */
  selectedComplete: boolean;
  lastSuccessAt: string | null;
  reachable: boolean | null;
  pause: { until: string | null } | null;
  polling: 'usual' | 'byHand';
  storageWarnings: StorageWarning[];
}

/** A damaged file that was set aside (never overwritten), repaired or replaced. */
export interface StorageWarning {
  file: string;
  setAsideAs: string | null;
  reason: string;
  backup?: string;
  members?: string[];
}

/** Scripts read these names in `sync --json`. */
export interface ResourceResult {
  status: 'ok' | 'notModified' | 'notDue' | 'failed';
  requests: number;
  added: number;
  /** Added items more than 72 hours old, as from a new source. 0 in a first download. */
  older?: number;
  revised: number;
  withdrawn: number;
  skipped: number;
  unreadableFields?: number;
  missed?: number;
  error?: Failure;
  permittedAt?: string | null;
  waitUntil?: string;
}

export interface SyncResult {
  ok: boolean;
  resources: Record<ResourceName, ResourceResult>;
  counts: { items: number; selected: number; unread: number; starred: number };
  indexing?: Failure;
}

export interface Problem {
  id: number;
  at: string;
  where: 'main' | 'engine' | 'page';
  message: string;
}

export interface GuidePage {
  /** Untrusted Markdown. Sanitize it; never render it as HTML. */
  text: string;
  fetchedAt: string;
  stale: Failure | null;
}

/** Goes into bug reports: no secrets, titles or searches. */
export interface SyncHealth {
  resources: ResourceStatus[];
  files: { name: string; bytes: number }[];
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
  problems: Problem[];
  paused: boolean;
  pausedUntil: string | null;
  facts: { [name: string]: Json };
}

export const DEMO_KINDS = ['standard', 'harsh'] as const;
export type DemoKind = (typeof DEMO_KINDS)[number];

export function isDemoKind(text: string): text is DemoKind {
  return (DEMO_KINDS as readonly string[]).includes(text);
}

import type { GatewaySource } from '../../contract/model/gateway.ts';
import { isAcceptable, isModelList, RESOURCES, type ResourceName } from '../../contract/model/resource.ts';
import type {
  Confirming,
  NewsSource,
  ResourceStatus,
  StorageWarning,
  SyncProgress,
  SyncStatus,
} from '../../contract/model/sync-status.ts';
import { asTime } from '../../common/timestamp.ts';
import type { Pause, ScheduleState } from '../../store/index.ts';
import type { Doubt } from '../jobs/confirmation.ts';
import { wakeAt } from '../schedule/due-rules.ts';

/** Current activity of a resource. Unknown to a process that only reads. */
export interface Live {
  running: boolean;
  progress: SyncProgress | null;
}

interface StatusFacts {
  source: NewsSource;
  gateway: GatewaySource | null;
  reachable: boolean | null;
  pause: Pause | null;
  polling: SyncStatus['polling'];
  storageWarnings: StorageWarning[];
  selectedComplete: boolean;
  /** How many items are saved, hidden ones too. */
  stored: { all: number; selected: number };
  state(resource: ResourceName): ScheduleState | null;
  /** Until when the resource's service is paused by a Retry-After, in ms since 1970; in the past if it isn't. */
  pausedUntil(resource: ResourceName): number;
  /** Null for a resource with a maintained row count. */
  rows(resource: ResourceName): number | null;
  live(resource: ResourceName): Live;
  doubt(resource: ResourceName): Doubt | null;
}

const MOST_NAMED = 200;

/** Status of every resource, from the store and the running engine. */
export function syncStatus(facts: StatusFacts): SyncStatus {
  const resources = RESOURCES.map((name) => resourceStatus(name, facts));
  const ofNews = resources.filter(({ name }) => !isModelList(name));
  const successes = ofNews.map(({ lastSuccessAt }) => lastSuccessAt).filter((at) => at !== null);
  const { source, gateway, reachable, polling, storageWarnings, selectedComplete } = facts;
  const lastSuccessAt = successes.sort().at(-1) ?? null;
  const pause = facts.pause && { until: asTime(facts.pause.until) };
  return { source, gateway, resources, selectedComplete, lastSuccessAt, reachable, pause, polling, storageWarnings };
}

/** A table with one row per record of the resource. */
export function byResource<T>(row: (name: ResourceName) => T): Record<ResourceName, T> {
  return Object.fromEntries(RESOURCES.map((name) => [name, row(name)])) as Record<ResourceName, T>;
}

/** Ids for an event; null if there are so many that reloading the list is cheaper. */
export function namedIds(ids: string[]): string[] | null {
  return ids.length > MOST_NAMED ? null : ids;
}

function resourceStatus(
  name: ResourceName,
  { state: stateOf, pausedUntil, live, doubt, stored, rows, gateway, polling }: StatusFacts,
): ResourceStatus {
  const state = stateOf(name);
  const sleeps = isModelList(name) && gateway === null;
  return {
    name,
    ...live(name),
    lastTryAt: asTime(state?.requestedAt ?? null),
    lastSuccessAt: asTime(state?.answeredAt ?? null),
    nextDueAt: asTime(
      sleeps || !state || polling === 'byHand' ? null : Math.max(wakeAt(name, state), pausedUntil(name)),
    ),
    failures: state?.failures ?? 0,
    error: state?.failure ?? null,
    confirming: sleeps ? null : confirmingOf(name, doubt(name)),
    rows: sleeps ? 0 : (rows(name) ?? (name === 'selected' ? stored.selected : stored.all)),
  };
}

function confirmingOf(name: ResourceName, doubt: Doubt | null): Confirming | null {
  if (doubt === null) return null;
  const { since, stored, received, of } = doubt;
  const confirming = { since: asTime(since) ?? '', stored, received, ...(of !== undefined && { of }) };
  return isAcceptable(name) && of !== 'marked' ? { ...confirming, acceptable: true } : confirming;
}

import type { GatewaySource } from '../../contract/model/model.ts';
import { isAcceptable, isItemList, isModelList, RESOURCES, type ResourceName } from '../../contract/model/resource.ts';
import type {
  Confirming,
  NewsSource,
  ResourceStatus,
  StorageWarning,
  SyncProgress,
  SyncStatus,
} from '../../contract/model/sync-status.ts';
import type { SyncHealth } from '../../contract/model/sync-status.ts';
import { asTime } from '../../common/time.ts';
import type { Integrity, Pause, Queries, RunRecord, ScheduleState } from '../../store/index.ts';
import { savedDoubt, type Doubt } from '../jobs/confirmation.ts';
import { doubtAboutSet } from '../jobs/snapshot-checks.ts';
import { catalogueName } from './services.ts';
import { wakeAt } from '../schedule/due-rules.ts';

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
  queries: Queries;
  /** In ms since 1970. */
  now: number;
  state(resource: ResourceName): ScheduleState | null;
  pausedUntil(resource: ResourceName): number;
  /** Null for a resource with a maintained row count. */
  rows(resource: ResourceName): number | null;
  live(resource: ResourceName): Live;
}

const MOST_NAMED = 200;

export function syncStatus(facts: StatusFacts): SyncStatus {
  // Counts hidden ones, too.
  const stored = facts.queries.items.countStored();
  const resources = RESOURCES.map((name) => resourceStatus(name, facts, stored));
  const ofNews = resources.filter(({ name }) => !isModelList(name));
  const successes = ofNews.map(({ lastSuccessAt }) => lastSuccessAt).filter((at) => at !== null);
  const { source, gateway, reachable, polling, storageWarnings, queries } = facts;
  const { complete: selectedComplete } = queries.selectedSet;
  const lastSuccessAt = successes.sort().at(-1) ?? null;
  const pause = facts.pause && { until: asTime(facts.pause.until) };
  return { source, gateway, resources, selectedComplete, lastSuccessAt, reachable, pause, polling, storageWarnings };
}

export function byResource<T>(row: (name: ResourceName) => T): Record<ResourceName, T> {
  return Object.fromEntries(RESOURCES.map((name) => [name, row(name)])) as Record<ResourceName, T>;
}

/** Null if there are so many ids that reloading the list is cheaper. */
export function fewIds(ids: string[]): string[] | null {
  return ids.length > MOST_NAMED ? null : ids;
}

function resourceStatus(
  name: ResourceName,
  { state: stateOf, pausedUntil, live, rows, gateway, polling, queries, now }: StatusFacts,
  stored: { all: number; selected: number },
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
    confirming: sleeps ? null : confirmingOf(name, doubtOf(name, queries, now)),
    rows: sleeps ? 0 : (rows(name) ?? (name === 'selected' ? stored.selected : stored.all)),
  };
}

function confirmingOf(name: ResourceName, doubt: Doubt | null): Confirming | null {
  if (doubt === null) return null;
  const { since, stored, received, of } = doubt;
  const confirming = { since: asTime(since) ?? '', stored, received, ...(of !== undefined && { of }) };
  return isAcceptable(name) && of !== 'marked' ? { ...confirming, acceptable: true } : confirming;
}

const SHOWN_RUNS = 10;

interface HealthSources {
  queries: Pick<Queries, 'health' | 'schedule'>;
  status: SyncStatus;
  /** Set if it could not be saved. */
  integrity?: Integrity;
}

/** Has numbers, times and reasons, but no titles, searches or secrets. */
export function dataHealth({ queries, status, integrity }: HealthSources): SyncHealth {
  const { resources, source, gateway, selectedComplete, reachable, pause } = status;
  const runs = RESOURCES.flatMap((name) => queries.schedule.runs(name, SHOWN_RUNS)).sort(
    (a, b) => b.endedAt - a.endedAt,
  );
  return {
    resources,
    files: queries.health.sizes(),
    integrity: integrity ?? queries.health.integrity(),
    runs: runs.map(runInShort),
    // The core adds its problems: not all of them concern stored data.
    problems: [],
    paused: pause !== null,
    pausedUntil: pause?.until ?? null,
    facts: {
      source: source.demo ? 'demo' : source.address,
      sourceFrom: source.from,
      gateway: gateway && catalogueName(gateway),
      reachable,
      selectedComplete,
      storageWarnings: status.storageWarnings.map(({ file, reason }) => `${file}: ${reason}`),
    },
  };
}

function runInShort(run: RunRecord): SyncHealth['runs'][number] {
  const { resource, endedAt, status, requests, added, revised, withdrawn, skipped, skippedReasons } = run;
  const at = asTime(endedAt) ?? '';
  return { resource, at, status, requests, changes: added + revised + withdrawn, skipped, reasons: skippedReasons };
}

/** `now` is in ms since 1970. */
function doubtOf(
  resource: ResourceName,
  queries: Pick<Queries, 'mirror' | 'models' | 'items'>,
  now: number,
): Doubt | null {
  const { mirror, models, items } = queries;
  if (isModelList(resource)) {
    const held = models.findUnconfirmed(mirror.get('gateway') ?? '', resource);
    return held && { since: held.at, stored: held.saved, received: held.kept, of: held.of };
  }
  const doubt = savedDoubt(resource, mirror);
  if (!isItemList(resource)) return doubt;
  // Changes may have brought some, or have removed them.
  const parked = doubt === null ? 0 : items.countParked(resource === 'selected' ? 'member' : 'listed');
  if (doubt !== null && parked > 0) return { ...doubt, received: Math.max(0, doubt.stored - parked) };
  return resource === 'selected' ? doubtAboutSet(queries, now) : null;
}

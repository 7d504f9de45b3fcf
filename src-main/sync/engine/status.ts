import type { GatewaySource } from '../../contract/model/model.ts';
import { BroadsheetError, logFields } from '../../contract/errors.ts';
import { isAcceptable, isItemList, isModelList, RESOURCES, type ResourceName } from '../../contract/model/resource.ts';
import type {
  Confirming,
  NewsSource,
  ResourceStatus,
  StorageWarning,
  SyncHealth,
  SyncProgress,
  SyncResult,
  SyncStatus,
} from '../../contract/model/sync-status.ts';
import { asTime } from '../../common/time.ts';
import type { Doubt, Integrity, Pause, Queries, RunRecord, ScheduleState, Store } from '../../store/index.ts';
import type { Live, ResourceRunner } from '../jobs/resource-runner.ts';
import { doubtAboutSet } from '../jobs/snapshot-checks.ts';
import { wakeAt } from '../schedule/due-rules.ts';
import type { Polling } from '../schedule/polling.ts';
import type { GatewayConnection } from './network.ts';
import { serviceName } from './services.ts';
import type { EngineBase } from './types.ts';

interface StatusInputs {
  source: NewsSource;
  gateway: GatewaySource | null;
  reachable: boolean | null;
  pause: Pause | null;
  polling: SyncStatus['polling'];
  storageWarnings: StorageWarning[];
  queries: Queries;
  now: number;
  state(resource: ResourceName): ScheduleState | null;
  pausedUntil(resource: ResourceName): number;
  /** Null for items, whose rows are counted here. */
  rows(resource: ResourceName): number | null;
  live(resource: ResourceName): Live;
}

export function syncStatus(inputs: StatusInputs): SyncStatus {
  const stored = inputs.queries.items.countStored();
  const resources = RESOURCES.map((name) => resourceStatus(name, inputs, stored));
  const ofNews = resources.filter(({ name }) => !isModelList(name));
  const successes = ofNews.map(({ lastSuccessAt }) => lastSuccessAt).filter((at) => at !== null);
  const { source, gateway, reachable, polling, storageWarnings, queries } = inputs;
  const { complete: selectedComplete } = queries.selectedSet;
  const lastSuccessAt = successes.sort().at(-1) ?? null;
  const pause = inputs.pause && { until: asTime(inputs.pause.until) };
  return { source, gateway, resources, selectedComplete, lastSuccessAt, reachable, pause, polling, storageWarnings };
}

function resourceStatus(
  name: ResourceName,
  { state: stateOf, pausedUntil, live, rows, gateway, polling, pause, queries, now }: StatusInputs,
  stored: { all: number; selected: number },
): ResourceStatus {
  const state = stateOf(name);
  const sleeps = isModelList(name) && gateway === null;
  const isByHand = sleeps || polling === 'byHand' || pause?.until === null;
  return {
    name,
    ...live(name),
    lastTryAt: asTime(state?.requestedAt ?? null),
    lastSuccessAt: asTime(state?.answeredAt ?? null),
    nextDueAt: asTime(isByHand ? null : Math.max(wakeAt(name, state), pausedUntil(name), pause?.until ?? 0)),
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

/** Must contain no titles, searches or secrets. */
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
    // The core adds its problems.
    problems: [],
    paused: pause !== null,
    pausedUntil: pause?.until ?? null,
    facts: {
      source: source.demo ? 'demo' : source.address,
      sourceFrom: source.from,
      gateway: gateway && serviceName(gateway),
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

function doubtOf(
  resource: ResourceName,
  queries: Pick<Queries, 'mirror' | 'fetches' | 'items'>,
  now: number,
): Doubt | null {
  const { fetches, items } = queries;
  const doubt = fetches.get(resource)?.doubt ?? null;
  if (!isItemList(resource)) return doubt;
  // Changes may have brought or removed some.
  const parked = doubt === null ? 0 : items.parkedIds(resource === 'selected' ? 'member' : 'listed').length;
  if (doubt !== null && parked > 0) return { ...doubt, received: Math.max(0, doubt.stored - parked) };
  return resource === 'selected' ? doubtAboutSet(queries, now) : null;
}

const PROGRESS_EVERY = 250;

interface PublisherPorts extends EngineBase {
  warnings: StorageWarnings;
  gateway: GatewayConnection;
  polling: Polling;
  runners: Record<ResourceName, ResourceRunner>;
  pausedUntil(resource: ResourceName): number;
}

export class StatusPublisher {
  readonly #ports: PublisherPorts;
  #soon: NodeJS.Immediate | null = null;
  /** As last published: progress doesn't count them again. */
  readonly #rows = new Map<ResourceName, number | null>();
  #progressAt = -Infinity;
  #late: NodeJS.Timeout | null = null;

  constructor(ports: PublisherPorts) {
    this.#ports = ports;
  }

  get status(): SyncStatus {
    const { health } = this.#ports.store.queries;
    for (const name of RESOURCES) this.#rows.set(name, health.countRows(name));
    return this.#statusWithRows;
  }

  get #statusWithRows(): SyncStatus {
    const { clock, setup, warnings, store, gateway, polling, runners, settings, pausedUntil } = this.#ports;
    return syncStatus({
      source: setup.source,
      gateway: gateway.source,
      reachable: polling.reachable,
      pause: polling.pause,
      polling: settings.current.polling,
      storageWarnings: warnings.list(),
      queries: store.queries,
      now: clock.now(),
      state: (name) => runners[name].state,
      pausedUntil,
      live: (name) => runners[name].live,
      rows: (name) => this.#rows.get(name) ?? null,
    });
  }

  get totals(): SyncResult['counts'] {
    const { all, selected, starred } = this.#ports.store.queries.items.counts();
    return { items: all.total, selected: selected.total, unread: all.unread, starred: starred.total };
  }

  /** Publishes once for all resources that start or end in a turn of the event loop. */
  publishSoon(): void {
    this.#soon ??= setImmediate(() => this.publish());
  }

  flush(): void {
    if (this.#soon) this.publish();
  }

  /** Never throws, because syncs call it. */
  publish(): void {
    this.#emit(() => this.status);
  }

  publishProgress({ stored, expected }: SyncProgress): void {
    const now = this.#ports.clock.now();
    // The clock may have been set back.
    const elapsed = now - this.#progressAt;
    if (elapsed >= 0 && elapsed < PROGRESS_EVERY && stored !== expected) {
      this.#late ??= setTimeout(() => this.publishSoon(), PROGRESS_EVERY).unref();
      return;
    }
    this.#progressAt = now;
    // A status that is published soon may have other row counts.
    this.#emit(() => (this.#soon || this.#rows.size === 0 ? this.status : this.#statusWithRows));
  }

  #emit(status: () => SyncStatus): void {
    const { activity, emit, log } = this.#ports;
    if (this.#soon) clearImmediate(this.#soon);
    if (this.#late) clearTimeout(this.#late);
    this.#late = null;
    try {
      if (!activity.closing) emit('sync.changed', status());
    } catch (error) {
      log('warn', 'Publishing the sync status failed', logFields(error));
    }
    this.#soon = null;
  }
}

export class StorageWarnings {
  readonly #store: Store;
  #early: readonly StorageWarning[];

  constructor(early: readonly StorageWarning[], store: Store) {
    // The folder has the files that were set aside, and which of them are dismissed.
    this.#early = store.folder === ':memory:' ? early : early.filter(({ setAsideAs }) => setAsideAs === null);
    this.#store = store;
  }

  list(): StorageWarning[] {
    const { storageWarnings } = this.#store;
    const known = new Set(storageWarnings.map(idOf));
    return [...this.#early.filter((warning) => !known.has(idOf(warning))), ...storageWarnings];
  }

  /** `id`: the file that was set aside, else the file. Errors: `not_found`, `data_read_only`. */
  dismiss(id: string): void {
    const rest = this.#early.filter((warning) => idOf(warning) !== id);
    const isEarly = rest.length < this.#early.length;
    this.#early = rest;
    if (!this.#store.dismissWarning(id) && !isEarly) {
      throw new BroadsheetError('not_found', `There is no warning about ${id}.`);
    }
  }
}

function idOf({ file, setAsideAs }: StorageWarning): string {
  return setAsideAs ?? file;
}

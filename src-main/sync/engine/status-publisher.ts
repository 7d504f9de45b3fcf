import { BroadsheetError, toFailure } from '../../contract/errors.ts';
import type {
  NewsSource,
  StorageWarning,
  SyncProgress,
  SyncResult,
  SyncStatus,
} from '../../contract/model/sync-status.ts';
import { RESOURCES, type ResourceName } from '../../contract/model/resource.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';
import type { Activity } from './activity.ts';
import type { Emit } from '../../contract/events.ts';
import type { GatewayConnection } from './network.ts';
import type { Polling } from '../schedule/polling.ts';
import type { ResourceRunner } from '../jobs/resource-runner.ts';
import type { Pace } from '../schedule/types.ts';
import { syncStatus } from './status.ts';

/** In ms, between two events that only report progress. */
const PROGRESS_EVERY = 250;

interface PublisherPorts {
  clock: Clock;
  source: NewsSource;
  warnings: StorageWarnings;
  store: Store;
  gateway: GatewayConnection;
  polling: Polling;
  runners: Record<ResourceName, ResourceRunner>;
  activity: Activity;
  pace(): Pace;
  pausedUntil(resource: ResourceName): number;
  emit: Emit;
  log: Log;
}

export class StatusPublisher {
  readonly #ports: PublisherPorts;
  #soon: NodeJS.Immediate | null = null;
  /** As last published: progress counts no rows. */
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
    const { clock, source, warnings, store, gateway, polling, runners, pace, pausedUntil } = this.#ports;
    return syncStatus({
      source,
      gateway: gateway.source,
      reachable: polling.reachable,
      pause: polling.pause,
      polling: pace(),
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

  /** Publishes once, however many resources start or end before the event loop's next turn. */
  publishSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.publish();
    });
  }

  flush(): void {
    if (this.#soon) this.publish();
  }

  /** Never fails, because syncs call it: if reading the status fails, the next change publishes it. */
  publish(): void {
    this.#emit(() => this.status);
  }

  /** Only a few steps a second are worth an event, and the last one of a run. */
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
      log('warn', 'Publishing the sync status failed', { code: toFailure(error).code });
    }
    this.#soon = null;
  }
}

export class StorageWarnings {
  readonly #store: Store;
  #early: readonly StorageWarning[];

  constructor(early: readonly StorageWarning[], store: Store) {
    // The folder itself remembers the files that were set aside, and which of them are dealt with.
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

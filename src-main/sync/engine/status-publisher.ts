import { toFailure } from '../../contract/errors.ts';
import type { NewsSource, SyncProgress, SyncResult, SyncStatus } from '../../contract/model/sync-status.ts';
import { RESOURCES, type ResourceName } from '../../contract/model/resource.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';
import type { InFlight } from './in-flight.ts';
import type { Emit } from '../../contract/events.ts';
import type { GatewayConnection } from './gateway-connection.ts';
import type { Polling } from '../schedule/polling.ts';
import type { ResourceRunner } from '../jobs/resource-runner.ts';
import type { Pace } from '../schedule/types.ts';
import { doubtOf } from '../jobs/current-doubt.ts';
import { syncStatus } from './status.ts';
import type { StorageWarnings } from './storage-warnings.ts';

/** Shortest time in ms between two events that only report progress. */
const PROGRESS_EVERY = 250;

interface PublisherPorts {
  clock: Clock;
  source: NewsSource;
  storageWarnings: StorageWarnings;
  store: Store;
  gateway: GatewayConnection;
  polling: Polling;
  runners: Record<ResourceName, ResourceRunner>;
  calls: InFlight;
  pace(): Pace;
  pausedUntil(resource: ResourceName): number;
  emit: Emit;
  log: Log;
}

/** Publishes the engine's status. */
export class StatusPublisher {
  readonly #ports: PublisherPorts;
  #soon: NodeJS.Immediate | null = null;
  /** Row counts as last published: progress counts no rows. */
  readonly #rows = new Map<ResourceName, number | null>();
  #progressAt = -Infinity;
  /** Publishes the last progress of a burst. */
  #late: NodeJS.Timeout | null = null;

  constructor(ports: PublisherPorts) {
    this.#ports = ports;
  }

  get status(): SyncStatus {
    const { health } = this.#ports.store.queries;
    for (const name of RESOURCES) this.#rows.set(name, health.rows(name));
    return this.#statusWithRows;
  }

  get #statusWithRows(): SyncStatus {
    const { clock, source, storageWarnings, store, gateway, polling, runners, pace, pausedUntil } = this.#ports;
    return syncStatus({
      source,
      gateway: gateway.source,
      reachable: polling.reachable,
      pause: polling.pause,
      polling: pace(),
      storageWarnings: storageWarnings.list(),
      selectedComplete: store.queries.selectedSet.complete,
      stored: store.queries.items.stored(),
      state: (name) => runners[name].state,
      pausedUntil,
      live: (name) => runners[name].live,
      doubt: (name) => doubtOf(name, store.queries, clock.now()),
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

  /** Publishes now what {@link publishSoon} would publish. */
  flush(): void {
    if (this.#soon) this.publish();
  }

  /**
   * Called during syncs, which must not fail because of it: if reading the status fails, the next change publishes it.
   */
  publish(): void {
    this.#emit(() => this.status);
  }

  /** Called for every step of a sync. Only a few a second are worth an event, and the last one of a run. */
  publishProgress({ stored, expected }: SyncProgress): void {
    const now = this.#ports.clock.now();
    // A negative difference: the clock was set back.
    const elapsed = now - this.#progressAt;
    if (elapsed >= 0 && elapsed < PROGRESS_EVERY && stored !== expected) {
      this.#late ??= setTimeout(() => this.publishSoon(), PROGRESS_EVERY).unref();
      return;
    }
    this.#progressAt = now;
    // What is about to be published may have other row counts.
    this.#emit(() => (this.#soon || this.#rows.size === 0 ? this.status : this.#statusWithRows));
  }

  #emit(status: () => SyncStatus): void {
    const { calls, emit, log } = this.#ports;
    if (this.#soon) clearImmediate(this.#soon);
    if (this.#late) clearTimeout(this.#late);
    this.#late = null;
    try {
      if (!calls.closing) emit('sync.changed', status());
    } catch (error) {
      log('warn', 'Publishing the sync status failed', { code: toFailure(error).code });
    }
    this.#soon = null;
  }
}

import { toFailure } from '../../contract/errors.ts';
import type { NewsSource, StorageWarning, SyncResult, SyncStatus } from '../../contract/model/sync-status.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';
import type { InFlight } from './in-flight.ts';
import type { Emit } from '../../contract/events.ts';
import type { GatewayConnection } from './gateway-connection.ts';
import type { Polling } from '../schedule/polling.ts';
import type { ResourceRunner } from '../jobs/resource-runner.ts';
import type { Pace } from '../schedule/types.ts';
import { syncStatus } from './status.ts';

interface PublisherPorts {
  source: NewsSource;
  /** Problems found before the store was opened. */
  storageWarnings: readonly StorageWarning[];
  store: Store;
  gateway: GatewayConnection;
  polling: Polling;
  runners: Record<ResourceName, ResourceRunner>;
  calls: InFlight;
  pace(): Pace;
  emit: Emit;
  log: Log;
}

/** Publishes the engine's status. */
export class StatusPublisher {
  readonly #ports: PublisherPorts;
  #soon: NodeJS.Immediate | null = null;

  constructor(ports: PublisherPorts) {
    this.#ports = ports;
  }

  get status(): SyncStatus {
    const { source, storageWarnings, store, gateway, polling, runners, pace } = this.#ports;
    return syncStatus({
      source,
      gateway: gateway.source,
      reachable: polling.reachable,
      pause: polling.pause,
      polling: pace(),
      storageWarnings: [...storageWarnings, ...store.storageWarnings],
      selectedComplete: store.queries.selectedSet.complete,
      counts: store.queries.items.counts(),
      facts: (name) => runners[name].facts,
      live: (name) => runners[name].live,
      rows: (name) => store.queries.health.rows(name),
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
    const { calls, emit, log } = this.#ports;
    if (this.#soon) clearImmediate(this.#soon);
    this.#soon = null;
    if (calls.closing) return;
    try {
      emit('sync.changed', this.status);
    } catch (error) {
      log('warn', 'Publishing the sync status failed', { code: toFailure(error).code });
    }
  }
}

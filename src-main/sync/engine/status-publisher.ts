import { toFailure } from '../../contract/errors.ts';
import type { NewsSource, ResourceName, StoreNotice, SyncReport, SyncStatus } from '../../contract/model/item.ts';
import type { Log } from '../../contract/ports.ts';
import { explainStoreError } from '../../store/database/errors.ts';
import { countRows } from '../../store/database/row-counts.ts';
import type { StoreWriter } from '../../store/writer.ts';
import type { Calls } from './in-flight.ts';
import type { Emit } from './engine.ts';
import type { GatewayDesk } from './methods/gateway-methods.ts';
import type { Polling } from '../schedule/polling.ts';
import type { ResourceRunner } from '../jobs/resource-runner.ts';
import type { Pace } from '../schedule/due-rules.ts';
import { syncStatus } from './status.ts';

interface TellerPorts {
  source: NewsSource;
  /** What was found wrong before the store was opened. */
  notices: readonly StoreNotice[];
  store: StoreWriter;
  gateway: GatewayDesk;
  polling: Polling;
  runners: Record<ResourceName, ResourceRunner>;
  calls: Calls;
  pace(): Pace;
  emit: Emit;
  log: Log;
}

/** Says how the engine stands. */
export class StatusTeller {
  readonly #ports: TellerPorts;

  constructor(ports: TellerPorts) {
    this.#ports = ports;
  }

  get status(): SyncStatus {
    const { source, notices, store, gateway, polling, runners, pace } = this.#ports;
    return syncStatus({
      source,
      gateway: gateway.source,
      reachable: polling.reachable,
      pause: polling.pause,
      polling: pace(),
      notices: [...notices, ...store.notices],
      selectedComplete: store.selectedSet.complete,
      counts: store.counts(),
      facts: (name) => runners[name].facts,
      live: (name) => runners[name].live,
      rows: (name) => countRows(store.database, name),
    });
  }

  get totals(): SyncReport['counts'] {
    const { all, selected, starred } = this.#ports.store.counts();
    return { items: all.total, selected: selected.total, unread: all.unread, starred: starred.total };
  }

  /** Told in the middle of runs, which must not fail by it: what cannot be read now is told with the next change. */
  tell(): void {
    const { calls, emit, log } = this.#ports;
    if (calls.closing) return;
    try {
      emit('sync.changed', this.status);
    } catch (error) {
      log('warn', 'The state of a run could not be told.', { code: toFailure(explainStoreError(error)).code });
    }
  }
}

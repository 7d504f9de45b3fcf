import type { Api } from '../../../contract/api.ts';
import type { SyncStatus } from '../../../contract/model/sync-status.ts';
import type { Clock } from '../../../contract/ports.ts';
import { StoreHealth } from '../../../store/database/health.ts';
import type { StoreWriter } from '../../../store/writer.ts';
import { dataHealth } from '../health.ts';
import type { Polling } from '../../schedule/polling.ts';

export const POLLING_METHODS = ['sync.pause', 'sync.resume', 'sync.attend', 'health.check'] as const;
type PollingMethod = (typeof POLLING_METHODS)[number];
type Bodies = { [M in PollingMethod]: (args: Api[M]['args']) => Promise<Api[M]['result']> | Api[M]['result'] };

interface MethodPorts {
  clock: Clock;
  store: StoreWriter;
  polling: Polling;
  status(): SyncStatus;
  /** Something may be due sooner than it was, or rests. */
  onChange(): void;
}

/** The methods by which a reader has a say in the polling, and looks into its books. */
export function pollingMethods({ clock, store, polling, status, onChange }: MethodPorts): Bodies {
  const health = new StoreHealth(store.database);
  return {
    'sync.pause': ({ untilMs }) => {
      polling.rest(untilMs);
      onChange();
      return status();
    },
    'sync.resume': () => {
      polling.goOn();
      onChange();
      return status();
    },
    'sync.attend': ({ to }) => {
      polling.attend(to);
      onChange();
      return {};
    },
    'health.check': async () => {
      health.keep(await health.check(clock.now()));
      return dataHealth({ health, fetchLog: store.fetchLog, status: status() });
    },
  };
}

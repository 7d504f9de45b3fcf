import type { Api } from '../../../contract/api.ts';
import type { SyncStatus } from '../../../contract/model/item.ts';
import type { Clock } from '../../../contract/ports.ts';
import type { Store } from '../../../store/index.ts';
import { dataHealth } from '../health.ts';
import type { Polling } from '../../schedule/polling.ts';

export const POLLING_METHODS = ['sync.pause', 'sync.resume', 'sync.attend', 'health.check'] as const;
type PollingMethod = (typeof POLLING_METHODS)[number];
type Bodies = { [M in PollingMethod]: (args: Api[M]['args']) => Promise<Api[M]['result']> | Api[M]['result'] };

interface MethodPorts {
  clock: Clock;
  store: Store;
  polling: Polling;
  status(): SyncStatus;
  /** Something may be due sooner than it was, or rests. */
  onChange(): void;
}

/** The methods by which a reader has a say in the polling, and looks into its books. */
export function pollingMethods({ clock, store, polling, status, onChange }: MethodPorts): Bodies {
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
      const found = await store.queries.health.check(clock.now());
      store.transaction(({ integrity }) => {
        integrity.set(found);
      });
      return dataHealth({ queries: store.queries, status: status() });
    },
  };
}

import { TEN_YEARS } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { RESOURCES, type AcceptableResource, type ResourceName } from '../../contract/model/resource.ts';
import type { SyncResult, SyncStatus } from '../../contract/model/sync-status.ts';
import type { Clock } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';
import { dataHealth } from './status.ts';
import type { Urgency } from '../schedule/types.ts';
import type { Polling } from '../schedule/polling.ts';
import type { EngineBodies } from './types.ts';

interface MethodPorts {
  clock: Clock;
  store: Store;
  polling: Polling;
  status(): SyncStatus;
  run(urgency: Urgency, resources: readonly ResourceName[]): Promise<SyncResult>;
  accept(resource: AcceptableResource): void;
  check(): Promise<unknown>;
  onChange(): void;
}

export function syncMethods({ clock, store, polling, status, run, accept, check, onChange }: MethodPorts) {
  return {
    'sync.status': status,
    'sync.run': ({ urgency, resources }) => run(urgency, resources ?? RESOURCES),
    'sync.pause': ({ untilMs }) => {
      if (untilMs !== null && untilMs - clock.now() > TEN_YEARS) throw tooFarAhead();
      polling.rest(untilMs);
      onChange();
      return status();
    },
    'sync.resume': () => {
      polling.goOn();
      onChange();
      return status();
    },
    'sync.accept': ({ resource }) => {
      accept(resource);
      onChange();
      return status();
    },
    'sync.attend': ({ to }) => {
      polling.attend(to);
      onChange();
      return {};
    },
    'health.get': () => dataHealth({ queries: store.queries, status: status() }),
    'health.check': async () => {
      await check();
      return dataHealth({ queries: store.queries, status: status() });
    },
  } satisfies Partial<EngineBodies>;
}

function tooFarAhead(): BroadsheetError {
  return new BroadsheetError('invalid_argument', 'sync.pause: untilMs: must be at most ten years ahead');
}

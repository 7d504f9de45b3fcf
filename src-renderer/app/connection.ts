import { failureReasons, messageFor } from '../../src-main/common/i18n/labels.ts';
import type { SyncState } from '../features/sync-status/index.ts';
import type { Connection } from '../ui/page-context.ts';

/** Returns the state of the connection to the news service and the actions for it, for views. */
export function connectionOf(
  sync: SyncState,
  { openSettings, useDemo }: { openSettings: () => void; useDemo: () => void },
): Connection {
  return {
    get offline() {
      return sync.offline;
    },
    get lastSuccessAt() {
      // Reports may have been saved before the news.
      return sync.firstCopy ? null : (sync.status?.lastSuccessAt ?? null);
    },
    get address() {
      const source = sync.status?.source;
      return source && !source.demo ? source.address : null;
    },
    get problem() {
      return messageFor(failureReasons, sync.failure?.reason ?? '');
    },
    get useDemo() {
      return sync.status?.source.from === 'settings' ? useDemo : null;
    },
    get nextTryAt() {
      return sync.selected?.nextDueAt ?? null;
    },
    refresh: () => sync.refresh(),
    openSettings,
  };
}

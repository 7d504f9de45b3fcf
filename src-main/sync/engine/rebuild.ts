import { asTime } from '../../common/time.ts';
import { BroadsheetError, toFailure } from '../../contract/errors.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { SyncProgress } from '../../contract/model/sync-status.ts';
import type { Log } from '../../contract/ports.ts';
import { openUnfinishedMirror, type Store } from '../../store/index.ts';
import { DOUBTED_PART } from '../jobs/confirmation.ts';
import { syncItems } from '../jobs/items.ts';
import { downloadSelected } from '../jobs/selected.ts';
import { SyncContext, type SyncContextOptions } from '../jobs/sync-context.ts';
import { Indexing } from './indexing.ts';

interface RebuildPorts extends Pick<SyncContextOptions, 'store' | 'news' | 'clock' | 'serviceTime' | 'userPriority'> {
  mirror: string;
  log: Log;
  pausedUntil(): number;
  keepDays(): number | null;
  owner(): string;
  onProgress(resource: ResourceName, progress: SyncProgress | null): void;
}

/** Downloads the news into a new build (docs/decisions/046). If it fails, nothing has changed. */
export function createRebuild(ports: RebuildPorts): () => Promise<string> {
  let current: Promise<string> | null = null;
  return () => (current ??= download(ports).finally(() => (current = null)));
}

async function download(ports: RebuildPorts): Promise<string> {
  const { store, mirror, clock } = ports;
  if (store.folder === ':memory:') throw new BroadsheetError('not_supported', 'All data is in memory only.');
  checkPause(ports);
  const unfinished = openUnfinishedMirror({ folder: store.folder, source: mirror, now: () => clock.now() });
  try {
    await fill(unfinished.store, ports);
    return unfinished.finish();
  } catch (error) {
    checkPause(ports);
    const { code, message, retryable } = toFailure(error);
    throw new BroadsheetError(code, `${message} ${UNCHANGED}`, { retryable, cause: error });
  } finally {
    unfinished.discard();
  }
}

const DOWNLOADS = [
  ['selected', downloadSelected],
  ['items', syncItems],
] as const;

/** The rest is copied, and synced later. */
async function fill(fresh: Store, ports: RebuildPorts): Promise<void> {
  const { store, log, keepDays, owner } = ports;
  const indexing = new Indexing(fresh, { log, owner: owner(), onMentions: () => undefined });
  const createContext = (resource: ResourceName): SyncContext =>
    new SyncContext({
      ...ports,
      store: fresh,
      urgency: 'now',
      keepDays: keepDays(),
      emit: () => undefined,
      onWrite: () => undefined,
      onProgress: (progress) => {
        // A service need not say how many there are.
        const before = resource === 'selected' ? store.queries.items.countStored().selected : null;
        ports.onProgress(resource, { ...progress, expected: progress.expected ?? before });
      },
    });
  try {
    for (const [resource, download] of DOWNLOADS) {
      await download(createContext(resource)).finally(() => ports.onProgress(resource, null));
    }
    checkSize(store, fresh);
    await indexing.catchUp();
  } finally {
    await indexing.stop();
  }
}

const UNCHANGED = 'The news was not downloaded again, and what is saved is unchanged.';

function checkPause({ clock, pausedUntil }: RebuildPorts): void {
  const until = pausedUntil();
  if (until <= clock.now()) return;
  const message = `The service asks for no requests until ${String(asTime(until))}. ${UNCHANGED}`;
  throw new BroadsheetError('rate_limited', message, { retryable: true });
}

function checkSize(store: Store, fresh: Store): void {
  const { selectedSet, mirror } = fresh.queries;
  if (!selectedSet.complete || mirror.get('items_walked_at') === null) {
    throw new BroadsheetError('invalid_body', 'The service did not send everything.', { retryable: true });
  }
  const stored = store.queries.selectedSet.complete ? store.queries.items.countStored().selected : 0;
  const received = fresh.queries.items.countStored().selected;
  if (stored - received <= stored * DOUBTED_PART) return;
  const message = `The service sent ${String(received)} picks, but ${String(stored)} are saved.`;
  throw new BroadsheetError('invalid_body', message, { retryable: true });
}

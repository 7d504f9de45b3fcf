import { asTime } from '../../common/time.ts';
import { BroadsheetError, toFailure } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import { openUnfinishedMirror, type Store } from '../../store/index.ts';
import { doubtAbout } from '../jobs/confirmation.ts';
import { syncItems } from '../jobs/items.ts';
import { downloadSelected } from '../jobs/selected.ts';
import { SyncContext, type SyncContextOptions } from '../jobs/sync-context.ts';
import { Indexing } from './indexing.ts';

interface RebuildPorts extends Pick<SyncContextOptions, 'news' | 'clock' | 'serviceTime' | 'userPriority'> {
  /** Stays readable and is synced meanwhile. */
  store: Store;
  mirror: string;
  log: Log;
  pausedUntil(): number;
  keepDays(): number | null;
  owner(): string;
}

/** Downloads the news again, beside the mirror in use (docs/decisions/146). */
export class Rebuild {
  readonly #ports: RebuildPorts;
  #current: Promise<string> | null = null;

  constructor(ports: RebuildPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves with the name of a complete build, which takes the mirror's place when the files are opened again. If it
   * fails, nothing has changed. Errors: those of the service and of the store.
   */
  run(): Promise<string> {
    this.#current ??= this.#download().finally(() => {
      this.#current = null;
    });
    return this.#current;
  }

  async #download(): Promise<string> {
    const { store, mirror, clock } = this.#ports;
    if (store.folder === ':memory:') throw new BroadsheetError('not_supported', 'All data is in memory only.');
    this.#checkPause();
    const unfinished = openUnfinishedMirror({ folder: store.folder, source: mirror, now: () => clock.now() });
    try {
      await this.#fill(unfinished.store);
      return unfinished.finish();
    } catch (error) {
      this.#checkPause();
      const { code, message, retryable } = toFailure(error);
      throw new BroadsheetError(code, `${message} ${UNCHANGED}`, { retryable, cause: error });
    } finally {
      unfinished.discard();
    }
  }

  /** Downloads the selected set and the list of all items. The rest is taken over, and synced later. */
  async #fill(fresh: Store): Promise<void> {
    const { store, log, owner } = this.#ports;
    const indexing = new Indexing(fresh, { log, owner: owner(), onMentions: () => undefined });
    try {
      await downloadSelected(this.#runOn(fresh));
      await syncItems(this.#runOn(fresh));
      checkSize(store, fresh, this.#ports.clock.now());
      await indexing.catchUp();
    } finally {
      await indexing.stop();
    }
  }

  #runOn(store: Store): SyncContext {
    const { news, clock, serviceTime, userPriority, keepDays } = this.#ports;
    return new SyncContext({
      store,
      news,
      clock,
      serviceTime,
      userPriority,
      urgency: 'now',
      keepDays: keepDays(),
      emit: () => undefined,
      onWrite: () => undefined,
      onProgress: () => undefined,
    });
  }

  #checkPause(): void {
    const until = this.#ports.pausedUntil();
    if (until <= this.#ports.clock.now()) return;
    const message = `The service asks for no requests until ${String(asTime(until))}. ${UNCHANGED}`;
    throw new BroadsheetError('rate_limited', message, { retryable: true });
  }
}

const UNCHANGED = 'The news was not downloaded again, and what is saved is unchanged.';

/** Errors: `invalid_body` if the download is incomplete, or lacks much of what is saved. */
function checkSize(store: Store, fresh: Store, now: number): void {
  const { selectedSet, mirror } = fresh.queries;
  if (!selectedSet.complete || mirror.get('items_walked_at') === null) {
    throw new BroadsheetError('invalid_body', 'The service did not send everything.', { retryable: true });
  }
  const stored = store.queries.selectedSet.complete ? store.queries.items.countStored().selected : 0;
  const received = fresh.queries.items.countStored().selected;
  if (doubtAbout({ stored, missing: stored - received, received }, null, now) === null) return;
  const message = `The service sent ${String(received)} selected items, but ${String(stored)} are saved.`;
  throw new BroadsheetError('invalid_body', message, { retryable: true });
}

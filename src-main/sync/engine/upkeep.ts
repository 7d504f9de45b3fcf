import { BroadsheetError, logFields, toFailure } from '../../contract/errors.ts';
import { expireParkedMirrors, type CheckOptions, type CheckResult, type Store } from '../../store/index.ts';
import { horizonOf } from '../jobs/sync-context.ts';
import { DeviceSync } from '../devices/device-sync.ts';
import type { FollowUps } from './follow-ups.ts';
import type { Network } from './network.ts';
import type { EngineBase } from './types.ts';
import type { ServiceTime } from '../schedule/service-time.ts';

const HOUR = 3_600_000;
/** About 10 ms in one transaction. */
const DROP_BATCH = 200;
/** In ms, for syncs without news that are only in memory: a kill loses them (docs/decisions/188). */
const SAVED_AFTER = 10 * 60_000;

export type Upkeep = ReturnType<typeof createUpkeep>;

export function createUpkeep(base: EngineBase, { serviceTime }: Network, followUps: FollowUps) {
  const { store, activity } = base;
  const { indexing } = followUps;
  const sweep = createRetention(base, serviceTime, () =>
    followUps.itemsChanged({ added: 0, revised: 0, withdrawn: 0, ids: null }),
  );
  const sharing = createSharing(base, serviceTime, followUps);
  const checks = new IntegrityChecks(base);
  followUps.damage.on(() => checks.reportDamage());
  const backUp = createDailyBackup(base);
  const logSaver = createLogSaver(base);
  const expireMirrors = createMirrorExpiry(base, () => serviceTime.forDeleting);
  let polls = false;

  async function afterSync(): Promise<void> {
    await indexing.catchUp();
    if (activity.isIdle) await sweep();
    // For the texts of deleted items.
    await indexing.catchUp();
    if (activity.isIdle) expireMirrors();
    if (activity.isIdle) backUp();
    if (activity.isIdle) logSaver.afterSync();
    // A process that doesn't poll ends after this.
    if (activity.isIdle && !polls) await sharing.compare();
    if (activity.isIdle) indexing.checkpoint();
    const checked = activity.isIdle ? checks.checkIfDue() : null;
    if (!polls) await checked;
  }

  return {
    sharing,
    check: () => checks.check(),
    afterSync,
    saveLog: logSaver.save,
    start: (): void => {
      backUp();
      sharing.start();
      polls = true;
      // A check during a first load would keep the write-ahead logs growing.
      if (store.queries.selectedSet.complete) void checks.checkIfDue();
    },
    stop: (): Promise<unknown> => Promise.all([checks.stop(), sharing.stop()]),
  };
}

function createSharing(base: EngineBase, serviceTime: ServiceTime, followUps: FollowUps): DeviceSync {
  const { settings, setup, store } = base;
  store.stampWith(() => serviceTime.now);
  return new DeviceSync({
    ...base,
    now: () => serviceTime.now,
    keys: setup.folderKeys ?? [],
    settings: () => settings.current.shared,
    onArrivals: followUps.announceArrived,
  });
}

function createDailyBackup({ store, clock, log }: EngineBase): () => void {
  let restsSince: number | null = null;
  return () => {
    const now = clock.now();
    if (restsSince !== null && Math.abs(now - restsSince) < HOUR) return;
    restsSince = null;
    try {
      const outcome = store.backUpDaily();
      if (outcome === 'made') log('info', 'Backed up user.db');
      if (outcome === 'unchanged') restsSince = now;
    } catch (error) {
      restsSince = now;
      log('warn', 'Backing up user.db failed', logFields(error));
    }
  };
}

function createLogSaver({ store, clock, log }: EngineBase) {
  let unsavedSince: number | null = null;

  function save(): void {
    unsavedSince = null;
    try {
      store.saveLog();
    } catch (error) {
      const { code, message } = toFailure(error);
      log('error', message, { code });
    }
  }

  function afterSync(): void {
    if (!store.hasUnsavedLog) {
      unsavedSince = null;
      return;
    }
    unsavedSince ??= clock.now();
    if (Math.abs(clock.now() - unsavedSince) >= SAVED_AFTER) save();
  }

  return { save, afterSync };
}

/** Deletes the mirrors of unused services. `deletionTime` is null while no service confirms the clock. */
function createMirrorExpiry({ setup, settings, log }: EngineBase, deletionTime: () => number | null): () => void {
  let last: { at: number; days: number } | null = null;
  return () => {
    const { dataFolder } = setup;
    const [now, days] = [deletionTime(), settings.current.keepServicesDays];
    if (dataFolder === ':memory:' || now === null || days === null) return;
    if (last?.days === days && Math.abs(now - last.at) < HOUR) return;
    last = { at: now, days };
    try {
      const count = expireParkedMirrors(dataFolder, days, now);
      if (count > 0) log('info', 'Deleted downloaded news of services that are no longer used', { count });
    } catch (error) {
      log('warn', 'Deleting downloaded news of other services failed', logFields(error));
    }
  };
}

/** Due after an end without closing, and once a week. */
class IntegrityChecks {
  readonly #ports: EngineBase;
  readonly #store: Store;
  #running: Promise<CheckResult> | null = null;
  readonly #stop = new AbortController();

  constructor(ports: EngineBase) {
    this.#ports = ports;
    this.#store = ports.store;
  }

  /** Errors: the store's; `closed` if it is stopped. */
  check(): Promise<CheckResult> {
    return this.#run([]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running?.catch(() => undefined);
  }

  /** Waits for the check in progress, which a repair would stop. */
  reportDamage(): void {
    void (this.#running ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        if (!this.#stop.signal.aborted) this.#ports.onDamage?.();
      });
  }

  async checkIfDue(): Promise<void> {
    const { clock, log } = this.#ports;
    try {
      const { health } = this.#store.queries;
      if (health.isCheckDue(clock.now())) await this.#run(health.checkProgress(clock.now()));
    } catch (error) {
      if (!this.#stop.signal.aborted) log('warn', 'Checking the databases failed', logFields(error));
    }
  }

  #run(skip: readonly string[]): Promise<CheckResult> {
    this.#running ??= this.#check(skip).finally(() => (this.#running = null));
    return this.#running;
  }

  async #check(skip: readonly string[]): Promise<CheckResult> {
    const { clock, log, onDamage } = this.#ports;
    const done = [...skip];
    const { signal } = this.#stop;
    const found = await this.#find(clock.now(), { skip, signal, onStep: (name) => done.push(name) });
    if (!found) {
      this.#store.transaction(({ health }) => {
        health.setCheckProgress(clock.now(), done);
      });
      throw new BroadsheetError('closed', 'Broadsheet is closing. The check goes on when it is started again.');
    }
    if (!found.sound) log('warn', 'The databases are damaged', { reason: found.messages.join('; ') });
    try {
      this.#store.transaction(({ health }) => {
        health.setIntegrity(found);
      });
    } finally {
      if (!found.sound) onDamage?.();
    }
    return found;
  }

  async #find(at: number, options: CheckOptions): Promise<CheckResult | null> {
    const { checkFiles, log } = this.#ports;
    if (checkFiles && this.#store.folder !== ':memory:') {
      try {
        return await checkFiles(this.#store.folder, at, options);
      } catch (error) {
        log('warn', 'The thread that checks the databases failed', logFields(error));
      }
    }
    return this.#store.queries.health.check(at, options);
  }
}

/** Deletes items older than the user's limit, which don't count as withdrawn (docs/decisions/157). Does not reject. */
function createRetention(base: EngineBase, serviceTime: ServiceTime, onDrop: () => void): () => Promise<void> {
  const { store, clock, log, settings, activity } = base;
  let last: { at: number; days: number } | null = null;

  /** An incomplete snapshot doesn't show which items are outside the selected set. */
  function isWorthIt(days: number): boolean {
    const { selectedSet } = store.queries;
    if (!selectedSet.complete || selectedSet.openSnapshot !== null) return false;
    return last?.days !== days || Math.abs(clock.now() - last.at) >= HOUR;
  }

  return async () => {
    const days = settings.current.keepDays;
    const now = serviceTime.forDeleting;
    if (days === null || !isWorthIt(days) || now === null) return;
    let dropped = 0;
    try {
      let from: number | null = 0;
      while (from !== null && activity.isIdle) {
        const start: number = from;
        const slice = store.transaction(({ items }) => items.dropBefore(horizonOf(days, now), start, DROP_BATCH));
        from = slice.next;
        dropped += slice.dropped;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (from === null) last = { at: clock.now(), days };
    } catch (error) {
      log('warn', 'Deleting old items failed', logFields(error));
    }
    // Also after an interruption: nothing else reports what was deleted.
    if (dropped > 0) onDrop();
  };
}

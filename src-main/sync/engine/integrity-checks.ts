import { BroadsheetError, toFailure } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { CheckOptions, Integrity, Store } from '../../store/index.ts';
import type { CheckFiles } from './types.ts';

interface CheckPorts {
  store: Store;
  clock: Clock;
  log: Log;
  /** Checks outside this thread. Default: in this thread. */
  checkFiles?: CheckFiles | undefined;
  /** Called for damage, which is repaired when the files are opened again. */
  onDamage(): void;
}

/** Checks the databases for damage: after an end without closing, once a week, and when the reader asks. */
export class IntegrityChecks {
  readonly #ports: CheckPorts;
  #running: Promise<Integrity> | null = null;
  readonly #stop = new AbortController();

  constructor(ports: CheckPorts) {
    this.#ports = ports;
  }

  /** Checks now, or waits for the check in progress. Errors: the store's; `closed` if it is stopped. */
  check(): Promise<Integrity> {
    return this.#run([]);
  }

  /**
   * Stops the check in progress and waits for the end of its present step. What it has done is saved: the next one that is
   * due goes on there. Does not reject.
   */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running?.catch(() => undefined);
  }

  /** Other work has met damage. It is repaired after the check in progress, which that would stop. */
  damageMet(): void {
    void (this.#running ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        if (!this.#stop.signal.aborted) this.#ports.onDamage();
      });
  }

  #run(skip: readonly string[]): Promise<Integrity> {
    this.#running ??= this.#check(skip).finally(() => (this.#running = null));
    return this.#running;
  }

  /** Call it when idle. Does not reject. */
  async whenDue(): Promise<void> {
    const { store, clock, log } = this.#ports;
    try {
      const { health } = store.queries;
      if (health.isCheckDue(clock.now())) await this.#run(health.checkProgress(clock.now()));
    } catch (error) {
      if (!this.#stop.signal.aborted) log('warn', 'Checking the databases failed', { code: toFailure(error).code });
    }
  }

  async #check(skip: readonly string[]): Promise<Integrity> {
    const { store, clock, log, onDamage } = this.#ports;
    const done = [...skip];
    const { signal } = this.#stop;
    const found = await this.#find(clock.now(), { skip, signal, onStep: (name) => done.push(name) });
    if (!found) {
      store.transaction(({ integrity }) => {
        integrity.setProgress(clock.now(), done);
      });
      throw new BroadsheetError('closed', 'Broadsheet is closing. The check goes on when it is started again.');
    }
    if (!found.sound) log('warn', 'The databases are damaged', { found: found.messages.join('; ') });
    try {
      store.transaction(({ integrity }) => {
        integrity.set(found);
      });
    } finally {
      if (!found.sound) onDamage();
    }
    return found;
  }

  async #find(at: number, options: CheckOptions): Promise<Integrity | null> {
    const { store, checkFiles, log } = this.#ports;
    if (checkFiles && store.folder !== ':memory:') {
      try {
        return await checkFiles(store.folder, at, options);
      } catch (error) {
        log('warn', 'The thread that checks the databases failed', { code: toFailure(error).code });
      }
    }
    return store.queries.health.check(at, options);
  }
}

import { toFailure } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Integrity, Store } from '../../store/index.ts';

interface CheckPorts {
  store: Store;
  clock: Clock;
  log: Log;
  /** Checks the databases of a folder at this time (ms since 1970), outside this thread. Default: in this thread. */
  checkFiles?: ((folder: string, at: number) => Promise<Integrity>) | undefined;
  /** What was found is repaired when the files are opened again. */
  onDamage(): void;
}

/** Checks the databases for damage: after an end without closing, once a week, and when the reader asks. */
export class IntegrityChecks {
  readonly #ports: CheckPorts;
  #running: Promise<Integrity> | null = null;

  constructor(ports: CheckPorts) {
    this.#ports = ports;
  }

  /** Checks now, or waits for the check in progress. Errors: the store's. */
  check(): Promise<Integrity> {
    this.#running ??= this.#check().finally(() => (this.#running = null));
    return this.#running;
  }

  /** Call it when idle. Does not reject. */
  async whenDue(): Promise<void> {
    const { store, clock, log } = this.#ports;
    try {
      if (store.queries.health.isCheckDue(clock.now())) await this.check();
    } catch (error) {
      log('warn', 'Checking the databases failed', { code: toFailure(error).code });
    }
  }

  async #check(): Promise<Integrity> {
    const { store, clock, log, onDamage } = this.#ports;
    const found = await this.#find(clock.now());
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

  async #find(at: number): Promise<Integrity> {
    const { store, checkFiles, log } = this.#ports;
    if (checkFiles && store.folder !== ':memory:') {
      try {
        return await checkFiles(store.folder, at);
      } catch (error) {
        log('warn', 'The thread that checks the databases failed', { code: toFailure(error).code });
      }
    }
    return store.queries.health.check(at);
  }
}

import { toFailure } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';

/**
 * Wait in ms after an attempt that made no backup, because nothing had changed or it failed: syncs run every few
 * minutes.
 */
const REST = 3_600_000;

interface BackupPorts {
  clock: Clock;
  store: Store;
  log: Log;
}

/** Backs up user.db once a day. */
export class DailyBackup {
  readonly #ports: BackupPorts;
  /** No backup is tried before this time (ms since 1970). */
  #restsSince: number | null = null;

  constructor(ports: BackupPorts) {
    this.#ports = ports;
  }

  /** Backs up once a day if anything changed. A failure is only logged: the next attempt makes up for it. */
  make(): void {
    const { store, log, clock } = this.#ports;
    const now = clock.now();
    if (this.#restsSince !== null && Math.abs(now - this.#restsSince) < REST) return;
    this.#restsSince = null;
    try {
      const outcome = store.backUpDaily();
      if (outcome === 'made') log('info', 'Backed up user.db');
      if (outcome === 'unchanged') this.#restsSince = now;
    } catch (error) {
      this.#restsSince = now;
      log('warn', 'Backing up user.db failed', { code: toFailure(error).code });
    }
  }
}

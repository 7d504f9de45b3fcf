import { toFailure } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';

/** After a copy that was none, for nothing had changed or it failed: a round comes every few minutes. In ms. */
const REST = 3_600_000;

interface BackupPorts {
  clock: Clock;
  store: Store;
  log: Log;
}

/** Backs up user.db once a day. */
export class DailyBackup {
  readonly #ports: BackupPorts;
  /** Since when no copy is tried, ms since 1970. */
  #restsSince: number | null = null;

  constructor(ports: BackupPorts) {
    this.#ports = ports;
  }

  /** Once a day where anything changed. One that fails is made up for by the next: nothing else depends on it. */
  make(): void {
    const { store, log, clock } = this.#ports;
    const now = clock.now();
    if (this.#restsSince !== null && Math.abs(now - this.#restsSince) < REST) return;
    this.#restsSince = null;
    try {
      const outcome = store.backUpDaily();
      if (outcome === 'made') log('info', 'user.db was backed up');
      if (outcome === 'unchanged') this.#restsSince = now;
    } catch (error) {
      this.#restsSince = now;
      log('warn', 'user.db could not be backed up', { code: toFailure(error).code });
    }
  }
}

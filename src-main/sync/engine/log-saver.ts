import { toFailure } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';

/** Longest time in ms that syncs without news are only in memory. A kill loses them: see docs/decisions/041. */
const SAVED_AFTER = 10 * 60_000;

interface SaverPorts {
  store: Store;
  clock: Clock;
  log: Log;
}

/** Saves the parts of the fetch log that are only in memory: after a while, and when the engine closes. */
export class LogSaver {
  readonly #ports: SaverPorts;
  /** Since when something waits, in ms since 1970. */
  #waitsSince: number | null = null;

  constructor(ports: SaverPorts) {
    this.#ports = ports;
  }

  /** Call it after every sync. */
  afterRound(): void {
    const { store, clock } = this.#ports;
    if (!store.hasUnsavedLog) {
      this.#waitsSince = null;
      return;
    }
    this.#waitsSince ??= clock.now();
    if (Math.abs(clock.now() - this.#waitsSince) >= SAVED_AFTER) this.save();
  }

  /** A failure is only logged: the next sync tries again. */
  save(): void {
    const { store, log } = this.#ports;
    this.#waitsSince = null;
    try {
      store.saveLog();
    } catch (error) {
      const { code, message } = toFailure(error);
      log('error', message, { code });
    }
  }
}

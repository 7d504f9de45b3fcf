import { toFailure } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';
import { expireParkedMirrors } from '../../store/index.ts';

/** Time between two looks, in ms: mirrors expire after days. */
const LOOK_EVERY = 3_600_000;

interface ParkedMirrorsPorts {
  /** The data folder. */
  folder: string;
  /** ms since 1970; null while nobody confirms the clock, so that a clock that jumps deletes nothing. */
  deletionTime(): number | null;
  log: Log;
  /** The setting of this name. */
  keepServicesDays(): number | null;
}

/** Deletes the downloaded news of services that have not been used for a time named in the settings. */
export class ParkedMirrors {
  readonly #ports: ParkedMirrorsPorts;
  #last: { at: number; days: number } | null = null;

  constructor(ports: ParkedMirrorsPorts) {
    this.#ports = ports;
  }

  /** Call it when idle. A failure is only logged: the next look makes up for it. */
  expire(): void {
    const { folder, deletionTime, log, keepServicesDays } = this.#ports;
    const [now, days] = [deletionTime(), keepServicesDays()];
    if (folder === ':memory:' || now === null || days === null) return;
    if (this.#last?.days === days && Math.abs(now - this.#last.at) < LOOK_EVERY) return;
    this.#last = { at: now, days };
    try {
      const count = expireParkedMirrors(folder, days, now);
      if (count > 0) log('info', 'Deleted downloaded news of services that are no longer used', { count });
    } catch (error) {
      log('warn', 'Deleting downloaded news of other services failed', { code: toFailure(error).code });
    }
  }
}

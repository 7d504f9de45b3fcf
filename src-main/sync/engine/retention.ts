import { toFailure } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';
import type { ServiceTime } from '../schedule/service-time.ts';

const DAY = 24 * 3_600_000;
/** Time between two clean-ups; items age slowly. */
const SWEEP_EVERY = 3_600_000;
/** Items per transaction, which takes about 10 ms. */
const SLICE = 200;

interface RetentionPorts {
  store: Store;
  clock: Clock;
  serviceTime: ServiceTime;
  log: Log;
  /** Number of days before unselected items are deleted; null keeps them for ever. */
  keepDays(): number | null;
  /** False while the engine is busy: then the rest waits for the next clean-up. */
  mayGoOn(): boolean;
  /** Called after items were deleted. */
  onDrop(): void;
}

/**
 * Deletes items that are older than the user's limit, except those in the selected set or with a star or a note. They are not
 * withdrawn, and not reported as withdrawn (docs/decisions/020).
 */
export class Retention {
  readonly #ports: RetentionPorts;
  #last: { at: number; days: number } | null = null;

  constructor(ports: RetentionPorts) {
    this.#ports = ports;
  }

  /** Works in small transactions so that other work on this thread isn't held up. Does not reject. */
  async sweep(): Promise<void> {
    const days = this.#ports.keepDays();
    if (days === null || !this.#isWorthIt(days)) return;
    const { store, clock, serviceTime, log, mayGoOn, onDrop } = this.#ports;
    const now = serviceTime.forDeleting;
    if (now === null) return;
    const horizon = horizonOf(days, now);
    let dropped = 0;
    try {
      let slice = { dropped: 0, next: 0 as number | null };
      while (slice.next !== null && mayGoOn()) {
        slice = dropSlice(store, horizon, slice.next);
        dropped += slice.dropped;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (slice.next === null) this.#last = { at: clock.now(), days };
    } catch (error) {
      log('warn', 'Deleting old items failed', { code: toFailure(error).code });
    }
    // Also if the clean-up was interrupted: nothing else reports what it deleted.
    if (dropped > 0) onDrop();
  }

  /** Before a snapshot is complete, it isn't known which items are outside the selected set. */
  #isWorthIt(days: number): boolean {
    const { store, clock } = this.#ports;
    const { selectedSet } = store.queries;
    if (!selectedSet.complete || selectedSet.openSnapshot !== null) return false;
    const last = this.#last;
    return last?.days !== days || Math.abs(clock.now() - last.at) >= SWEEP_EVERY;
  }
}

function dropSlice(store: Store, horizon: number, from: number): { dropped: number; next: number | null } {
  return store.transaction(({ items }) => items.dropBefore(horizon, from, SLICE));
}

/** Items before this time are older than the given number of days. Times are ms since 1970. */
export function horizonOf(days: number, now: number): number {
  return now - days * DAY;
}

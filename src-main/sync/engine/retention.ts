import { toFailure } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { explainStoreError } from '../../store/database/errors.ts';
import { keyAt } from '../../store/items/time-key.ts';
import type { StoreWriter } from '../../store/writer.ts';

const DAY = 24 * 3_600_000;
/** Between two sweeps; items grow old slowly. */
const SWEEP_EVERY = 3_600_000;
/** Items a transaction: some 10 ms of work. */
const SLICE = 200;

interface RetentionPorts {
  store: StoreWriter;
  clock: Clock;
  log: Log;
  /** For how many days unselected items are kept; null for ever. */
  keepDays(): number | null;
  /** Whether nothing else is to do. What is left waits for the next sweep. */
  mayGoOn(): boolean;
  /** Items are gone from the lists. */
  onDrop(): void;
}

/**
 * Lets go of items that have become too old for the reader: those outside the selected set that nobody starred. They were not
 * withdrawn, and are not told of as such (docs/decisions/041).
 */
export class Retention {
  readonly #ports: RetentionPorts;
  #last: { at: number; days: number } | null = null;

  constructor(ports: RetentionPorts) {
    this.#ports = ports;
  }

  /** A slice at a time, so that whatever else waits for this thread gets its turn. Does not reject. */
  async sweep(): Promise<void> {
    const days = this.#ports.keepDays();
    if (days === null || !this.#isWorthIt(days)) return;
    const { store, clock, log, mayGoOn, onDrop } = this.#ports;
    const horizon = horizonOf(days, clock.now());
    let dropped = 0;
    try {
      let slice = { dropped: 0, next: 0 as number | null };
      while (slice.next !== null && mayGoOn()) {
        slice = store.dropBefore(horizon, slice.next, SLICE);
        dropped += slice.dropped;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (slice.next === null) this.#last = { at: clock.now(), days };
    } catch (error) {
      log('warn', 'Old items could not be dropped.', { code: toFailure(explainStoreError(error)).code });
    }
    // Also where something else has begun meanwhile: that one tells nothing of it.
    if (dropped > 0) onDrop();
  }

  /** Half a snapshot does not say yet what is outside the set. */
  #isWorthIt(days: number): boolean {
    const { store, clock } = this.#ports;
    if (!store.selectedSet.complete || store.selectedSet.openSnapshot !== null) return false;
    const last = this.#last;
    return last?.days !== days || Math.abs(clock.now() - last.at) >= SWEEP_EVERY;
  }
}

/** Items with lower keys are older than so many days. `now` in ms since 1970. */
export function horizonOf(days: number, now: number): number {
  return keyAt(now - days * DAY);
}

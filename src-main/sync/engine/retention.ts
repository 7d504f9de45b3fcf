import { toFailure } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { Store } from '../../store/index.ts';

const DAY = 24 * 3_600_000;
/** Between two sweeps; items grow old slowly. */
const SWEEP_EVERY = 3_600_000;
/** Items a transaction: some 10 ms of work. */
const SLICE = 200;

interface RetentionPorts {
  store: Store;
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
 * withdrawn, and are not told of as such (docs/decisions/020).
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
        slice = dropSlice(store, horizon, slice.next);
        dropped += slice.dropped;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (slice.next === null) this.#last = { at: clock.now(), days };
    } catch (error) {
      log('warn', 'Old items could not be dropped.', { code: toFailure(error).code });
    }
    // Also where something else has begun meanwhile: that one tells nothing of it.
    if (dropped > 0) onDrop();
  }

  /** Half a snapshot does not say yet what is outside the set. */
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

/** What is older than this is older than so many days. Times are ms since 1970. */
export function horizonOf(days: number, now: number): number {
  return now - days * DAY;
}

import { PURPOSE, SeededRandom } from './random.ts';

export interface ContentEvent {
  kind: 'item' | 'edit' | 'withdrawal' | 'backfill' | 'rebuild' | 'move';
  /** Milliseconds since 1970. */
  at: number;
  /** Counted since 1970. */
  slot: number;
}

export interface Pace {
  /** In ms. Each slot brings an item. */
  slot: number;
  /** In slots, like `withdrawalEvery`. */
  editEvery: number;
  withdrawalEvery: number;
  /** Adds sources with all they ever published, rebuilds the ledger, and moves the service. */
  harsh: boolean;
}

export const USUAL_PACE: Pace = { slot: 180_000, editEvery: 5, withdrawalEvery: 30, harsh: false };
/** 968 items a week, as seen on a real service. */
export const HARSH_PACE: Pace = { slot: 624_793, editEvery: 5, withdrawalEvery: 30, harsh: true };

const DAY = 86_400_000;
/** Weekdays in UTC. */
const BACKFILL_DAY = 2;
const REBUILD_DAY = 3;
const MOVE_DATE = 15;

/** Generates events in order of time, without end. */
export function* generateEvents(seed: number, start: number, pace = USUAL_PACE): Generator<ContentEvent, never> {
  for (let slot = Math.ceil(start / pace.slot); ; slot += 1) {
    const opens = slot * pace.slot;
    const span = pace.slot - 10_000;
    if (pace.harsh) yield* upheavals(opens, pace.slot, slot);
    yield { kind: 'item', slot, at: opens + new SeededRandom(seed, PURPOSE.item, slot).between(0, span) };
    if (slot % pace.editEvery === 0) yield { kind: 'edit', slot, at: opens + span + 4000 };
    if (slot % pace.withdrawalEvery === 0) yield { kind: 'withdrawal', slot, at: opens + span + 7000 };
  }
}

/** Yields only in the slot in which a day begins (UTC). */
function* upheavals(opens: number, length: number, slot: number): Generator<ContentEvent> {
  const day = new Date(opens);
  if (opens % DAY >= length) return;
  if (day.getUTCDay() === BACKFILL_DAY) yield { kind: 'backfill', slot, at: opens };
  if (day.getUTCDay() === REBUILD_DAY) yield { kind: 'rebuild', slot, at: opens };
  if (day.getUTCDate() === MOVE_DATE) yield { kind: 'move', slot, at: opens };
}

export function startOfHistory(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
}

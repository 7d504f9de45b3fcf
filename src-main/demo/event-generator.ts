import { PURPOSE, SeededRandom } from './random.ts';

/** A change of living content. */
export interface ContentEvent {
  kind: 'item' | 'edit' | 'withdrawal';
  /** Milliseconds since 1970. */
  at: number;
  /** Number of the three-minute slot it falls into, counted since 1970. */
  slot: number;
}

export const SLOT = 180_000;
const EDIT_EVERY = 5;
const WITHDRAWAL_EVERY = 30;

/** The events from a moment on, in order of time, without end: an item per slot, an edit every 5 slots, a withdrawal every 30. */
export function* generateEvents(seed: number, start: number): Generator<ContentEvent, never> {
  for (let slot = Math.ceil(start / SLOT); ; slot += 1) {
    const opens = slot * SLOT;
    yield { kind: 'item', slot, at: opens + new SeededRandom(seed, PURPOSE.item, slot).between(0, 170_000) };
    if (slot % EDIT_EVERY === 0) yield { kind: 'edit', slot, at: opens + 174_000 };
    if (slot % WITHDRAWAL_EVERY === 0) yield { kind: 'withdrawal', slot, at: opens + 177_000 };
  }
}

/** Living content begins with the first day of last month (UTC). */
export function startOfHistory(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
}

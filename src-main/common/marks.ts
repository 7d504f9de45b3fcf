/** Keys, stamps and conflict rules of marks that machines share through a folder (docs/decisions/131). Times are in ms. */
import { LATEST_TIME } from './time.ts';

/** `story` is the star of a story, `report` and `address` are read marks; a `setting`'s id is its name. */
export const MARK_KINDS = [
  'read',
  'star',
  'follow',
  'story',
  'report',
  'address',
  'favourite',
  'note',
  'saved',
  'mute',
  'setting',
] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** `service` is '' where none has the id. */
export interface MarkKey {
  kind: MarkKind;
  service: string;
  id: string;
}

export interface Stamp {
  /** Counts replacements of marks from a clock far ahead. */
  epoch: number;
  time: number;
  machine: string;
}

/** `value` is JSON in one spelling; null if removed. */
export interface Mark extends MarkKey, Stamp {
  value: string | null;
}

export type StampedValue = Omit<Mark, keyof MarkKey>;

export const MACHINE_ID = /^[0-9a-f]{16}$/;
/** A stamp further ahead than this comes from a wrong clock. */
export const FAR_AHEAD = 24 * 3_600_000;
export const LAST_EPOCH = 1_000;
const BEYOND_REASON = 1_000 * 365 * FAR_AHEAD;

/** In the last epoch, times must be near: then a later mark can replace each, whoever made it. */
export function isPlausible({ epoch, time }: Stamp, now: number): boolean {
  if (epoch > LAST_EPOCH || time > now + BEYOND_REASON) return false;
  return epoch < LAST_EPOCH || time <= now + FAR_AHEAD;
}

/** A total order, so that merging is the same in any order. Values with one stamp come from a copied data folder. */
export function wins(one: StampedValue, other: StampedValue | null): boolean {
  // An earlier version accepted epochs that nothing could follow.
  if (other === null || other.epoch > LAST_EPOCH) return true;
  if (one.epoch !== other.epoch) return one.epoch > other.epoch;
  if (one.time !== other.time) return one.time > other.time;
  if (one.machine !== other.machine) return one.machine > other.machine;
  return (one.value ?? '') > (other.value ?? '');
}

/**
 * Returns a stamp that always wins over `known`, even if this clock is slow. A stamp from far ahead is replaced in the
 * next epoch, or the wrong clock would decide until that time comes. `madeAt` is when the user acted, if known.
 */
export function nextStamp(
  known: Stamp | null,
  { now, madeAt, machine }: { now: number; madeAt: number | null; machine: string },
): Stamp {
  const time = Math.max(0, Math.min(madeAt ?? now, now));
  if (known === null || known.epoch > LAST_EPOCH) return { epoch: 0, time, machine };
  if (known.time > now + FAR_AHEAD && known.epoch < LAST_EPOCH) return { epoch: known.epoch + 1, time, machine };
  return { epoch: known.epoch, time: Math.min(LATEST_TIME, Math.max(time, known.time + 1)), machine };
}

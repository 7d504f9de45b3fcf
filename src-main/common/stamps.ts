/** Stamps say which of two values of a record stays (docs/decisions/131). Times are in ms. */

export interface Stamp {
  /** Counts replacements of values from a clock far ahead. */
  epoch: number;
  time: number;
  device: string;
}

/** `value` is JSON in one spelling; null if removed. */
export interface StampedValue extends Stamp {
  value: string | null;
}

export const DEVICE_ID = /^[0-9a-f]{16}$/;
/** A stamp further ahead than this comes from a wrong clock. */
export const FAR_AHEAD = 24 * 3_600_000;
export const LAST_EPOCH = 1_000;
const BEYOND_REASON = 1_000 * 365 * FAR_AHEAD;

/** In the last epoch, times must be near: then a later record can replace each, whoever made it. */
export function isPlausible({ epoch, time }: Stamp, now: number): boolean {
  if (epoch > LAST_EPOCH || time > now + BEYOND_REASON) return false;
  return epoch < LAST_EPOCH || time <= now + FAR_AHEAD;
}

/** A total order, so that merging is the same in any order. Values with one stamp come from a copied data folder. */
export function wins(one: StampedValue, other: StampedValue | null): boolean {
  if (other === null) return true;
  if (one.epoch !== other.epoch) return one.epoch > other.epoch;
  if (one.time !== other.time) return one.time > other.time;
  if (one.device !== other.device) return one.device > other.device;
  return (one.value ?? '') > (other.value ?? '');
}

/**
 * Marks that several machines share through a folder: their keys, their stamps, and which of two wins. Pure
 * (docs/decisions/131).
 */

/** `story` is the star of a story, `report` and `address` are read marks; the id of a `setting` is its name. */
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

/** Identifies the subject of a mark. `service` names the news service that the id belongs to; '' for none. */
export interface MarkKey {
  kind: MarkKind;
  service: string;
  id: string;
}

/** When a mark was made, in the order of all machines. */
export interface Stamp {
  /** How often a mark from a clock far ahead was replaced. */
  epoch: number;
  /** ms since 1970. */
  time: number;
  machine: string;
}

/** `value` is JSON in one spelling; null: removed. */
export interface Mark extends MarkKey, Stamp {
  value: string | null;
}

export type StampedValue = Omit<Mark, keyof MarkKey>;

/** The name of a machine in the folder: 16 hexadecimal digits. */
export const MACHINE_ID = /^[0-9a-f]{16}$/;
/** A stamp that is further ahead of a clock comes from a clock that is wrong. In ms. */
export const FAR_AHEAD = 24 * 3_600_000;
/** More than anyone replaces marks of wrong clocks. */
export const LAST_EPOCH = 1_000;
/** No clock is wrong by so much that it is the clock's fault, in ms. */
const BEYOND_REASON = 1_000 * 365 * FAR_AHEAD;
/** The last time that a date can have, in ms since 1970. */
export const LAST_TIME = 8_640_000_000_000_000;

/**
 * True if a mark from a file may have its stamp at the time `now`, in ms since 1970. In the last epoch no other one follows,
 * so its times must be near: then each mark can be replaced by a later one, whoever made it.
 */
export function isPlausible({ epoch, time }: Stamp, now: number): boolean {
  if (epoch > LAST_EPOCH || time > now + BEYOND_REASON) return false;
  return epoch < LAST_EPOCH || time <= now + FAR_AHEAD;
}

/**
 * Checks that `one` wins over `other`. This is a total order, so the result of merging is the same in any order, and merging
 * something again changes nothing. Two values with one stamp come from a copied data folder: the texts decide.
 */
export function wins(one: StampedValue, other: StampedValue | null): boolean {
  // An earlier version took epochs that nothing could follow.
  if (other === null || other.epoch > LAST_EPOCH) return true;
  if (one.epoch !== other.epoch) return one.epoch > other.epoch;
  if (one.time !== other.time) return one.time > other.time;
  if (one.machine !== other.machine) return one.machine > other.machine;
  return (one.value ?? '') > (other.value ?? '');
}

/**
 * The stamp of a mark that is made here, when `known` is the one that it replaces. It always wins over that one, even if
 * this clock is slow. A known stamp from far ahead is replaced in the next epoch, at this machine's time: otherwise the
 * clock that was wrong would decide about this mark until that time comes. `madeAt` is when the reader acted, if that is
 * known. Times are ms since 1970.
 */
export function nextStamp(
  known: Stamp | null,
  { now, madeAt, machine }: { now: number; madeAt: number | null; machine: string },
): Stamp {
  const time = Math.max(0, Math.min(madeAt ?? now, now));
  if (known === null || known.epoch > LAST_EPOCH) return { epoch: 0, time, machine };
  if (known.time > now + FAR_AHEAD && known.epoch < LAST_EPOCH) return { epoch: known.epoch + 1, time, machine };
  return { epoch: known.epoch, time: Math.min(LAST_TIME, Math.max(time, known.time + 1)), machine };
}

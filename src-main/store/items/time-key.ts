/** Items of the same second keep their order of arrival. */
const KEYS_PER_SECOND = 64;

export function keyAt(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000)) * KEYS_PER_SECOND;
}

export function timeOf(key: number): number {
  return Math.floor(key / KEYS_PER_SECOND) * 1000;
}

/** The local clock may be months behind; dates further ahead are errors. */
const MAX_AHEAD = 366 * 24 * 3_600_000;

/** Items discovered later after their publication were backfilled: they are no news. */
export const MAX_DELAY = 72 * 3_600_000;

export interface ItemTimes {
  discoveredAt: string | null;
  publishedAt: string | null;
}

/** Returns the discovery; for a backfilled item, the publication (document 1 section 4.1); else `now`. */
export function sortTime(item: ItemTimes, now: number): number {
  const discovered = parsePlausible(item.discoveredAt, now);
  const published = parsePlausible(item.publishedAt, now);
  if (discovered === null) return published ?? now;
  return published !== null && discovered - published > MAX_DELAY ? published : discovered;
}

/** Returns null for the same second, or without a plausible time. */
export function correctedTime(before: ItemTimes, after: ItemTimes, now: number): number | null {
  if (before.discoveredAt === after.discoveredAt && before.publishedAt === after.publishedAt) return null;
  const isKnown = parsePlausible(after.discoveredAt, now) !== null || parsePlausible(after.publishedAt, now) !== null;
  const time = sortTime(after, now);
  return isKnown && keyAt(time) !== keyAt(sortTime(before, now)) ? time : null;
}

/** Returns 0 if one of the times is missing or implausible. */
export function earliestTime(item: ItemTimes, now: number): number {
  return Math.min(
    parsePlausible(item.discoveredAt, now) ?? 0,
    parsePlausible(item.publishedAt ?? item.discoveredAt, now) ?? 0,
  );
}

export function latestTime(item: ItemTimes, now: number): number {
  return Math.max(parsePlausible(item.discoveredAt, now) ?? 0, parsePlausible(item.publishedAt, now) ?? 0) || now;
}

function parsePlausible(text: string | null, now: number): number | null {
  const ms = text === null ? NaN : Date.parse(text);
  return ms >= 0 && ms <= now + MAX_AHEAD ? ms : null;
}

/** Remembers the next free key of each busy second: thousands of items with the same time need one try each. */
export class SlotAllocator {
  readonly #next = new Map<number, number>();

  first(wanted: number): number {
    return this.#next.get(wanted) ?? wanted;
  }

  filled(wanted: number, key: number): void {
    if (this.#next.size > 10_000) this.#next.clear();
    this.#next.set(wanted, key + 1);
  }
}

export function isOlder(item: ItemTimes, time: number, now: number): boolean {
  return keyAt(sortTime(item, now)) < keyAt(time);
}

/** Compares by the later of both times: the service may list a backfilled item by either. */
export function isOlderByAnyTime(item: ItemTimes, time: number, now: number): boolean {
  return isOlder(item, time, now) && isOlder({ ...item, publishedAt: null }, time, now);
}

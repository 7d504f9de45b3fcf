/** Keys a second, so that items of one second keep their order of arrival. */
const KEYS_PER_SECOND = 64;

/** The first key of the second that holds this time in ms: where a window starts, or where an item would like to be. */
export function keyAt(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000)) * KEYS_PER_SECOND;
}

/** A clock of the reader that is months behind is no reason to doubt the service; the year 9999 is. */
const FARTHEST_AHEAD = 366 * 24 * 3_600_000;

/** When an item counts as discovered, in ms: the first of its times that can be read and be true, else `now`. */
export function sortTime(item: { discoveredAt: string | null; publishedAt: string | null }, now: number): number {
  for (const text of [item.discoveredAt, item.publishedAt]) {
    const ms = text === null ? NaN : Date.parse(text);
    if (ms >= 0 && ms <= now + FARTHEST_AHEAD) return ms;
  }
  return now;
}

/**
 * Remembers how far each crowded second is full, so that thousands of items with one and the same time cost one try each.
 */
export class SlotAllocator {
  readonly #next = new Map<number, number>();

  /** The key to try first for an item that would like to be at `wanted`. */
  first(wanted: number): number {
    return this.#next.get(wanted) ?? wanted;
  }

  /** An item that would have liked to be at `wanted` has got this key. */
  filled(wanted: number, key: number): void {
    if (this.#next.size > 10_000) this.#next.clear();
    this.#next.set(wanted, key + 1);
  }
}

/** Whether an item counts as older than `time`, to the second. Times are ms since 1970. */
export function isOlder(item: Parameters<typeof sortTime>[0], time: number, now: number): boolean {
  return keyAt(sortTime(item, now)) < keyAt(time);
}

/** Keys per second, so that items of the same second keep their order of arrival. */
const KEYS_PER_SECOND = 64;

/** The first key of the second of this time in ms: the start of a window, or the preferred key of an item. */
export function keyAt(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000)) * KEYS_PER_SECOND;
}

/** The local clock may be months behind; dates further ahead than this are errors. */
const FARTHEST_AHEAD = 366 * 24 * 3_600_000;

/** The time to sort an item by, in ms: the first plausible of its times, else `now`. */
export function sortTime(item: { discoveredAt: string | null; publishedAt: string | null }, now: number): number {
  for (const text of [item.discoveredAt, item.publishedAt]) {
    const ms = text === null ? NaN : Date.parse(text);
    if (ms >= 0 && ms <= now + FARTHEST_AHEAD) return ms;
  }
  return now;
}

/** Remembers the next free key of each busy second, so that thousands of items with the same time need one try each. */
export class SlotAllocator {
  readonly #next = new Map<number, number>();

  /** The key to try first for an item whose preferred key is `wanted`. */
  first(wanted: number): number {
    return this.#next.get(wanted) ?? wanted;
  }

  /** Records that an item with the preferred key `wanted` got this key. */
  filled(wanted: number, key: number): void {
    if (this.#next.size > 10_000) this.#next.clear();
    this.#next.set(wanted, key + 1);
  }
}

/** Whether an item is older than `time`, to the second. Times are ms since 1970. */
export function isOlder(item: Parameters<typeof sortTime>[0], time: number, now: number): boolean {
  return keyAt(sortTime(item, now)) < keyAt(time);
}

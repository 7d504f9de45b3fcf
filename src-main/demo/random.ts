/** Mixes numbers into a 32-bit one, the same on every machine. */
export function mix(...parts: number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = Math.imul(hash ^ (part | 0), 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash ^ Math.floor(part / 2 ** 32), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Each purpose has its own sequence of random numbers, so one can change without the others. */
export const PURPOSE = {
  item: 1,
  people: 2,
  newsEvent: 3,
  wording: 4,
  edit: 5,
  withdrawal: 6,
  id: 7,
  story: 8,
  ranking: 9,
  model: 10,
  modelCatalogue: 11,
  harsh: 12,
} as const;

/** mulberry32, repeatable. */
export class SeededRandom {
  #state: number;

  constructor(...parts: number[]) {
    this.#state = mix(...parts);
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('nothing to pick from');
    return list[Math.floor(this.next() * list.length)] as T;
  }

  some<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    const taken: T[] = [];
    while (taken.length < count && rest.length > 0)
      taken.push(...rest.splice(Math.floor(this.next() * rest.length), 1));
    return taken;
  }
}

export function drawId(seed: number, ...parts: number[]): string {
  const half = (salt: number) =>
    mix(seed, PURPOSE.id, salt, ...parts)
      .toString(36)
      .padStart(7, '0');
  return `c${half(1)}${half(2)}`;
}

import { createHash } from 'node:crypto';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Random choices that a seed repeats. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
}

export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (values) => values[between(0, values.length - 1)]!,
  };
}

/** The same number, at least 0 and less than 1, for the same text: for choices that don't depend on what came before. */
export function share(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32BE() / 2 ** 32;
}

/** An opaque identifier of the same text. */
export function digest(text: string, length = 12): string {
  return createHash('sha1').update(text).digest('hex').slice(0, length);
}

/** RFC 3339 in UTC, to the second. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** Calls functions at their times, in order. */
export interface Agenda {
  at(time: number, act: (time: number) => void): void;
  /** Calls all that is due until then, including what those calls add. */
  runUntil(time: number): void;
}

export function agenda(): Agenda {
  const waiting: { time: number; act: (time: number) => void }[] = [];
  return {
    at(time, act) {
      let [low, high] = [0, waiting.length];
      // The earliest is last; what has the same time keeps its order.
      while (low < high) {
        const middle = (low + high) >> 1;
        if (waiting[middle]!.time >= time) low = middle + 1;
        else high = middle;
      }
      while (low > 0 && waiting[low - 1]!.time === time) low -= 1;
      waiting.splice(low, 0, { time, act });
    },
    runUntil(time) {
      for (let last = waiting.at(-1); last && last.time <= time; last = waiting.at(-1)) {
        waiting.pop();
        last.act(last.time);
      }
    },
  };
}

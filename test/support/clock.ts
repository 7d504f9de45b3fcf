import type { Clock } from '../../src-main/contract/ports.ts';

/** A clock that only moves when a test advances it. */
export interface FakeClock extends Clock {
  /** Advances the time by `ms`. Due timers are called in order, each at its time, including those that other timers set. */
  advance(ms: number): void;
  /** The computer was asleep (`ms` above 0), or its clock was changed: timers keep their remaining time. */
  leap(ms: number): void;
  /** The number of active timers. */
  readonly pending: number;
  /** ms until the next timer; null without one. */
  readonly untilNext: number | null;
}

/** `start` is a time in RFC 3339, or milliseconds since 1970. */
export function fakeClock(start: string | number = '2026-03-18T06:30:00Z'): FakeClock {
  let now = typeof start === 'number' ? start : Date.parse(start);
  const timers = new Set<{ at: number; callback: () => void }>();
  const earliest = () =>
    [...timers].reduce<{ at: number; callback: () => void } | null>((a, b) => (a && a.at <= b.at ? a : b), null);
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + Math.max(0, ms), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = earliest(); timer && timer.at <= end; timer = earliest()) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.callback();
      }
      now = end;
    },
    leap(ms) {
      now += ms;
      for (const timer of timers) timer.at += ms;
    },
    get pending() {
      return timers.size;
    },
    get untilNext() {
      const next = earliest();
      return next && Math.max(0, next.at - now);
    },
  };
}

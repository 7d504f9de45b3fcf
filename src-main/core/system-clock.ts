import type { Clock } from '../contract/ports.ts';

/** The machine's own clock. Its timers do not keep a process alive by themselves. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

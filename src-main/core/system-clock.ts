import type { Clock } from '../contract/ports.ts';

/** Timers don't keep the process alive. */
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

import type { FakeClock } from './clock.ts';

/**
 * Lets `ms` pass for an engine that polls, a timer at a time, and waits for what each one wakes. Its scheduler is the only one
 * that sets timers on this clock, and sets the next one when its round is over: no timer means that a round goes on.
 * `onStep` is called after each.
 */
export async function drive(clock: FakeClock, ms: number, onStep: () => void = () => undefined): Promise<void> {
  const end = clock.now() + ms;
  await settled(clock);
  onStep();
  while (clock.now() < end) {
    clock.advance(Math.min(clock.untilNext ?? Infinity, end - clock.now()));
    await settled(clock);
    onStep();
  }
}

/** Waits until the round that goes on, if one does, is over. */
export async function settled(clock: FakeClock): Promise<void> {
  do await new Promise(setImmediate);
  while (clock.pending === 0);
}

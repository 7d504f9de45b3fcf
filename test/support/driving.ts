import type { FakeClock } from './clock.ts';

/**
 * Lets `ms` pass for an engine that polls, a timer at a time, and waits for what each one wakes. Its schedulers are the only
 * ones that set timers on this clock: one for the news, one for a gateway, if there is one. Each sets the next timer when its
 * round is over, so that a timer too few means that a round goes on. `onStep` is called after each.
 */
export async function drive(
  clock: FakeClock,
  ms: number,
  onStep: () => void = () => undefined,
  schedulers = 1,
): Promise<void> {
  const end = clock.now() + ms;
  await settled(clock, schedulers);
  onStep();
  while (clock.now() < end) {
    clock.advance(Math.min(clock.untilNext ?? Infinity, end - clock.now()));
    await settled(clock, schedulers);
    onStep();
  }
}

/** Waits until the rounds that go on, if any do, are over. */
export async function settled(clock: FakeClock, schedulers = 1): Promise<void> {
  do await new Promise(setImmediate);
  while (clock.pending < schedulers);
}

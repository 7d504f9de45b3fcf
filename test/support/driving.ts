import { NEWS_GROUPS } from '../../src-main/sync/schedule/scheduler.ts';
import type { FakeClock } from './clock.ts';

/**
 * Lets `ms` pass for an engine that polls, one timer at a time, and waits for the work that each one starts. Its
 * schedulers are the only ones that set timers on this clock: some for the news, one for a gateway, if there is one.
 * Each sets the next timer when its round is over, so a missing timer means that a round is running. `onStep` is called
 * after each. `services`: 1 for the news, 2 with a gateway.
 */
export async function drive(
  clock: FakeClock,
  ms: number,
  onStep: () => void = () => undefined,
  services = 1,
): Promise<void> {
  const end = clock.now() + ms;
  await settled(clock, services);
  onStep();
  while (clock.now() < end) {
    clock.advance(Math.min(clock.untilNext ?? Infinity, end - clock.now()));
    await settled(clock, services);
    onStep();
  }
}

/** Waits until the rounds that go on, if any do, are over. */
export async function settled(clock: FakeClock, services = 1): Promise<void> {
  do await new Promise(setImmediate);
  while (clock.pending < NEWS_GROUPS.length + services - 1);
}

import { describe, expect, it } from 'vitest';
import { fakeClock } from './clock.ts';

describe('the fake clock', () => {
  it('calls timers in order of time, each at its own time', () => {
    const clock = fakeClock(1000);
    const calls: [string, number][] = [];
    const note = (name: string) => () => calls.push([name, clock.now()]);
    clock.after(30, note('late'));
    clock.after(10, () => {
      note('early')();
      clock.after(5, note('set meanwhile'));
    });
    clock.after(31, note('not yet'));
    clock.advance(30);
    expect(calls).toEqual([
      ['early', 1010],
      ['set meanwhile', 1015],
      ['late', 1030],
    ]);
    expect([clock.now(), clock.pending]).toEqual([1030, 1]);
  });

  it('does not call a cancelled timer', () => {
    const clock = fakeClock(0);
    const cancel = clock.after(1, () => expect.unreachable());
    cancel();
    clock.advance(10);
    expect(clock.pending).toBe(0);
  });

  it('skips the time that a computer was asleep, forward and back, without shortening timers', () => {
    const clock = fakeClock(1_000);
    const calls: number[] = [];
    clock.after(60, () => calls.push(clock.now()));
    clock.leap(5_000);
    clock.leap(-2_000);
    expect([clock.now(), clock.untilNext, calls]).toEqual([4_000, 60, []]);
    clock.advance(60);
    expect([calls, clock.untilNext]).toEqual([[4_060], null]);
  });
});

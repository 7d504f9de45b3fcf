import { describe, expect, it } from 'vitest';
import { ServiceTime } from '../../../src-main/sync/schedule/service-time.ts';
import { fakeClock } from '../../support/clock.ts';

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

describe('the time of a service', () => {
  it('is that of its last response and what has passed since', () => {
    const clock = fakeClock(1_000 * YEAR);
    const time = new ServiceTime(clock);
    expect([time.now, time.forDeleting]).toEqual([1_000 * YEAR, null]);
    time.record(50 * YEAR);
    clock.advance(HOUR);
    expect([time.now, time.forDeleting]).toEqual([50 * YEAR + HOUR, 50 * YEAR + HOUR]);
  });

  it('is not used for long, nor after the clock was changed', () => {
    const clock = fakeClock(50 * YEAR);
    const time = new ServiceTime(clock);
    time.record(50 * YEAR);
    clock.advance(HOUR + 1);
    expect([time.now, time.forDeleting]).toEqual([50 * YEAR + HOUR + 1, null]);
    clock.leap(-2 * HOUR);
    expect(time.forDeleting).toBeNull();
  });

  it('decides nothing while this clock is behind or about equal', () => {
    const clock = fakeClock(50 * YEAR);
    const time = new ServiceTime(clock);
    for (const date of [50 * YEAR - HOUR, 50 * YEAR, 60 * YEAR]) {
      time.record(date);
      expect(time.forDeleting).toBe(50 * YEAR);
    }
  });
});

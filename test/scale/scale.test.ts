import { beforeAll, describe, expect, it } from 'vitest';
import { serviceWeek } from './service-week.ts';
import { simulate } from './simulate.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** A Monday in Shanghai. */
const START = Date.parse('2026-11-16T00:00:00+08:00');
const READERS = 300;

/** For a guarantee that holds for each of them. */
const FEW = 60;

const monday = serviceWeek({ start: START, days: 1, seed: 1 });
let usual: ReturnType<typeof simulate>;
beforeAll(() => {
  usual = simulate(monday, READERS, 1);
});

describe('many readers of one service', () => {
  it('get a report within five minutes, if their computer is on', () => {
    const { waits } = usual;
    expect(waits.daily.length).toBeGreaterThan(READERS / 3);
    expect(waits.weekly.length).toBeGreaterThan(READERS / 3);
    expect(Math.max(...waits.daily, ...waits.weekly)).toBeLessThan(5 * MINUTE);
  });

  it('get a late one within five minutes, too', () => {
    const thursday = serviceWeek({ start: START, days: 4, seed: 1 });
    const late = thursday.publications.find((one) => one.late > MINUTE);
    const { waits } = simulate({ ...thursday, publications: late ? [late] : [] }, FEW, 1);
    expect(waits.daily.length).toBeGreaterThan(FEW / 3);
    expect(Math.max(...waits.daily)).toBeLessThan(5 * MINUTE);
  });

  it('spread their requests after publication', () => {
    const minutes = usual.minutes();
    const busiest = Math.max(...minutes.map(({ mean }) => mean));
    const mean = usual.requests / (24 * 3600);
    expect(busiest).toBeLessThan(4 * mean);
  });

  it('ask for little that they have', () => {
    expect(usual.notModifiedShare).toBeGreaterThan(0.6);
    expect(usual.requests / READERS).toBeLessThan(1500);
  });

  it('wait as long as a Retry-After says, and come back spread', () => {
    const outage = { from: START + 14 * HOUR, until: START + 14 * HOUR + 10 * MINUTE, retryAfter: 2 * MINUTE };
    const tally = simulate({ ...monday, outage }, READERS, 1);
    const before = tally.peak(outage.from - HOUR, outage.from);
    // Each reader is refused once in two minutes.
    expect(tally.byAnswer.get('refused')).toBeLessThanOrEqual(READERS * 6);
    expect(tally.peak(outage.until, outage.until + 10 * MINUTE)).toBeLessThan(5 * before);
  });

  it('do the same again from the same seed', () => {
    const [one, other] = [simulate(monday, 20, 9), simulate(monday, 20, 9)];
    expect(one.perSecond).toEqual(other.perSecond);
    expect(simulate(monday, 20, 10).perSecond).not.toEqual(one.perSecond);
  });
});

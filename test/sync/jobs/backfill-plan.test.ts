import { describe, expect, it } from 'vitest';
import type { ReportFacts } from '../../../src-main/store/index.ts';
import { BOUNDS, nextRetryIn, planBackfill, revalidationInterval } from '../../../src-main/sync/jobs/reports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-18T06:30:00Z');

/** Returns a stored report that is `days` days old and was requested `asked` ms ago. */
function copy(days: number, asked: number | null, rest: Partial<ReportFacts> = {}): ReportFacts {
  const generatedAt = new Date(NOW - days * DAY).toISOString();
  const label = generatedAt.slice(0, 10);
  const requestedAt = asked === null ? null : NOW - asked;
  const fine = { checkedAt: requestedAt, goneAt: null, failures: 0, backoff: 0 };
  return { label, stored: true, generatedAt, lifetime: 5 * MINUTE, requestedAt, ...fine, ...rest };
}
const missing = (days: number, asked: number | null = null) => copy(days, asked, { stored: false, lifetime: 0 });
const planned = (facts: ReportFacts, urgency: 'due' | 'permitted' | 'now' = 'due') =>
  planBackfill([facts], NOW, urgency).labels.length === 1;

describe('a saved report is checked again', () => {
  // Holds: news-1-never-immutable
  it.each([
    ['of today', 0, 4 * HOUR],
    ['of yesterday', 1, 4 * HOUR],
    ['of the day before', 2, DAY],
    ['of this week', 6, DAY],
    ['of last week', 7, 7 * DAY],
    ['of this month', 29, 7 * DAY],
    ['of the months before', 30, 30 * DAY],
    ['of half a year ago', 179, 30 * DAY],
    ['of long ago', 180, 90 * DAY],
  ])('%s (%i days) every %i ms', (_what, days, every) => {
    expect(revalidationInterval(days * DAY, 0)).toBe(every);
    expect(planned(copy(days, every))).toBe(true);
    expect(planned(copy(days, every - 1))).toBe(false);
  });

  it('never within its lifetime, unless everything is fetched now', () => {
    expect(revalidationInterval(0, 5 * HOUR)).toBe(5 * HOUR);
    const held = copy(0, 4 * HOUR, { lifetime: 5 * HOUR });
    expect([planned(held), planned(held, 'permitted'), planned(held, 'now')]).toEqual([false, false, true]);
  });

  it('by its label if it has no time, and like a week-old one if the label is no date', () => {
    const timeless = (label: string, asked: number) => planned(copy(0, asked, { generatedAt: null, label }));
    expect(timeless('2026-03-18', 4 * HOUR)).toBe(true);
    expect(timeless('2026-W12', 6 * DAY)).toBe(false);
    expect(timeless('2026-W12', 7 * DAY)).toBe(true);
  });

  it('after a week if it was gone, and after the clock was set back', () => {
    expect(planned(copy(0, 6 * DAY, { goneAt: NOW }))).toBe(false);
    expect(planned(copy(0, 7 * DAY, { goneAt: NOW }))).toBe(true);
    expect(planned(copy(0, -5 * HOUR))).toBe(true);
  });
});

describe('while every installation asks for a new report', () => {
  it('saved ones are not checked again, but for the reader who asks, and what is left waits', () => {
    const all = [missing(0), copy(1, 5 * HOUR)];
    const plan = (urgency: 'due' | 'permitted') => planBackfill(all, NOW, urgency, { inRush: true });
    const both = ['2026-03-18', '2026-03-17'];
    expect(plan('due')).toEqual({ labels: ['2026-03-18'], more: false, postponed: true });
    expect(plan('permitted')).toEqual({ labels: both, more: false, postponed: false });
    expect(planBackfill(all, NOW, 'due')).toEqual({ labels: both, more: false, postponed: false });
  });
});

describe('a missing report is fetched', () => {
  const failed = (ago: number, rest: Partial<ReportFacts> = {}) =>
    copy(3, ago, { stored: false, lifetime: 0, failures: 1, backoff: 6 * HOUR, ...rest });

  it('at once, and again after its delay if it failed', () => {
    expect([planned(missing(3)), planned(failed(6 * HOUR - 1)), planned(failed(6 * HOUR))]).toEqual([
      true,
      false,
      true,
    ]);
    expect(planned(failed(MINUTE), 'now')).toBe(true);
    expect(planned(failed(-7 * HOUR))).toBe(true);
  });

  it('after a failure behind the others, and a saved one after its delay, too', () => {
    const all = [failed(7 * HOUR, { label: '2026-03-17' }), missing(2), missing(4)];
    expect(planBackfill(all, NOW, 'due').labels).toEqual(['2026-03-16', '2026-03-14', '2026-03-17']);
    const again = (ago: number) => copy(40, ago, { failures: 2, backoff: 10 * MINUTE });
    expect([planned(again(10 * MINUTE - 1)), planned(again(10 * MINUTE))]).toEqual([false, true]);
  });

  it('again at the end of the shortest delay', () => {
    expect(nextRetryIn([missing(1), copy(2, HOUR)], NOW)).toBeNull();
    expect(nextRetryIn([failed(HOUR), failed(2 * HOUR), missing(1)], NOW)).toBe(4 * HOUR);
    expect(nextRetryIn([failed(9 * HOUR)], NOW)).toBe(0);
  });

  it('before saved ones, newest first, up to a limit per sync', () => {
    const all = [
      copy(0, 5 * HOUR),
      ...Array.from({ length: 40 }, (_, day) => (day % 2 ? missing(day + 1) : copy(day + 1, 91 * DAY))),
    ];
    const { labels, more } = planBackfill(all, NOW, 'due');
    const stored = new Map(all.map((facts) => [facts.label, facts.stored]));
    expect(labels.map((label) => stored.get(label))).toEqual([
      ...Array.from({ length: BOUNDS.missing }, () => false),
      ...Array.from({ length: BOUNDS.revalidated }, () => true),
    ]);
    expect(labels.slice(0, BOUNDS.missing)).toEqual(labels.slice(0, BOUNDS.missing).sort().reverse());
    expect(more).toBe(true);
  });

  it('with all others when everything is fetched now', () => {
    const all = Array.from({ length: 200 }, (_, day) => (day % 2 ? missing(day) : copy(day, MINUTE)));
    expect(planBackfill(all, NOW, 'now')).toMatchObject({ more: false, labels: { length: 200 } });
  });
});

import { describe, expect, it } from 'vitest';
import type { ScheduleFacts } from '../../src-main/store/journal.ts';
import {
  INTERVAL,
  dueAfterAnswer,
  dueAfterFailure,
  mayAsk,
  reanchored,
  wakeAt,
  type Urgency,
} from '../../src-main/sync/schedule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NOW = Date.parse('2026-03-18T06:30:00Z');
const ALMOST_ONE = 1 - Number.EPSILON;

function factsWith(facts: Partial<ScheduleFacts>): ScheduleFacts {
  const idle = { askedAt: NOW, answeredAt: NOW, lifetime: MINUTE, retryAfter: 0, dueAt: NOW + 3 * MINUTE };
  return { ...idle, failures: 0, failure: null, ...facts };
}

describe('after an answer', () => {
  it.each([
    ['no lifetime', 0, INTERVAL.items],
    ['a shorter lifetime', 60 * SECOND, INTERVAL.items],
    ['a longer lifetime', 300 * SECOND, 300 * SECOND],
    ['a day', 24 * 60 * MINUTE, 24 * 60 * MINUTE],
  ])('with %s, the floor is the longer of interval and lifetime', (_, lifetime, floor) => {
    expect(dueAfterAnswer('items', NOW, lifetime, 0) - NOW).toBe(floor);
    const latest = dueAfterAnswer('items', NOW, lifetime, ALMOST_ONE) - NOW;
    expect(latest).toBeGreaterThanOrEqual(floor);
    expect(latest).toBeLessThanOrEqual(floor * 1.1);
  });
});

describe('after failures', () => {
  it.each([
    [1, 0.5],
    [2, 1],
    [3, 2],
    [4, 4],
    [5, 8],
    [6, 16],
    [7, 30],
    [8, 30],
    [1000, 30],
    [100_000, 30],
  ])('the %d. in a row waits %d minutes', (failures, minutes) => {
    expect(dueAfterFailure(NOW, failures, 0, 0) - NOW).toBe(minutes * MINUTE);
    expect(dueAfterFailure(NOW, failures, 0, ALMOST_ONE) - NOW).toBeLessThanOrEqual(minutes * MINUTE * 1.1);
  });

  it.each([
    [1, 5 * SECOND, 30 * SECOND],
    [1, 90 * SECOND, 90 * SECOND],
    [9, 24 * 60 * MINUTE, 24 * 60 * MINUTE],
  ])('the %d. with a Retry-After of %d ms waits %d ms', (failures, retryAfter, wait) => {
    expect(dueAfterFailure(NOW, failures, retryAfter, 0) - NOW).toBe(wait);
  });
});

describe('may it be asked', () => {
  const cases: [string, Partial<ScheduleFacts>, ms: number, Record<Urgency, boolean>][] = [
    ['at once after an answer', {}, 0, { due: false, permitted: false, now: true }],
    ['just before its lifetime ends', {}, MINUTE - 1, { due: false, permitted: false, now: true }],
    ['when its lifetime ends', {}, MINUTE, { due: false, permitted: true, now: true }],
    ['just before it is due', {}, 3 * MINUTE - 1, { due: false, permitted: true, now: true }],
    ['when it is due', {}, 3 * MINUTE, { due: true, permitted: true, now: true }],
    [
      'while a Retry-After runs',
      { retryAfter: MINUTE, lifetime: 0 },
      MINUTE - 1,
      { due: false, permitted: false, now: false },
    ],
    [
      'while a Retry-After outlives the due time',
      { retryAfter: 9 * MINUTE, lifetime: 0, dueAt: 0 },
      5 * MINUTE,
      { due: false, permitted: false, now: false },
    ],
    [
      'when a Retry-After has passed',
      { retryAfter: MINUTE, lifetime: 0 },
      MINUTE,
      { due: false, permitted: true, now: true },
    ],
  ];
  const table = cases.flatMap(([when, facts, ms, answers]) =>
    Object.entries(answers).map(([urgency, answer]) => ({ when, urgency: urgency as Urgency, answer, facts, ms })),
  );

  it.each(table)('$when, if $urgency: $answer', ({ urgency, answer, facts, ms }) => {
    expect(mayAsk(factsWith(facts), NOW + ms, urgency)).toBe(answer);
  });

  it.each(['due', 'permitted', 'now'] as const)('for the first time, if %s', (urgency) => {
    expect(mayAsk(null, NOW, urgency)).toBe(true);
    expect(wakeAt(null)).toBeLessThanOrEqual(NOW);
  });

  it('at the very moment at which the timer wakes', () => {
    for (const facts of [factsWith({}), factsWith({ retryAfter: 9 * MINUTE, dueAt: 0 })]) {
      expect(mayAsk(facts, wakeAt(facts), 'due')).toBe(true);
      expect(mayAsk(facts, wakeAt(facts) - 1, 'due')).toBe(false);
    }
  });
});

describe('a clock that was set back', () => {
  const year = 365 * 24 * 60 * MINUTE;

  it.each([SECOND, 60 * MINUTE, year])('by %d ms keeps every span and starves nothing', (back) => {
    const facts = factsWith({ retryAfter: 2 * MINUTE });
    const now = NOW - back;
    const moved = reanchored(facts, now);
    expect(moved).toMatchObject({ askedAt: now, answeredAt: now, lifetime: MINUTE, retryAfter: 2 * MINUTE });
    expect(moved.dueAt - now).toBe(3 * MINUTE);
    expect(mayAsk(moved, now + 2 * MINUTE - 1, 'now')).toBe(false);
    expect(mayAsk(moved, now + 2 * MINUTE, 'now')).toBe(true);
    expect(mayAsk(moved, now + 3 * MINUTE, 'due')).toBe(true);
  });

  it('leaves facts alone that lie in the past', () => {
    const facts = factsWith({ askedAt: NOW - 1 });
    expect(reanchored(facts, NOW)).toBe(facts);
  });
});

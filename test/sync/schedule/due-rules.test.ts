import { REGISTRY } from '../../../src-main/sync/jobs/registry.ts';
import { describe, expect, it } from 'vitest';
import type { ResourceName } from '../../../src-main/contract/model/resource.ts';
import type { ScheduleState } from '../../../src-main/store/index.ts';
import {
  dueAfterAnswer,
  dueAfterFailure,
  dueAfterRefusal,
  mayFetch,
  permittedAt,
  withClockCorrected,
  resume,
  wakeAt,
  type Moment,
  withAnotherKey,
} from '../../../src-main/sync/schedule/due-rules.ts';
import { isNetworkFailure } from '../../../src-main/sync/jobs/record-failures.ts';
import type { Urgency } from '../../../src-main/sync/jobs/sync-context.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;
const NOW = Date.parse('2026-03-18T06:30:00Z');
const ALMOST_ONE = 1 - Number.EPSILON;
/** Also of a resource whose name has not joined the contract. */
const DAILIES = 'dailies' as ResourceName;

function at(chance: number, newest: string | null = null, now = NOW): Moment {
  return { now, chance, newest };
}

function stateWith(state: Partial<ScheduleState>): ScheduleState {
  const idle = { requestedAt: NOW, answeredAt: NOW, lifetime: MINUTE, dueAt: NOW + 5 * MINUTE };
  return { ...idle, failures: 0, failure: null, ...state };
}

describe('after a response', () => {
  it.each([
    ['no lifetime', 0, REGISTRY.items.rule.every],
    ['a shorter lifetime', 60 * SECOND, REGISTRY.items.rule.every],
    ['a longer lifetime', 900 * SECOND, 900 * SECOND],
    ['a day', 24 * HOUR, 24 * HOUR],
  ])('with %s, the floor is the longer of interval and lifetime', (_, lifetime, floor) => {
    expect(dueAfterAnswer('items', { lifetime }, at(0)) - NOW).toBe(floor);
    const latest = dueAfterAnswer('items', { lifetime }, at(ALMOST_ONE)) - NOW;
    expect(latest).toBeGreaterThanOrEqual(floor);
    expect(latest).toBeLessThanOrEqual(floor * 1.1);
  });

  // Holds: news-1-least-interval
  it.each(Object.entries(REGISTRY).map(([name, { rule }]) => [name, rule] as const))(
    '%s is never fetched within its lifetime, whatever the random delay',
    (name) => {
      for (const lifetime of [0, MINUTE, 5 * MINUTE, 3 * HOUR, 48 * HOUR]) {
        for (let hour = 0; hour < 24 * 8; hour += 1) {
          const moment = at((hour % 10) / 10, hour % 2 ? '2026-03-18' : null, NOW + hour * HOUR);
          expect(dueAfterAnswer(name as ResourceName, { lifetime }, moment)).toBeGreaterThanOrEqual(
            moment.now + lifetime,
          );
        }
      }
    },
  );

  it('continues soon if a job has work left, and not later than otherwise', () => {
    expect(dueAfterAnswer(DAILIES, { lifetime: MINUTE, again: 5 * SECOND }, at(0, '2026-03-18')) - NOW).toBe(
      5 * SECOND,
    );
    const spread = { lifetime: MINUTE, again: MINUTE, spread: 10 * MINUTE };
    expect(dueAfterAnswer(DAILIES, spread, at(0.5, '2026-03-18')) - NOW).toBe(6 * MINUTE);
    expect(dueAfterAnswer('items', { lifetime: MINUTE, again: 24 * HOUR }, at(0)) - NOW).toBe(
      REGISTRY.items.rule.every,
    );
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
    expect(dueAfterFailure('items', failures, 0, at(0)) - NOW).toBe(minutes * MINUTE);
    expect(dueAfterFailure('items', failures, 0, at(ALMOST_ONE)) - NOW).toBeLessThanOrEqual(minutes * MINUTE * 1.1);
  });

  it.each([
    [1, 5 * SECOND, 30 * SECOND],
    [1, 90 * SECOND, 90 * SECOND],
    [9, 24 * HOUR, 24 * HOUR],
  ])('the %d. with a Retry-After of %d ms waits %d ms', (failures, retryAfter, wait) => {
    expect(dueAfterFailure('items', failures, retryAfter, at(0)) - NOW).toBe(wait);
  });

  it('does not let a backoff pass the time of the next daily, unlike a Retry-After', () => {
    const beforeEight = Date.parse('2026-03-18T23:58:00Z');
    const eight = Date.parse('2026-03-19T00:00:00Z');
    const newest = '2026-03-18';
    expect(dueAfterFailure(DAILIES, 9, 0, at(0, newest, beforeEight))).toBe(eight + 15 * SECOND);
    expect(dueAfterFailure(DAILIES, 9, HOUR, at(0, newest, beforeEight))).toBe(beforeEight + HOUR);
  });

  it('tries every few minutes for a daily that may be out', () => {
    const afterEight = Date.parse('2026-03-19T00:10:00Z');
    expect(dueAfterFailure(DAILIES, 9, 0, at(0, '2026-03-18', afterEight)) - afterEight).toBe(3 * MINUTE);
    expect(dueAfterFailure(DAILIES, 9, 0, at(0, '2026-03-19', afterEight)) - afterEight).toBe(30 * MINUTE);
    expect(dueAfterFailure(DAILIES, 1, 0, at(0, '2026-03-18', afterEight)) - afterEight).toBe(30 * SECOND);
  });
});

describe('may it be fetched', () => {
  const cases: [string, Partial<ScheduleState>, ms: number, Record<Urgency, boolean>][] = [
    ['at once after a response', {}, 0, { due: false, permitted: false, now: true, all: true }],
    ['just before its lifetime ends', {}, MINUTE - 1, { due: false, permitted: false, now: true, all: true }],
    ['when its lifetime ends', {}, MINUTE, { due: false, permitted: true, now: true, all: true }],
    ['just before it is due', {}, 5 * MINUTE - 1, { due: false, permitted: true, now: true, all: true }],
    ['when it is due', {}, 5 * MINUTE, { due: true, permitted: true, now: true, all: true }],
    [
      'while a Retry-After runs',
      { failures: 1, lifetime: MINUTE },
      MINUTE - 1,
      { due: false, permitted: false, now: false, all: false },
    ],
    [
      'while a Retry-After outlives the due time',
      { failures: 1, lifetime: 9 * MINUTE, dueAt: 0 },
      5 * MINUTE,
      { due: false, permitted: false, now: false, all: false },
    ],
    [
      'when a Retry-After has passed',
      { failures: 1, lifetime: MINUTE },
      MINUTE,
      { due: false, permitted: true, now: true, all: true },
    ],
  ];
  const table = cases.flatMap(([when, state, ms, answers]) =>
    Object.entries(answers).map(([urgency, answer]) => ({ when, urgency: urgency as Urgency, answer, state, ms })),
  );

  it.each(table)('$when, if $urgency: $answer', ({ urgency, answer, state, ms }) => {
    expect(mayFetch('items', stateWith(state), NOW + ms, urgency)).toBe(answer);
    if (urgency === 'permitted') expect(NOW + ms >= permittedAt(stateWith(state))).toBe(answer);
  });

  it.each(['due', 'permitted', 'now'] as const)('for the first time, if %s', (urgency) => {
    expect(mayFetch('items', null, NOW, urgency)).toBe(true);
    expect(wakeAt('items', null)).toBeLessThanOrEqual(NOW);
  });

  it('at the very moment at which the timer wakes', () => {
    for (const state of [stateWith({}), stateWith({ failures: 1, lifetime: 9 * MINUTE, dueAt: 0 })]) {
      for (const attended of [false, true]) {
        const wake = wakeAt('items', state, attended);
        expect(mayFetch('items', state, wake, 'due', attended)).toBe(true);
        expect(mayFetch('items', state, wake - 1, 'due', attended)).toBe(false);
      }
    }
  });
});

describe('what the page shows', () => {
  const hidden = stateWith({ dueAt: NOW + REGISTRY.hotTopics.rule.every });
  const hotTopics = 'hotTopics' as ResourceName;

  it.each([
    ['is fetched sooner', hidden, REGISTRY.hotTopics.rule.attended],
    ['is not fetched within its lifetime', { ...hidden, lifetime: 4 * MINUTE }, 4 * MINUTE],
    ['is not fetched within a Retry-After', { ...hidden, failures: 1, lifetime: 20 * MINUTE }, 20 * MINUTE],
    ['waits for its backoff', { ...hidden, failures: 7, dueAt: NOW + 30 * MINUTE }, 30 * MINUTE],
    ['is not delayed', { ...hidden, dueAt: NOW + MINUTE }, MINUTE],
  ])('%s', (_, state, wait) => {
    expect(wakeAt(hotTopics, state, true) - NOW).toBe(wait);
    expect(wakeAt(hotTopics, state, false)).toBeGreaterThanOrEqual(wakeAt(hotTopics, state, true));
  });

  it('does not fetch reports sooner', () => {
    const state = stateWith({ dueAt: NOW + 8 * HOUR });
    expect(wakeAt(DAILIES, state, true)).toBe(wakeAt(DAILIES, state, false));
  });
});

describe('a key that a gateway rejects', () => {
  it('is tried again by itself after hours, or when a longer Retry-After is over', () => {
    expect(dueAfterRefusal(0, at(0)) - NOW).toBe(6 * HOUR);
    expect(dueAfterRefusal(0, at(ALMOST_ONE)) - NOW).toBeLessThanOrEqual(6.6 * HOUR);
    expect(dueAfterRefusal(24 * HOUR, at(0)) - NOW).toBe(24 * HOUR);
  });

  it('is replaced by another one at once, except for a Retry-After', () => {
    const later = NOW + MINUTE;
    const refused = stateWith({ lifetime: 5 * MINUTE, dueAt: NOW + 6 * HOUR });
    const freed = withAnotherKey(refused, later);
    for (const urgency of ['due', 'permitted', 'now'] as const)
      expect(mayFetch('models', freed, later, urgency)).toBe(true);
    const patient = withAnotherKey({ ...refused, failures: 1, lifetime: HOUR }, later);
    for (const urgency of ['due', 'permitted', 'now'] as const)
      expect(mayFetch('models', patient, later, urgency)).toBe(false);
  });
});

describe('a service that can be reached again', () => {
  const failed = (code: 'unreachable' | 'timeout' | 'temporarily_unavailable', retryAfter = 0): ScheduleState =>
    stateWith({
      failures: 6,
      lifetime: retryAfter,
      dueAt: NOW + 16 * MINUTE,
      failure: { code, message: '', retryable: true },
    });

  it.each(['unreachable', 'timeout'] as const)('is fetched from at once after %s', (code) => {
    expect(isNetworkFailure(code)).toBe(true);
    expect(wakeAt('items', resume(failed(code), NOW + SECOND))).toBe(NOW + SECOND);
  });

  it('is not fetched from sooner after its own errors', () => {
    expect(resume(failed('temporarily_unavailable'), NOW + SECOND).dueAt).toBe(NOW + 16 * MINUTE);
  });

  it('is not fetched from before its Retry-After', () => {
    expect(wakeAt('items', resume(failed('timeout', HOUR), NOW + SECOND))).toBe(NOW + HOUR);
  });
});

describe('a clock that was set back', () => {
  it.each([SECOND, HOUR, YEAR])('by %d ms keeps every duration and starves nothing', (back) => {
    const state = stateWith({ failures: 1, lifetime: 2 * MINUTE });
    const now = NOW - back;
    const moved = withClockCorrected('items', state, at(0, null, now));
    expect(moved).toMatchObject({ requestedAt: now, answeredAt: now, lifetime: 2 * MINUTE });
    expect(moved.dueAt - now).toBe(5 * MINUTE);
    expect(mayFetch('items', moved, now + 2 * MINUTE - 1, 'now')).toBe(false);
    expect(mayFetch('items', moved, now + 2 * MINUTE, 'now')).toBe(true);
    expect(mayFetch('items', moved, now + 5 * MINUTE, 'due')).toBe(true);
  });

  it('does not change times in the past', () => {
    const state = stateWith({ requestedAt: NOW - 1 });
    expect(withClockCorrected('items', state, at(0))).toBe(state);
  });

  it('wakes at the hour of the next daily as the clock has it now', () => {
    const asked = Date.parse('2026-03-18T20:00:00Z');
    const state = stateWith({ requestedAt: asked, dueAt: asked + 4 * HOUR });
    const now = Date.parse('2026-03-18T23:00:00Z') - 24 * HOUR;
    expect(withClockCorrected(DAILIES, state, at(0, null, now)).dueAt).toBe(Date.parse('2026-03-18T00:00:15Z'));
  });
});

import { describe, expect, it } from 'vitest';
import { AMOUNTS, RANKS, stepShape, timed, type Step } from '../../../src-renderer/charts/step-shape.ts';

const FRAME = { width: 240, height: 120, left: 20, right: 20, top: 10, bottom: 10 };
const DAY = 86_400_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');

/** One step a day, the last of them a day ago. */
const daily = (...values: (number | null)[]): Step[] =>
  values.map((value, i) => ({ ms: NOW - (values.length - i) * DAY, value }));

describe('the shape of a history of values', () => {
  it('holds a value until the next one: a step, not a slope', () => {
    expect(stepShape(daily(2, 4), NOW, FRAME, AMOUNTS).runs).toEqual(['M20,60L120,60L120,10L220,10L220,10']);
  });

  it('starts at zero, so that half the price looks like half', () => {
    const shape = stepShape(daily(4, 2), NOW, FRAME, AMOUNTS);
    expect(shape.last).toEqual({ x: 220, y: 60, value: 2 });
    expect(shape.values[0]).toEqual({ value: 0, y: 110 });
  });

  it('marks each change', () => {
    expect(stepShape(daily(2, 4), NOW, FRAME, AMOUNTS).changes).toEqual([
      { x: 20, y: 60, value: 2 },
      { x: 120, y: 10, value: 4 },
    ]);
  });

  it('is broken where the value was not known', () => {
    const shape = stepShape(daily(3, null, 3, 3), NOW, FRAME, AMOUNTS);
    expect(shape.runs).toHaveLength(2);
    expect(shape.absences).toEqual([{ from: 70, to: 120 }]);
    expect(shape.last).not.toBeNull();
  });

  it('has no end where the value is not known any more', () => {
    expect(stepShape(daily(3, null), NOW, FRAME, AMOUNTS).last).toBeNull();
  });

  it('lies at the bottom where everything is free, and is empty where nothing is known', () => {
    expect(stepShape(daily(0, 0), NOW, FRAME, AMOUNTS).last).toEqual({ x: 220, y: 110, value: 0 });
    expect(stepShape([], NOW, FRAME, AMOUNTS)).toMatchObject({ runs: [], last: null, changes: [] });
  });

  it('takes a day at least, and leaves out what lies ahead', () => {
    const shape = stepShape([{ ms: NOW - 60_000, value: 1 }], NOW, FRAME, AMOUNTS);
    expect(shape.changes[0]!.x).toBeGreaterThan(200);
    expect(shape.days).toBe(false);
    expect(stepShape([{ ms: NOW + DAY, value: 1 }], NOW, FRAME, AMOUNTS).runs).toEqual([]);
  });
});

const RANK_FRAME = { width: 240, height: 120, left: 20, right: 20, top: 10, bottom: 20 };
const HOUR = 3_600_000;

/** One ranking an hour, the last of them an hour ago. */
const hourly = (...ranks: (number | null)[]): Step[] =>
  ranks.map((value, i) => ({ ms: NOW - (ranks.length - i) * HOUR, value }));

describe('the shape of a rank history', () => {
  it('has the best rank on top and time from left to right', () => {
    const shape = stepShape(hourly(10, 1), NOW, RANK_FRAME, RANKS);
    expect(shape.changes[0]).toMatchObject({ x: 20, y: 100 });
    expect(shape.last).toMatchObject({ x: 220, y: 10, value: 1 });
    expect(shape.values.map(({ value }) => value)).toEqual([1, 5, 10]);
  });

  it('holds a rank until the next ranking: a step, not a slope', () => {
    expect(stepShape(hourly(10, 1), NOW, RANK_FRAME, RANKS).runs).toEqual(['M20,100L120,100L120,10L220,10L220,10']);
  });

  it('is broken where the topic was not ranked', () => {
    const shape = stepShape(hourly(5, null, 5, 5), NOW, RANK_FRAME, RANKS);
    expect(shape.runs).toHaveLength(2);
    expect(shape.absences).toEqual([{ from: 70, to: 120 }]);
    expect(shape.last?.value).toBe(5);
  });

  it('ends where the topic left the ranking', () => {
    expect(stepShape(hourly(5, 4, null), NOW, RANK_FRAME, RANKS).last).toBeNull();
  });

  it('takes at least an hour, so that a new topic is not stretched, and leaves out a peak before it', () => {
    const steps = [{ ms: NOW - 60_000, value: 3 }];
    const shape = stepShape(steps, NOW, RANK_FRAME, RANKS, { ms: NOW - 2 * HOUR, value: 1 });
    expect(shape.changes[0]?.x).toBeGreaterThan(200);
    expect(shape.peak).toBeNull();
    expect(stepShape(steps, NOW, RANK_FRAME, RANKS, { ms: NOW, value: 1 }).peak).toEqual({ x: 220, y: 10, value: 1 });
  });

  it('is empty where nothing is known, and leaves out invalid times', () => {
    expect(stepShape([], NOW, RANK_FRAME, RANKS)).toMatchObject({ runs: [], changes: [], last: null });
    expect(timed([{ at: 'soon', value: 1 }])).toEqual([]);
    expect(timed([{ at: '2026-11-20T12:00:00Z', value: null }])).toEqual([{ ms: NOW, value: null }]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  AMOUNTS,
  barPath,
  dotsAt,
  GROUPS,
  RANKS,
  scatterShape,
  stepShape,
  timed,
  type Place,
  type Step,
} from '../../../src-renderer/charts/shapes.ts';

describe('bars', () => {
  it('fill the height with the highest value, and stand beside one another', () => {
    expect(barPath([1, 2], { width: 20, height: 10 })).toBe('M1,10v-5h8v5zM11,10v-10h8v10z');
  });

  it('show a small value, and nothing for none', () => {
    expect(barPath([1, 0, 1_000], { width: 30, height: 20 })).toBe('M1,20v-1.5h8v1.5zM21,20v-20h8v20z');
    expect(barPath([0, 0], { width: 30, height: 20 })).toBe('');
    expect(barPath([], { width: 30, height: 20 })).toBe('');
  });
});

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

  it('draws what has happened since the clock of the page last ticked', () => {
    const steps = [
      { ms: NOW + 1_000, value: 0.4 },
      { ms: NOW + 20_000, value: 1.25 },
    ];
    const { runs, changes, last } = stepShape(steps, NOW, FRAME, AMOUNTS);
    expect(runs).toHaveLength(1);
    expect(changes.map(({ x, value }) => [x, value])).toEqual([
      [220, 0.4],
      [220, 1.25],
    ]);
    expect(last).toEqual({ x: 220, y: 10, value: 1.25 });
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

const SCATTER_FRAME = { width: 440, height: 240, left: 20, right: 20, top: 20, bottom: 20 };

const place = (across: number, up: number, group = 0): Place => ({ across, up, group });

describe('the shape of a scatter chart', () => {
  it('has more across to the right, and more up at the top', () => {
    const [low, high] = scatterShape([place(1000, 0.1), place(100_000, 10)], SCATTER_FRAME).dots;
    expect(low!.x).toBeLessThan(high!.x);
    expect(low!.y).toBeGreaterThan(high!.y);
  });

  it('gives ten times as much the same distance everywhere', () => {
    const { dots } = scatterShape([place(10, 1), place(100, 1), place(1000, 1), place(10_000, 1)], SCATTER_FRAME);
    const steps = dots.slice(1).map(({ x }, i) => x - dots[i]!.x);
    expect(steps[1]).toBeCloseTo(steps[0]!, 6);
    expect(steps[2]).toBeCloseTo(steps[0]!, 6);
  });

  it('is one path a group, whatever the number of models', () => {
    const places = Array.from({ length: 500 }, (_, i) => place(1000 + i, 1 + (i % 90), i % GROUPS));
    const { dots, paths } = scatterShape(places, SCATTER_FRAME);
    expect(dots).toHaveLength(500);
    expect(paths).toHaveLength(GROUPS);
    expect(paths.map((path) => path.split('M').length - 1).reduce((a, b) => a + b)).toBe(500);
  });

  it('puts marks of different groups at one point beside each other, and those of one group on each other', () => {
    const { dots } = scatterShape(
      [place(1000, 1, 2), place(1000, 1, 0), place(1000, 1, 2), place(9000, 1, 0), place(9000, 5, 1)],
      SCATTER_FRAME,
    );
    const [right, left, again, low, high] = dots;
    expect(right!.x - left!.x).toBeCloseTo(10, 6);
    expect(again).toEqual(right);
    expect(low!.x).toBe(high!.x);
  });
});

describe('what lies under a pointer', () => {
  const dots = [
    { x: 50, y: 50 },
    { x: 50.4, y: 50 },
    { x: 90, y: 50 },
  ];

  it('is the nearest mark within reach', () => {
    expect(dotsAt(dots, 85, 52, 20)).toEqual([2]);
    expect(dotsAt(dots, 200, 52, 20)).toEqual([]);
  });

  it('is every mark at the place of the nearest one', () => {
    expect(dotsAt(dots, 47, 50, 20)).toEqual([0, 1]);
  });
});

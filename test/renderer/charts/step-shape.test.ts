import { describe, expect, it } from 'vitest';
import { stepShape, type Step } from '../../../src-renderer/charts/step-shape.ts';

const FRAME = { width: 240, height: 120, left: 20, right: 20, top: 10, bottom: 10 };
const DAY = 86_400_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');

/** One step a day, the last of them a day ago. */
const daily = (...values: (number | null)[]): Step[] =>
  values.map((value, i) => ({ ms: NOW - (values.length - i) * DAY, value }));

describe('the shape of a history of values', () => {
  it('holds a value until the next one: a step, not a slope', () => {
    expect(stepShape(daily(2, 4), NOW, FRAME).runs).toEqual(['M20,60L120,60L120,10L220,10L220,10']);
  });

  it('starts at zero, so that half the price looks like half', () => {
    const shape = stepShape(daily(4, 2), NOW, FRAME);
    expect(shape.last).toEqual({ x: 220, y: 60 });
    expect(shape.values[0]).toEqual({ value: 0, y: 110 });
  });

  it('marks each change', () => {
    expect(stepShape(daily(2, 4), NOW, FRAME).changes).toEqual([
      { x: 20, y: 60 },
      { x: 120, y: 10 },
    ]);
  });

  it('is broken where the value was not known', () => {
    const shape = stepShape(daily(3, null, 3, 3), NOW, FRAME);
    expect(shape.runs).toHaveLength(2);
    expect(shape.absences).toEqual([{ from: 70, to: 120 }]);
    expect(shape.last).not.toBeNull();
  });

  it('has no end where the value is not known any more', () => {
    expect(stepShape(daily(3, null), NOW, FRAME).last).toBeNull();
  });

  it('lies at the bottom where everything is free, and is empty where nothing is known', () => {
    expect(stepShape(daily(0, 0), NOW, FRAME).last).toEqual({ x: 220, y: 110 });
    expect(stepShape([], NOW, FRAME)).toMatchObject({ runs: [], last: null, changes: [] });
  });

  it('takes a day at least, and leaves out what lies ahead', () => {
    const shape = stepShape([{ ms: NOW - 60_000, value: 1 }], NOW, FRAME);
    expect(shape.changes[0]!.x).toBeGreaterThan(200);
    expect(shape.days).toBe(false);
    expect(stepShape([{ ms: NOW + DAY, value: 1 }], NOW, FRAME).runs).toEqual([]);
  });
});

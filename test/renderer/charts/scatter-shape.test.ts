import { describe, expect, it } from 'vitest';
import { dotsAt, GROUPS, markerPath, scatterShape, type Place } from '../../../src-renderer/charts/scatter-shape.ts';

const FRAME = { width: 440, height: 240, left: 20, right: 20, top: 20, bottom: 20 };

const place = (across: number, up: number, group = 0): Place => ({ across, up, group });

describe('the shape of a scatter chart', () => {
  it('has more across to the right, and more up at the top', () => {
    const [low, high] = scatterShape([place(1000, 0.1), place(100_000, 10)], FRAME).dots;
    expect(low!.x).toBeLessThan(high!.x);
    expect(low!.y).toBeGreaterThan(high!.y);
  });

  it('gives ten times as much the same distance everywhere', () => {
    const { dots } = scatterShape([place(10, 1), place(100, 1), place(1000, 1), place(10_000, 1)], FRAME);
    const steps = dots.slice(1).map(({ x }, i) => x - dots[i]!.x);
    expect(steps[1]).toBeCloseTo(steps[0]!, 6);
    expect(steps[2]).toBeCloseTo(steps[0]!, 6);
  });

  it('keeps every mark inside its frame', () => {
    const { dots } = scatterShape([place(512, 0.001), place(1e7, 600)], FRAME);
    for (const { x, y } of dots) {
      expect(x).toBeGreaterThan(FRAME.left);
      expect(x).toBeLessThan(FRAME.width - FRAME.right);
      expect(y).toBeGreaterThan(FRAME.top);
      expect(y).toBeLessThan(FRAME.height - FRAME.bottom);
    }
  });

  it('has ticks at powers of ten, and at two and five times them where these are few', () => {
    const wide = scatterShape([place(100, 1), place(1e6, 1)], FRAME);
    expect(wide.across.map(({ value }) => value)).toEqual([100, 1000, 10_000, 100_000, 1e6]);
    const narrow = scatterShape([place(30_000, 1), place(200_000, 1)], FRAME);
    expect(narrow.across.map(({ value }) => value)).toEqual([50_000, 100_000, 200_000]);
  });

  it('puts one model alone in the middle, and draws axes without any', () => {
    expect(scatterShape([place(8192, 2)], FRAME).dots[0]!.x).toBeCloseTo(220, 6);
    const none = scatterShape([], FRAME);
    expect(none.dots).toEqual([]);
    expect(none.across.length).toBeGreaterThan(1);
  });

  it('is one path a group, whatever the number of models', () => {
    const places = Array.from({ length: 5000 }, (_, i) => place(1000 + i, 1 + (i % 90), i % GROUPS));
    const { dots, paths } = scatterShape(places, FRAME);
    expect(dots).toHaveLength(5000);
    expect(paths).toHaveLength(GROUPS);
    expect(paths.map((path) => path.split('M').length - 1).reduce((a, b) => a + b)).toBe(5000);
  });

  it('has a mark of another form for each group', () => {
    const forms = Array.from({ length: GROUPS }, (_, group) => markerPath(group, 0, 0));
    expect(new Set(forms).size).toBe(GROUPS);
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

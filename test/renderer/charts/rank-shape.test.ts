import { describe, expect, it } from 'vitest';
import type { RankHistory } from '../../../src-main/contract/model/hot-topic.ts';
import { rankShape } from '../../../src-renderer/charts/rank-shape.ts';

const FRAME = { width: 240, height: 120, left: 20, right: 20, top: 10, bottom: 20 };
const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');

function history(...ranks: (number | null)[]): RankHistory {
  const points = ranks.map((rank, i) => ({ at: new Date(NOW - (ranks.length - i) * HOUR).toISOString(), rank }));
  return { firstSeenAt: points[0]!.at, peak: { rank: 1, at: points[1]!.at }, reentries: 0, points };
}

describe('the shape of a history', () => {
  it('has the best rank on top and time from left to right', () => {
    const shape = rankShape(history(10, 1), NOW, FRAME);
    expect(shape.first).toMatchObject({ x: 20, y: 100 });
    expect(shape.last).toMatchObject({ x: 220, y: 10, rank: 1 });
  });

  it('holds a rank until the next ranking: a step, not a slope', () => {
    expect(rankShape(history(10, 1), NOW, FRAME).runs).toEqual(['M20,100L120,100L120,10L220,10L220,10']);
  });

  it('is broken where the topic was not ranked', () => {
    const shape = rankShape(history(5, null, 5, 5), NOW, FRAME);
    expect(shape.runs).toHaveLength(2);
    expect(shape.absences).toEqual([{ from: 70, to: 120 }]);
    expect(shape.last?.rank).toBe(5);
  });

  it('ends where the topic left the ranking', () => {
    expect(rankShape(history(5, 4, null), NOW, FRAME).last).toBeNull();
  });

  it('takes at least an hour, so that a topic that has just come is not stretched', () => {
    const points = [{ at: new Date(NOW - 60_000).toISOString(), rank: 3 }];
    const shape = rankShape({ firstSeenAt: '', peak: { rank: 3, at: '' }, reentries: 0, points }, NOW, FRAME);
    expect(shape.first?.x).toBeGreaterThan(200);
    expect(shape.peak).toBeNull();
  });

  it('is empty where nothing is known, and leaves out what no time can be read from', () => {
    const none = { firstSeenAt: '', peak: { rank: 1, at: '' }, reentries: 0 };
    expect(rankShape({ ...none, points: [] }, NOW, FRAME)).toMatchObject({ runs: [], first: null, last: null });
    expect(rankShape({ ...none, points: [{ at: 'soon', rank: 1 }] }, NOW, FRAME).runs).toEqual([]);
  });
});

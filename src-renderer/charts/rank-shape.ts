import { scaleLinear, scaleTime } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import type { RankHistory } from '../../src-main/contract/model/hot-topic.ts';
import { instant } from '../../src-main/common/time.ts';

export const LOWEST_RANK = 10;

interface Point {
  ms: number;
  rank: number;
}

export interface ItemAction {
  x: number;
  y: number;
  rank: number;
}

export interface RankShape {
  /** One path for each time that the topic was ranked without a break; best rank on top. */
  runs: string[];
  /** The times between, from x to x. */
  absences: { from: number; to: number }[];
  first: ItemAction | null;
  peak: ItemAction | null;
  /** Where it stands; null when it left the ranking. */
  last: ItemAction | null;
  ranks: { rank: number; y: number }[];
  times: { ms: number; x: number }[];
  /** Whether the history takes longer than a day and a half, so that days are better ticks than hours. */
  days: boolean;
}

export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const SHORTEST_MS = 3_600_000;
const DAYS_MS = 36 * 3_600_000;

/** A rank holds until the next ranking: a run ends where another ranking leaves the topic out, or now. */
function runsOf(history: RankHistory, now: number): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] | null = null;
  for (const { at, rank } of history.points) {
    const ms = instant(at);
    if (ms === null || ms > now) continue;
    const held = run?.at(-1);
    if (rank === null) {
      if (run && held) run.push({ ms, rank: held.rank });
      run = null;
    } else {
      if (!run) runs.push((run = []));
      run.push({ ms, rank });
    }
  }
  const held = run?.at(-1);
  if (run && held) run.push({ ms: now, rank: held.rank });
  return runs;
}

/** A topic's history as paths and places inside a frame (px). Pure: `now` is given in ms since 1970. */
export function rankShape(history: RankHistory, now: number, frame: Frame): RankShape {
  const runs = runsOf(history, now);
  const start = Math.min(runs[0]?.[0]?.ms ?? now, now - SHORTEST_MS);
  const x = scaleTime([start, now], [frame.left, frame.width - frame.right]);
  const y = scaleLinear([1, LOWEST_RANK], [frame.top, frame.height - frame.bottom]);
  const path = line<Point>(
    (point) => x(point.ms),
    (point) => y(point.rank),
  ).curve(curveStepAfter);
  const mark = (point: Point | undefined): ItemAction | null =>
    point ? { x: x(point.ms), y: y(point.rank), rank: point.rank } : null;
  const points = runs.flat();
  const lastPoint = points.at(-1);
  const peakMs = instant(history.peak.at);
  const peakSeen = peakMs !== null && peakMs >= start && peakMs <= now;
  return {
    runs: runs.map((run) => path(run) ?? ''),
    absences: runs.slice(1).map((run, i) => ({ from: x(runs[i]?.at(-1)?.ms ?? now), to: x(run[0]?.ms ?? now) })),
    first: mark(points[0]),
    peak: peakSeen ? mark({ ms: peakMs, rank: history.peak.rank }) : null,
    last: lastPoint?.ms === now ? mark(lastPoint) : null,
    ranks: [1, 5, LOWEST_RANK].map((rank) => ({ rank, y: y(rank) })),
    times: x.ticks(Math.max(2, Math.round(frame.width / 130))).map((date) => ({ ms: date.getTime(), x: x(date) })),
    days: now - start > DAYS_MS,
  };
}

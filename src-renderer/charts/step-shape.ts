import { scaleLinear, scaleTime } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { instant } from '../../src-main/common/time.ts';
import type { Frame } from './frame.ts';

/** A value from a time on (ms since 1970); null if it was unknown. */
export interface Step {
  ms: number;
  value: number | null;
}

/** Maps values to heights. */
export interface Axis {
  /**
   * The values at the bottom and at the top; null for zero and the highest value, so that half the price looks like
   * half.
   */
  range: readonly [bottom: number, top: number] | null;
  /** Values with a line; null for round numbers. */
  ticks: readonly number[] | null;
  /** The shortest period that the chart covers, so that the first hours are not stretched. */
  shortestMs: number;
}

/** A point of the chart; `value` is its value. */
export interface Mark {
  x: number;
  y: number;
  value: number;
}

export interface StepShape {
  /** One path for each period in which the value was known without a break. */
  runs: string[];
  /** The periods between, from x to x. */
  absences: { from: number; to: number }[];
  /** Changes to a known value, oldest first. */
  changes: Mark[];
  /** The current value; null if it is unknown. */
  last: Mark | null;
  /** The point of the peak; null if it is outside of the period. */
  peak: Mark | null;
  values: { value: number; y: number }[];
  times: { ms: number; x: number }[];
  /** True if the chart covers more than a day and a half: then days are better ticks than hours. */
  days: boolean;
}

const HOUR_MS = 3_600_000;
const DAYS_MS = 36 * HOUR_MS;

export const LOWEST_RANK = 10;
/** Ranks, the best one on top. */
export const RANKS: Axis = { range: [LOWEST_RANK, 1], ticks: [1, 5, LOWEST_RANK], shortestMs: HOUR_MS };
export const AMOUNTS: Axis = { range: null, ticks: null, shortestMs: 24 * HOUR_MS };

/** Fewest ranks for a line: one or two would be a dot, which beside a title means "unread". */
const FEWEST_RANKS = 3;

/** Returns true if a rank history is worth a chart. */
export function makesLine(points: readonly { rank: number | null }[]): boolean {
  return points.filter(({ rank }) => rank !== null).length >= FEWEST_RANKS;
}

interface Known {
  ms: number;
  value: number;
}

/** Parses the time of each step; drops steps without a valid time. */
export function timed(steps: readonly { at: string; value: number | null }[]): Step[] {
  return steps.flatMap(({ at, value }) => {
    const ms = instant(at);
    return ms === null ? [] : [{ ms, value }];
  });
}

/** A value holds until the next one: a run ends where the value became unknown, or now. */
function runsOf(steps: readonly Step[], now: number): Known[][] {
  const runs: Known[][] = [];
  let run: Known[] | null = null;
  for (const { ms, value } of steps) {
    if (ms > now) continue;
    const held = run?.at(-1);
    if (value === null) {
      if (run && held) run.push({ ms, value: held.value });
      run = null;
    } else {
      if (!run) runs.push((run = []));
      run.push({ ms, value });
    }
  }
  const held = run?.at(-1);
  if (run && held) run.push({ ms: now, value: held.value });
  return runs;
}

/** Draws values over time as steps inside a frame. `steps` are oldest first; `now` is in ms since 1970. */
export function stepShape(
  steps: readonly Step[],
  now: number,
  frame: Frame,
  axis: Axis,
  peak: Known | null = null,
): StepShape {
  const runs = runsOf(steps, now);
  const points = runs.flat();
  const start = Math.min(steps[0]?.ms ?? now, now - axis.shortestMs);
  const x = scaleTime([start, now], [frame.left, frame.width - frame.right]);
  const highest = points.reduce((most, { value }) => Math.max(most, value), 0);
  const y = scaleLinear(axis.range ?? [0, highest || 1], [frame.height - frame.bottom, frame.top]);
  const path = line<Known>(
    ({ ms }) => x(ms),
    ({ value }) => y(value),
  ).curve(curveStepAfter);
  const mark = ({ ms, value }: Known): Mark => ({ x: x(ms), y: y(value), value });
  const last = points.at(-1);
  return {
    runs: runs.map((run) => path(run) ?? ''),
    absences: runs.slice(1).map((run, i) => ({ from: x(runs[i]?.at(-1)?.ms ?? now), to: x(run[0]?.ms ?? now) })),
    changes: runs.flatMap((run) => run.slice(0, -1).map(mark)),
    last: last?.ms === now ? mark(last) : null,
    peak: peak && peak.ms >= start && peak.ms <= now ? mark(peak) : null,
    values: (axis.ticks ?? y.ticks(3)).map((value) => ({ value, y: y(value) })),
    times: x.ticks(Math.max(2, Math.round(frame.width / 130))).map((date) => ({ ms: date.getTime(), x: x(date) })),
    days: now - start > DAYS_MS,
  };
}

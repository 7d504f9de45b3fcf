import { scaleLinear, scaleTime } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import type { Frame } from './rank-shape.ts';

/** What a thing was from a time on (ms since 1970); null where it was not known. */
export interface Step {
  ms: number;
  value: number | null;
}

export interface StepShape {
  /** One path for each time that the value was known without a break. */
  runs: string[];
  /** The times between, from x to x. */
  absences: { from: number; to: number }[];
  /** Where it changed to a value that is known, oldest first. */
  changes: { x: number; y: number }[];
  /** Where it stands now; null where it is not known. */
  last: { x: number; y: number } | null;
  values: { value: number; y: number }[];
  times: { ms: number; x: number }[];
  /** Whether all of it took longer than a day and a half, so that days are better ticks than hours. */
  days: boolean;
}

const SHORTEST_MS = 24 * 3_600_000;
const DAYS_MS = 36 * 3_600_000;

interface Known {
  ms: number;
  value: number;
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

/**
 * Values over time as steps inside a frame (px), from zero up: half the price looks like half. `steps` are oldest first; `now`
 * is given in ms since 1970.
 */
export function stepShape(steps: readonly Step[], now: number, frame: Frame): StepShape {
  const runs = runsOf(steps, now);
  const points = runs.flat();
  const start = Math.min(steps[0]?.ms ?? now, now - SHORTEST_MS);
  const x = scaleTime([start, now], [frame.left, frame.width - frame.right]);
  const highest = points.reduce((most, { value }) => Math.max(most, value), 0);
  const y = scaleLinear([0, highest || 1], [frame.height - frame.bottom, frame.top]);
  const path = line<Known>(
    ({ ms }) => x(ms),
    ({ value }) => y(value),
  ).curve(curveStepAfter);
  const mark = ({ ms, value }: Known): { x: number; y: number } => ({ x: x(ms), y: y(value) });
  const last = points.at(-1);
  return {
    runs: runs.map((run) => path(run) ?? ''),
    absences: runs.slice(1).map((run, i) => ({ from: x(runs[i]?.at(-1)?.ms ?? now), to: x(run[0]?.ms ?? now) })),
    changes: runs.flatMap((run) => run.slice(0, -1).map(mark)),
    last: last?.ms === now ? mark(last) : null,
    values: y.ticks(3).map((value) => ({ value, y: y(value) })),
    times: x.ticks(Math.max(2, Math.round(frame.width / 130))).map((date) => ({ ms: date.getTime(), x: x(date) })),
    days: now - start > DAYS_MS,
  };
}

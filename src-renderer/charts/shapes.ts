import { scaleLinear, scaleLog, scaleTime } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { instant } from '../../src-main/common/time.ts';

/** The area of a chart (px): its size and the room around it for labels. */
export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Widest gap between two bars, as a part of the space for one. */
const GAP = 0.22;
/** In px, so that small values stay visible. */
const LEAST = 1.5;

/**
 * Draws bars as one path: the highest value fills the height. Values of zero have no bar. `most` is the highest value
 * of all charts with the same scale; by default that of this one.
 */
export function barPath(
  values: readonly number[],
  { width, height }: { width: number; height: number },
  most = values.reduce((a, b) => Math.max(a, b), 0),
): string {
  if (most <= 0 || values.length === 0) return '';
  const room = width / values.length;
  const gap = Math.min(2, room * GAP);
  return values
    .map((value, index) => {
      if (value <= 0) return '';
      const tall = Math.max(LEAST, (value / most) * height);
      const at = (px: number): string => String(Math.round(px * 100) / 100);
      return `M${at(index * room + gap / 2)},${at(height)}v${at(-tall)}h${at(room - gap)}v${at(tall)}z`;
    })
    .join('');
}

/** A value from a time on (ms since 1970); null if it was unknown. */
export interface Step {
  ms: number;
  value: number | null;
}

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
/** The page's clock ticks twice a minute, so what has just happened can lie ahead of it. */
const CLOCK_LAG_MS = 60_000;

export const LOWEST_RANK = 10;
/** Ranks, the best one on top. */
export const RANKS: Axis = { range: [LOWEST_RANK, 1], ticks: [1, 5, LOWEST_RANK], shortestMs: HOUR_MS };
export const AMOUNTS: Axis = { range: null, ticks: null, shortestMs: 24 * HOUR_MS };

/** Fewest ranks for a line: one or two would be a dot, which beside a title means "unread". */
const FEWEST_RANKS = 3;

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
  for (const { ms: at, value } of steps) {
    if (at > now + CLOCK_LAG_MS) continue;
    const ms = Math.min(at, now);
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

/** A place in the chart: both numbers are above zero. `group` decides its shape and colour. */
export interface Place {
  across: number;
  up: number;
  group: number;
}

export interface Dot {
  x: number;
  y: number;
}

export interface Tick {
  value: number;
  at: number;
}

export interface ScatterShape {
  /** The position of each place, in the order given (px). */
  dots: readonly Dot[];
  /** One path for each group, with all its marks: five thousand elements would be slow. */
  paths: readonly string[];
  across: Tick[];
  up: Tick[];
}

/**
 * Marks around a point, told apart by their shape alone; in px, all look about equally heavy. The contrast of their colours
 * with the background is at least 3:1.
 */
const MARKERS = [
  { shape: 'm-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z', color: 'light-dark(#97291c, #f2a18e)' },
  { shape: 'm-3.6,-3.6h7.2v7.2h-7.2z', color: 'light-dark(#1f5fa8, #8ab8f0)' },
  { shape: 'm0,-5l4.8,8.4h-9.6z', color: 'light-dark(#2f7a3d, #8fd09b)' },
  { shape: 'm0,-5.2l5.2,5.2l-5.2,5.2l-5.2,-5.2z', color: 'light-dark(#7a3ea8, #c9a4ee)' },
  { shape: 'm0,5l4.8,-8.4h-9.6z', color: 'light-dark(#9a6100, #f0b94a)' },
  { shape: 'm-1.5,-4.8h3v3.3h3.3v3h-3.3v3.3h-3v-3.3h-3.3v-3h3.3z', color: 'light-dark(#0f7c80, #6fd0d0)' },
  { shape: 'm-2.8,0a2.8,2.8 0 1,0 5.6,0a2.8,2.8 0 1,0 -5.6,0z', color: 'light-dark(#676158, #9d968b)' },
] as const;

export const GROUPS = MARKERS.length;
/** Width of a mark, in px. */
const MARK = 10;

/** Factor by which the range is extended on either side, so that the frame cuts no mark. */
const MARGIN = 1.3;
/** Below this span two and five get ticks too. */
const FEW_DECADES = 2.5;

export function markerPath(group: number, x: number, y: number): string {
  return `M${rounded(x)},${rounded(y)}${MARKERS[group % GROUPS]?.shape ?? ''}`;
}

export function markerColor(group: number): string | undefined {
  return MARKERS[group % GROUPS]?.color;
}

/** Lays out places on two log axes inside a frame (px). Without places the axes have one decade. */
export function scatterShape(places: readonly Place[], frame: Frame): ScatterShape {
  const x = logScale(
    places.map(({ across }) => across),
    [frame.left, frame.width - frame.right],
  );
  const y = logScale(
    places.map(({ up }) => up),
    [frame.height - frame.bottom, frame.top],
  );
  const dots = places.map(({ across, up }) => ({ x: x(across), y: y(up) }));
  spread(places.map(({ group }, i) => ({ group: group % GROUPS, dot: dots[i] ?? { x: 0, y: 0 } })));
  const paths = Array.from({ length: GROUPS }, () => '');
  dots.forEach((dot, i) => {
    const group = (places[i]?.group ?? 0) % GROUPS;
    paths[group] = (paths[group] ?? '') + markerPath(group, dot.x, dot.y);
  });
  return { dots, paths, across: ticksOf(x), up: ticksOf(y) };
}

/** Moves marks of different groups at one point beside each other: the first would hide the others. */
function spread(marks: readonly { group: number; dot: Dot }[]): void {
  for (const column of Map.groupBy(marks, ({ dot }) => Math.round(dot.x)).values()) {
    let top = -Infinity;
    const points = Map.groupBy(
      column.toSorted((a, b) => a.dot.y - b.dot.y),
      ({ dot }) => (top = dot.y - top < MARK ? top : dot.y),
    );
    for (const point of points.values()) {
      const groups = [...new Set(point.map(({ group }) => group))].sort((a, b) => a - b);
      for (const { group, dot } of point) dot.x += (groups.indexOf(group) - (groups.length - 1) / 2) * MARK;
    }
  }
}

/** Returns the indexes of the dots under a pointer: all at the place of the nearest one, if it is within reach. */
export function dotsAt(dots: readonly Dot[], x: number, y: number, reach: number): number[] {
  let nearest: Dot | null = null;
  let least = reach * reach;
  for (const dot of dots) {
    const distance = (dot.x - x) ** 2 + (dot.y - y) ** 2;
    if (distance > least) continue;
    least = distance;
    nearest = dot;
  }
  if (nearest === null) return [];
  const { x: atX, y: atY } = nearest;
  return dots.flatMap((dot, i) => (Math.abs(dot.x - atX) < 1 && Math.abs(dot.y - atY) < 1 ? [i] : []));
}

type LogScale = ReturnType<typeof scaleLog<number>>;

function logScale(values: readonly number[], range: [number, number]): LogScale {
  let [low, high] = [Infinity, 0];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (high === 0) [low, high] = [1, 10];
  // A single value, or nearly equal ones, are centred in a decade.
  const widen = Math.max(MARGIN, Math.sqrt(10 / (high / low)));
  return scaleLog([low / widen, high * widen], range);
}

/** Returns powers of ten; where these are too few, also two and five times them. */
function ticksOf(scale: LogScale): Tick[] {
  const [low = 1, high = 10] = scale.domain();
  const factors = Math.log10(high / low) < FEW_DECADES ? [1, 2, 5] : [1];
  const first = Math.floor(Math.log10(low));
  const decades = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, i) => first + i);
  return decades
    .flatMap((decade) => factors.map((factor) => Number(`${factor}e${decade}`)))
    .filter((value) => value >= low && value <= high)
    .map((value) => ({ value, at: scale(value) }));
}

function rounded(px: number): number {
  return Math.round(px * 10) / 10;
}

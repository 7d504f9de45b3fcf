import { scaleLog } from 'd3-scale';
import type { Frame } from './frame.ts';

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

/** Marks around a point, told apart by their shape alone. In px; all look about equally heavy. */
const MARKERS = [
  'm-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z',
  'm-3.6,-3.6h7.2v7.2h-7.2z',
  'm0,-5l4.8,8.4h-9.6z',
  'm0,-5.2l5.2,5.2l-5.2,5.2l-5.2,-5.2z',
  'm0,5l4.8,-8.4h-9.6z',
  'm-1.5,-4.8h3v3.3h3.3v3h-3.3v3.3h-3v-3.3h-3.3v-3h3.3z',
  'm-2.8,0a2.8,2.8 0 1,0 5.6,0a2.8,2.8 0 1,0 -5.6,0z',
] as const;

export const GROUPS = MARKERS.length;

/** Factor by which the range is extended on either side, so that the frame cuts no mark. */
const MARGIN = 1.3;
/** Below this span two and five get ticks too. */
const FEW_DECADES = 2.5;

/** Draws the mark of a group around a point, for a legend. */
export function markerPath(group: number, x: number, y: number): string {
  return `M${rounded(x)},${rounded(y)}${MARKERS[group % GROUPS] ?? ''}`;
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
  const paths = Array.from({ length: GROUPS }, () => '');
  dots.forEach((dot, i) => {
    const group = (places[i]?.group ?? 0) % GROUPS;
    paths[group] = (paths[group] ?? '') + markerPath(group, dot.x, dot.y);
  });
  return { dots, paths, across: ticksOf(x), up: ticksOf(y) };
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

type Axis = ReturnType<typeof scaleLog<number>>;

function logScale(values: readonly number[], range: [number, number]): Axis {
  let [low, high] = [Infinity, 0];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (high === 0) [low, high] = [1, 10];
  // A single value, or nearly equal ones, are centred in a decade.
  const widen = Math.max(MARGIN, Math.sqrt(10 / (high / low)));
  return scaleLog([low / widen, high * widen], range);
}

/** Returns powers of ten; where these are too few, also two and five times them. */
function ticksOf(scale: Axis): Tick[] {
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

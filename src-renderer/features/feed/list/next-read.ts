import type { RowWindow } from './row-window.ts';

/** Rows per read. */
export const ROWS_A_READ = 200;
/** Rows that are loaded beyond the visible ones, in the direction of scrolling and against it. */
const AHEAD = 600;
const BEHIND = 100;

/** The visible rows. */
export interface ListView {
  readonly first: number;
  readonly last: number;
  /** True if the list was last scrolled downwards. */
  readonly down: boolean;
}

/**
 * Chooses the next read of a list: places below the known ones, or the rows at some indexes. The most urgent comes
 * first. Null if nothing near the view is missing.
 *
 * @param below whether there are places below the known ones, and whether all of them are wanted or only those near the view
 */
export function nextRead(
  window: RowWindow,
  view: ListView,
  below: 'all' | 'near' | 'none',
): 'places' | readonly number[] | null {
  const { first, last, down } = view;
  if (window.missing(first, last, 1).length > 0) return visibleRead(window, view);
  if (below === 'all' || (below === 'near' && window.known < last + AHEAD)) return 'places';
  const [lower] = window.missing(last + 1, last + (down ? AHEAD : BEHIND), 1);
  const [upper] = window.missing(first - (down ? BEHIND : AHEAD), first - 1, 1);
  if (lower !== undefined && (down || upper === undefined)) return missing(window, lower, lower + ROWS_A_READ - 1);
  if (upper === undefined) return null;
  // From below upwards: the nearest first.
  const nearest = window.missing(upper, first - 1, AHEAD).at(-1) ?? upper;
  return missing(window, nearest - ROWS_A_READ + 1, nearest);
}

/** Starts at the visible rows, in the direction of scrolling. */
function visibleRead(window: RowWindow, { first, last, down }: ListView): number[] {
  return down
    ? missing(window, first, Math.max(last, first + ROWS_A_READ - 1))
    : missing(window, Math.min(first, last - ROWS_A_READ + 1), last);
}

function missing(window: RowWindow, from: number, to: number): number[] {
  return window.missing(from, to, ROWS_A_READ);
}

/** Position and size in device-independent pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where the window goes. Without `x` and `y` the system centres it. */
export interface Placement {
  x?: number;
  y?: number;
  width: number;
  height: number;
  maximized: boolean;
}

export const SMALLEST = { width: 480, height: 400 };
const USUAL = { main: { width: 1280, height: 820 }, reader: { width: 860, height: 900 } };

// What must stay in reach for the window to be moved again: a piece of its title bar.
const GRIP = { width: 120, height: 40 };

/**
 * Brings remembered bounds back onto a screen that is there today: screens get unplugged, swapped and rescaled.
 *
 * @param remembered what the file holds; anything, since people edit files
 * @param workAreas the screens without their bars, the primary one first
 */
export function placeWindow(remembered: unknown, workAreas: Box[], usual: keyof typeof USUAL = 'main'): Placement {
  const maximized = isRecord(remembered) && remembered['maximized'] === true;
  const box = asBox(remembered);
  const area = box && workAreas.find((candidate) => canGrip(box, candidate));
  if (!box || !area) return { ...fit(USUAL[usual], workAreas[0]), maximized };
  const size = fit(box, area);
  return {
    x: between(box.x, area.x, area.x + area.width - size.width),
    y: between(box.y, area.y, area.y + area.height - size.height),
    ...size,
    maximized,
  };
}

/** How far each further window of a kind lies from the one before it. */
const STEP = 28;

/** Where a window goes beside an open one of its kind: a step down and to the right, and at the corner again where no screen is left. */
export function placeBeside(box: Box, workAreas: Box[]): Placement {
  const area = workAreas.find((candidate) => canGrip(box, candidate)) ?? workAreas[0];
  if (!area) return { width: box.width, height: box.height, maximized: false };
  const size = fit(box, area);
  const isRoom = box.x + STEP + size.width <= area.x + area.width && box.y + STEP + size.height <= area.y + area.height;
  const corner = isRoom ? { x: box.x + STEP, y: box.y + STEP } : { x: area.x, y: area.y };
  return { ...corner, ...size, maximized: false };
}

/** Where an open window goes that no screen shows any more: the middle of the primary one. Null where it is in reach. */
export function bringBack(box: Box, workAreas: Box[]): Box | null {
  const [primary] = workAreas;
  if (!primary || workAreas.some((area) => canGrip(box, area))) return null;
  const { width, height } = fit(box, primary);
  return {
    x: Math.round(primary.x + Math.max(0, primary.width - width) / 2),
    y: Math.round(primary.y + Math.max(0, primary.height - height) / 2),
    width,
    height,
  };
}

function fit(size: { width: number; height: number }, area: Box | undefined): { width: number; height: number } {
  return {
    width: between(size.width, SMALLEST.width, area?.width ?? size.width),
    height: between(size.height, SMALLEST.height, area?.height ?? size.height),
  };
}

function canGrip(box: Box, area: Box): boolean {
  const width = Math.min(box.x + box.width, area.x + area.width) - Math.max(box.x, area.x);
  const titleBarShows = box.y >= area.y - GRIP.height && box.y + GRIP.height <= area.y + area.height;
  return width >= GRIP.width && titleBarShows;
}

function asBox(value: unknown): Box | undefined {
  if (!isRecord(value)) return undefined;
  const { x, y, width, height } = value;
  if (!isPixels(x) || !isPixels(y) || !isPixels(width) || !isPixels(height)) return undefined;
  return { x, y, width, height };
}

function isPixels(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) < 100_000;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The lower bound wins when the two cross: a window may be larger than a tiny screen, never smaller than usable. */
function between(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

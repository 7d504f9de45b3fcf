/** Device-independent pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Placement {
  x?: number;
  y?: number;
  width: number;
  height: number;
  maximized: boolean;
}

export const MIN_SIZE = { width: 480, height: 400 };
const DEFAULT_SIZE = { main: { width: 1280, height: 820 }, article: { width: 860, height: 900 } };

// The part of the title bar that must be visible so that the window can be moved.
const GRIP = { width: 120, height: 40 };

/** Moves saved bounds onto a connected screen; `remembered` may be anything. The first of `workAreas` is the primary one. */
export function placeWindow(
  remembered: unknown,
  workAreas: Box[],
  kind: keyof typeof DEFAULT_SIZE = 'main',
): Placement {
  const maximized = isRecord(remembered) && remembered['maximized'] === true;
  const box = asBox(remembered);
  const moved = box && bringBack(box, workAreas);
  if (moved) return { ...moved, maximized };
  const area = box && workAreas.find((candidate) => canReach(box, candidate));
  if (!area) return { ...fit(DEFAULT_SIZE[kind], workAreas[0]), maximized };
  const size = fit(box, area);
  return {
    x: clamp(box.x, area.x, area.x + area.width - size.width),
    y: clamp(box.y, area.y, area.y + area.height - size.height),
    ...size,
    maximized,
  };
}

const STEP = 28;

/** For a window over another: a little below and after it, else at the corner of its screen. */
export function cascade(box: Box, workAreas: Box[]): Placement {
  const area = workAreas.find((candidate) => canReach(box, candidate)) ?? workAreas[0];
  if (!area) return { width: box.width, height: box.height, maximized: false };
  const size = fit(box, area);
  const fits = box.x + STEP + size.width <= area.x + area.width && box.y + STEP + size.height <= area.y + area.height;
  const corner = fits ? { x: box.x + STEP, y: box.y + STEP } : { x: area.x, y: area.y };
  return { ...corner, ...size, maximized: false };
}

export function bringBack(box: Box, workAreas: Box[]): Box | null {
  const [primary] = workAreas;
  if (!primary || workAreas.some((area) => canReach(box, area))) return null;
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
    width: clamp(size.width, MIN_SIZE.width, area?.width ?? size.width),
    height: clamp(size.height, MIN_SIZE.height, area?.height ?? size.height),
  };
}

function canReach(box: Box, area: Box): boolean {
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

/** The lower bound wins: a window may be larger than a tiny screen, but never too small to use. */
function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

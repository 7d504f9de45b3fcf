import type { WebContents } from 'electron';

/** Steps of 20 % each; beyond these the page has no room, or no letters. */
const LEAST = -3;
const MOST = 5;
const STEP = 0.5;

type Zoomed = Pick<WebContents, 'on' | 'getZoomLevel' | 'setZoomLevel'>;

/** A zoom level from a file that anyone may have edited. */
export function zoomLevelIn(remembered: unknown): number {
  const level = (remembered as { zoomLevel?: unknown } | null)?.zoomLevel;
  return typeof level === 'number' && Number.isFinite(level) ? Math.min(MOST, Math.max(LEAST, level)) : 0;
}

/** Ctrl and the wheel zoom as the menu does; Electron only tells of it. */
export function zoomByWheel(contents: Zoomed): void {
  contents.on('zoom-changed', (_event, direction) => {
    const level = contents.getZoomLevel() + (direction === 'in' ? STEP : -STEP);
    contents.setZoomLevel(zoomLevelIn({ zoomLevel: level }));
  });
}

import type { WebContents } from 'electron';

/** Steps of 20 %. Beyond these limits the page does not fit or cannot be read. */
const LEAST = -3;
const MOST = 5;
const STEP = 0.5;

type Zoomed = Pick<WebContents, 'on' | 'getZoomLevel' | 'setZoomLevel'>;

/** The zoom level in the file, checked and limited. */
export function zoomLevelIn(remembered: unknown): number {
  const level = (remembered as { zoomLevel?: unknown } | null)?.zoomLevel;
  return typeof level === 'number' && Number.isFinite(level) ? Math.min(MOST, Math.max(LEAST, level)) : 0;
}

/** Ctrl and the wheel zoom like the menu; Electron only sends the event. */
export function zoomByWheel(contents: Zoomed): void {
  contents.on('zoom-changed', (_event, direction) => {
    const level = contents.getZoomLevel() + (direction === 'in' ? STEP : -STEP);
    contents.setZoomLevel(zoomLevelIn({ zoomLevel: level }));
  });
}

import type { WebContents } from 'electron';

/** Steps of 20 %. Beyond these limits the page does not fit or cannot be read. */
const MIN_LEVEL = -3;
const MAX_LEVEL = 5;
const STEP = 0.5;

/**
 * Zooms by Ctrl and the wheel, as the menu does; Electron only sends the event. Chromium applies a zoom level to all windows
 * of an origin and saves it, so the app must not restore one itself: the level of a new window would reset the others.
 */
export function zoomByWheel(contents: Pick<WebContents, 'on' | 'getZoomLevel' | 'setZoomLevel'>): void {
  contents.on('zoom-changed', (_event, direction) => {
    const level = contents.getZoomLevel() + (direction === 'in' ? STEP : -STEP);
    contents.setZoomLevel(Math.min(MAX_LEVEL, Math.max(MIN_LEVEL, level)));
  });
}

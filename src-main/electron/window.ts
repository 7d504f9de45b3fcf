import { BrowserWindow, nativeTheme, screen } from 'electron';
import { placeWindow, SMALLEST } from './bounds.ts';
import { PAGE_ADDRESS } from './page_address.ts';
import { ICON_FILE, PRELOAD_FILE } from './places.ts';
import { pagePreferences } from './security.ts';
import type { StoredFile } from '../core/stored_file.ts';

// The page's own paper in either theme (`--paper` in its tokens), so that nothing flashes before its first paint.
const BACKGROUND = { light: '#fcfbf8', dark: '#1b1a18' };

/** Brings the one window to the front; opens it where there is none. */
export function showWindow(bounds: StoredFile): void {
  const [window] = BrowserWindow.getAllWindows();
  if (!window) return openWindow(bounds);
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function openWindow(bounds: StoredFile): void {
  const { maximized, ...box } = placeWindow(bounds.read(), workAreas());
  const window = new BrowserWindow({
    ...box,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    // Shown with its first picture, not before.
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    autoHideMenuBar: true,
    icon: ICON_FILE,
    webPreferences: pagePreferences(PRELOAD_FILE),
  });
  window.once('ready-to-show', () => {
    if (maximized) window.maximize();
    window.show();
  });
  window.on('close', () => rememberBounds(window, bounds));
  void window.loadURL(PAGE_ADDRESS);
}

function rememberBounds(window: BrowserWindow, bounds: StoredFile): void {
  try {
    bounds.write({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  } catch {
    // A full disk must not keep a window open; next time it opens where it did this time.
  }
}

function workAreas() {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary, ...others].map((display) => display.workArea);
}

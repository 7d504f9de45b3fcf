import { BrowserWindow, nativeTheme, screen } from 'electron';
import { EVENT_CHANNEL } from '../../contract/channels.ts';
import type { AppCommand, EventName, Events } from '../../contract/events.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
import { bringBack, SMALLEST, type Box, type Placement } from './bounds.ts';
import { PAGE_ADDRESS } from '../page-address.ts';
import { ICON_FILE, PRELOAD_FILE } from '../paths.ts';
import { pagePreferences } from '../security/security.ts';
import { zoomByWheel, zoomLevelIn } from './zoom.ts';

// The page's own paper in either theme (`--paper` in its tokens), so that nothing flashes before its first paint.
const BACKGROUND = { light: '#fcfbf8', dark: '#1b1a18' };

/** A window as Electron gives it back; what its constructor makes is of a class below. */
export type OpenWindow = NonNullable<ReturnType<typeof BrowserWindow.fromWebContents>>;

/** Where the bounds of a kind of window are kept: those of the window that is worked in lie openly in the file. */
export type WindowKind = 'main' | 'story' | 'report';

interface PageWindowOptions {
  placement: Placement;
  kind: WindowKind;
  bounds: StoredFile;
  /** Of the page's address, with its `#`; empty for none. */
  fragment?: string;
}

/** A window with the app's page in it, the same for every kind. It is shown with its first picture, not before. */
export function openPageWindow({ placement, kind, bounds, fragment = '' }: PageWindowOptions): OpenWindow {
  const { maximized, ...box } = placement;
  const window = new BrowserWindow({
    ...box,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    autoHideMenuBar: true,
    icon: ICON_FILE,
    webPreferences: pagePreferences(PRELOAD_FILE),
  });
  zoomByWheel(window.webContents);
  window.once('ready-to-show', () => {
    window.webContents.setZoomLevel(zoomLevelIn(bounds.read()));
    if (maximized) window.maximize();
    window.show();
  });
  window.on('close', () => remember(window, kind, bounds));
  void window.loadURL(`${PAGE_ADDRESS}${fragment}`);
  return window;
}

export function bringToFront(window: OpenWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Asks something of a window's page as soon as that is there. */
export function askPage({ webContents }: OpenWindow, command: AppCommand): void {
  const event = 'app.command' satisfies EventName;
  const tell = (): void => webContents.send(EVENT_CHANNEL, event, { command } satisfies Events[typeof event]);
  if (webContents.isLoadingMainFrame()) webContents.once('did-finish-load', tell);
  else tell();
}

/** What the file holds of a kind of window; anything, since people edit files. */
export function rememberedOf(kind: WindowKind, bounds: StoredFile): unknown {
  const content = bounds.read();
  return kind === 'main' ? content : (content as Record<string, unknown>)[kind];
}

function remember(window: OpenWindow, kind: WindowKind, bounds: StoredFile): void {
  const placement = { ...window.getNormalBounds(), maximized: window.isMaximized() };
  const zoomLevel = window.webContents.getZoomLevel();
  try {
    bounds.write(kind === 'main' ? { ...placement, zoomLevel } : { [kind]: placement, zoomLevel });
  } catch {
    // A full disk must not keep a window open; next time it opens where it did this time.
  }
}

/** The screens without their bars, the primary one first. */
export function workAreas(): Box[] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary, ...others].map((display) => display.workArea);
}

/** While the app runs, too, screens are unplugged and rescaled: no window is left where nobody sees it. */
export function keepInReach(): void {
  const look = (): void => {
    const areas = workAreas();
    for (const window of BrowserWindow.getAllWindows()) {
      // What fills a screen, or none, the system itself takes to another one.
      if (window.isMaximized() || window.isFullScreen() || window.isMinimized()) continue;
      const box = bringBack(window.getNormalBounds(), areas);
      if (box) window.setBounds(box);
    }
  };
  screen.on('display-removed', look);
  screen.on('display-metrics-changed', look);
}

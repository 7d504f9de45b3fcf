import { BrowserWindow, nativeTheme, screen, type WebContents } from 'electron';
import { EVENT_CHANNEL } from '../../contract/channels.ts';
import type { AppCommand, EventName, Events } from '../../contract/events.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
import { systemClock } from '../../core/system-clock.ts';
import { bringBack, SMALLEST, type Box, type Placement } from './bounds.ts';
import { PAGE_ADDRESS } from '../page-address.ts';
import { ICON_FILE, PRELOAD_FILE } from '../paths.ts';
import { pagePreferences } from '../security/security.ts';
import { zoomByWheel } from './zoom.ts';

// The page's own background, `--paper-list`, in both themes, so that nothing flashes before the first paint.
const BACKGROUND = { light: '#f7f5ef', dark: '#171614' };

/** How long a window waits for the content of its page once that has loaded, in ms. */
const PATIENCE_MS = 1_000;

/** Windows that have not been shown yet, and what shows them. */
const unshown = new WeakMap<WebContents, () => void>();

/** The type that Electron's functions return; `new BrowserWindow` has a subclass of it. */
export type OpenWindow = NonNullable<ReturnType<typeof BrowserWindow.fromWebContents>>;

/** The bounds of `main` are at the top level of the file, those of other kinds under their name. */
export type WindowKind = 'main' | 'story' | 'report';

interface PageWindowOptions {
  placement: Placement;
  kind: WindowKind;
  bounds: StoredFile;
  /** Of the page's address, with the `#`; may be empty. */
  fragment?: string;
}

/**
 * Opens a window with the app's page. It becomes visible when its page has called `app.painted`: with the stored rows in it,
 * in its theme. `ready-to-show` comes too early for that: at the latest when the page has loaded, before it has read anything.
 * A page that takes longer shows what it does.
 */
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
  const { webContents } = window;
  unshown.set(webContents, () => {
    if (maximized) window.maximize();
    window.show();
  });
  window.once('ready-to-show', () => systemClock.after(PATIENCE_MS, () => showFirst(webContents)));
  window.on('close', () => saveBounds(window, kind, bounds));
  void window.loadURL(`${PAGE_ADDRESS}${fragment}`);
  return window;
}

/** Shows a window for the first time. Returns false if it was shown before, or is gone. */
export function showFirst(webContents: WebContents): boolean {
  const show = unshown.get(webContents);
  if (!show || webContents.isDestroyed()) return false;
  unshown.delete(webContents);
  show();
  return true;
}

export function bringToFront(window: OpenWindow): void {
  if (window.isMinimized()) window.restore();
  if (!showFirst(window.webContents)) window.show();
  window.focus();
}

/** Sends a command to a window's page once it has loaded. */
export function sendCommand({ webContents }: OpenWindow, command: AppCommand): void {
  const event = 'app.command' satisfies EventName;
  const send = (): void => webContents.send(EVENT_CHANNEL, event, { command } satisfies Events[typeof event]);
  if (webContents.isLoadingMainFrame()) webContents.once('did-finish-load', send);
  else send();
}

/** The saved bounds of a kind of window, unchecked. */
export function rememberedOf(kind: WindowKind, bounds: StoredFile): unknown {
  const content = bounds.read();
  return kind === 'main' ? content : (content as Record<string, unknown>)[kind];
}

function saveBounds(window: OpenWindow, kind: WindowKind, bounds: StoredFile): void {
  const placement = { ...window.getNormalBounds(), maximized: window.isMaximized() };
  try {
    bounds.write(kind === 'main' ? placement : { [kind]: placement });
  } catch {
    // A full disk must not prevent closing. The window then opens at its previous position.
  }
}

/** The screens without their bars, the primary one first. */
export function workAreas(): Box[] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary, ...others].map((display) => display.workArea);
}

/** Moves windows back when a screen is unplugged or rescaled. */
export function keepWindowsOnScreen(): void {
  const moveBack = (): void => {
    const areas = workAreas();
    for (const window of BrowserWindow.getAllWindows()) {
      // The system itself moves these to another screen.
      if (window.isMaximized() || window.isFullScreen() || window.isMinimized()) continue;
      const box = bringBack(window.getNormalBounds(), areas);
      if (box) window.setBounds(box);
    }
  };
  screen.on('display-removed', moveBack);
  screen.on('display-metrics-changed', moveBack);
}

import { BrowserWindow, nativeTheme, screen } from 'electron';
import { placeWindow, SMALLEST } from './bounds.ts';
import { PAGE_ADDRESS } from './page_address.ts';
import { ICON_FILE, PRELOAD_FILE } from './places.ts';
import { pagePreferences } from './security.ts';
import type { StoredFile } from '../core/stored_file.ts';

// The page's own paper in either theme (`--paper` in its tokens), so that nothing flashes before its first paint.
const BACKGROUND = { light: '#fcfbf8', dark: '#1b1a18' };

interface MainWindowPorts {
  bounds: StoredFile;
  /** Asked when the window is closed: whether it only hides. */
  hides(): boolean;
  /** Windows: the user logs off, or the machine goes down. Nothing else tells the app. */
  onSessionEnd(): void;
}

/** The window that is worked in. There is none before it is shown, and after it was closed. */
export class MainWindow {
  readonly #ports: MainWindowPorts;
  #window: BrowserWindow | null = null;

  constructor(ports: MainWindowPorts) {
    this.#ports = ports;
  }

  /** Brings it to the front; opens it where there is none. */
  show(): void {
    const window = this.#window;
    if (!window) return this.#open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  #open(): void {
    const { bounds, hides, onSessionEnd } = this.#ports;
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
    this.#window = window;
    window.once('ready-to-show', () => {
      if (maximized) window.maximize();
      window.show();
    });
    window.on('close', (event) => {
      rememberBounds(window, bounds);
      if (!hides()) return;
      event.preventDefault();
      window.hide();
    });
    window.on('closed', () => (this.#window = null));
    window.on('session-end', onSessionEnd);
    void window.loadURL(PAGE_ADDRESS);
  }
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

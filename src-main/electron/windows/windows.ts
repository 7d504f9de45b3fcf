import { BrowserWindow, nativeTheme, screen, type WebContents } from 'electron';
import { BroadsheetError } from '../../contract/errors.ts';
import type { AppCommand, EventName, Events } from '../../contract/events.ts';
import { writeFragment, type WindowTarget } from '../../contract/refs.ts';
import { EVENT_CHANNEL } from '../../contract/wire.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
import { systemClock } from '../../core/system-clock.ts';
import { PAGE_ADDRESS } from '../page.ts';
import { ICON_FILE, PRELOAD_FILE } from '../paths.ts';
import { pagePreferences } from '../security/security.ts';
import { bringBack, MIN_SIZE, cascade, placeWindow, type Box, type Placement } from './bounds.ts';

export class MainWindow {
  readonly #bounds: StoredFile;
  readonly #hidesOnClose: () => boolean;
  #window: OpenWindow | null = null;

  constructor(bounds: StoredFile, hidesOnClose: () => boolean) {
    this.#bounds = bounds;
    this.#hidesOnClose = hidesOnClose;
  }

  get window(): OpenWindow | null {
    return this.#window;
  }

  show(): void {
    if (this.#window) bringToFront(this.#window);
    else this.#window = this.#open();
  }

  sendCommand(command: AppCommand): void {
    this.show();
    if (this.#window) sendCommand(this.#window, command);
  }

  #open(): OpenWindow {
    const placement = placeWindow(savedBounds('main', this.#bounds), workAreas());
    const window = openPageWindow({ placement, kind: 'main', bounds: this.#bounds });
    window.on('close', (event) => {
      if (!this.#hidesOnClose()) return;
      event.preventDefault();
      window.hide();
    });
    window.on('closed', () => (this.#window = null));
    return window;
  }
}

export class ArticleWindows {
  readonly #bounds: StoredFile;
  readonly #windows = new Map<string, { window: OpenWindow; view: WindowTarget['view'] }>();

  constructor(bounds: StoredFile) {
    this.#bounds = bounds;
  }

  async open(target: WindowTarget): Promise<void> {
    const fragment = writeFragment('window', target);
    if (fragment === null) throw new BroadsheetError('invalid_argument', 'This cannot be opened in a separate window.');
    const existing = this.#windows.get(fragment);
    if (existing) bringToFront(existing.window);
    else this.#open(target, fragment);
  }

  #open({ view }: WindowTarget, fragment: string): void {
    const placement = this.#placeOf(view);
    const window = openPageWindow({ placement, kind: view, bounds: this.#bounds, fragment });
    this.#windows.set(fragment, { window, view });
    window.on('closed', () => this.#windows.delete(fragment));
  }

  #placeOf(view: WindowTarget['view']): Placement {
    const latest = [...this.#windows.values()].findLast((one) => one.view === view);
    if (latest) return cascade(latest.window.getNormalBounds(), workAreas());
    return placeWindow(savedBounds(view, this.#bounds), workAreas(), 'article');
  }
}

// The page's own background, `--paper-list`, in both themes, so that nothing flashes before the first paint.
const BACKGROUND = { light: '#f7f5ef', dark: '#171614' };

/** A page shows its content this long after loading at the latest. */
const PATIENCE_MS = 1_000;

const unshown = new WeakMap<WebContents, () => void>();

/** The type that Electron's functions return; `new BrowserWindow` has a subclass of it. */
export type OpenWindow = NonNullable<ReturnType<typeof BrowserWindow.fromWebContents>>;

/** The bounds of `main` are at the top level of the file, those of other kinds under their name. */
type WindowKind = 'main' | 'story' | 'report';

interface PageWindowOptions {
  placement: Placement;
  kind: WindowKind;
  bounds: StoredFile;
  fragment?: string;
}

/** Shows the window on `app.painted`. `ready-to-show` comes before any rows, and under Wayland perhaps never. */
function openPageWindow({ placement, kind, bounds, fragment = '' }: PageWindowOptions): OpenWindow {
  const { maximized, ...box } = placement;
  const window = new BrowserWindow({
    ...box,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
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
  webContents.once('did-stop-loading', () => systemClock.after(PATIENCE_MS, () => showFirst(webContents)));
  window.on('close', () => saveBounds(window, kind, bounds));
  void window.loadURL(`${PAGE_ADDRESS}${fragment}`);
  return window;
}

export function showFirst(webContents: WebContents): boolean {
  const show = unshown.get(webContents);
  if (!show || webContents.isDestroyed()) return false;
  unshown.delete(webContents);
  show();
  return true;
}

function bringToFront(window: OpenWindow): void {
  if (window.isMinimized()) window.restore();
  if (!showFirst(window.webContents)) window.show();
  window.focus();
}

export function sendCommand({ webContents }: OpenWindow, command: AppCommand): void {
  const event = 'app.command' satisfies EventName;
  const send = (): void => webContents.send(EVENT_CHANNEL, event, { command } satisfies Events[typeof event]);
  if (webContents.isLoadingMainFrame()) webContents.once('did-finish-load', send);
  else send();
}

function savedBounds(kind: WindowKind, bounds: StoredFile): unknown {
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

function workAreas(): Box[] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary, ...others].map((display) => display.workArea);
}

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

/** Steps of 20 %. Beyond these limits the page does not fit or cannot be read. */
const MIN_LEVEL = -3;
const MAX_LEVEL = 5;
const STEP = 0.5;

/** Restores no level: Chromium saves one for all windows of an origin, and a new window would reset the others. */
function zoomByWheel(contents: Pick<WebContents, 'on' | 'getZoomLevel' | 'setZoomLevel'>): void {
  contents.on('zoom-changed', (_event, direction) => {
    const level = contents.getZoomLevel() + (direction === 'in' ? STEP : -STEP);
    contents.setZoomLevel(Math.min(MAX_LEVEL, Math.max(MIN_LEVEL, level)));
  });
}

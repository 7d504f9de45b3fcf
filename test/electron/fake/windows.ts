/** Windows and their pages. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { app, mustBeReady } from './app.ts';
import { fileOf } from './desktop.ts';
import { destroy, emitted, FakeEvent } from './emitting.ts';
import { Renderer } from './renderer.ts';
import { record, type WindowRecord } from './records.ts';

export class Frame implements Pick<Electron.WebFrameMain, 'url'> {
  readonly url: string;
  readonly parent: Frame | null;
  constructor(url: string, parent: Frame | null = null) {
    this.url = url;
    this.parent = parent;
  }
}

/** Emits `loaded` for each page whose preload script has run. */
export const pages = new EventEmitter<{ loaded: [WebContents] }>();

/** The printed output of every page. */
export const PRINTED = Buffer.from('%PDF-1.7\n% in place of a page\n%%EOF\n');

type PageRecord = Pick<WindowRecord, 'did' | 'events' | 'zoomLevel' | 'address'>;

/** By origin, as in Chromium. */
const zoomLevels = new Map<string, number>();
const originOf = ({ address }: PageRecord): string => new URL(address ?? 'about:blank').host;

export class WebContents
  extends EventEmitter
  implements
    Pick<
      Electron.WebContents,
      | 'send'
      | 'print'
      | 'printToPDF'
      | 'reload'
      | 'getZoomLevel'
      | 'setZoomLevel'
      | 'isDestroyed'
      | 'isLoadingMainFrame'
      | 'forcefullyCrashRenderer'
      | 'showDefinitionForSelection'
    >
{
  mainFrame = new Frame('');
  /** Each page loaded has its own. */
  renderer = new Renderer(this);
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | undefined;
  isLoading = false;
  destroyed = false;
  readonly #record: PageRecord;

  constructor(window: PageRecord = { did: [], events: [], zoomLevel: 0, address: null }) {
    super();
    this.#record = window;
  }
  isDestroyed = (): boolean => this.destroyed;
  isLoadingMainFrame = (): boolean => this.isLoading;
  getZoomLevel = (): number => this.#record.zoomLevel;
  /** Zooms all windows of the origin, as Chromium does. */
  setZoomLevel(level: number): void {
    zoomLevels.set(originOf(this.#record), level);
    for (const { record: other } of windows) if (originOf(other) === originOf(this.#record)) other.zoomLevel = level;
  }
  print(_options?: Electron.WebContentsPrintOptions, callback?: (success: boolean, reason: string) => void): void {
    this.#record.did.push('print');
    callback?.(false, 'Print job canceled');
  }
  reload(): void {
    this.#record.did.push('reload');
  }
  forcefullyCrashRenderer(): void {
    this.#record.did.push('crash');
    app.emit('render-process-gone', new FakeEvent(), this, { reason: 'crashed', exitCode: 1 });
  }
  showDefinitionForSelection(): void {
    this.#record.did.push('lookUp');
  }

  setWindowOpenHandler(handler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0]): void {
    this.openHandler = handler;
  }
  async printToPDF(options: Electron.PrintToPDFOptions): Promise<Buffer> {
    record.printed.push(structuredClone(options));
    return PRINTED;
  }
  send(channel: string, ...args: unknown[]): void {
    const copies = structuredClone(args);
    this.#record.events.push(String(args[0]));
    // Delayed, but before the result of a later call: both use one pipe.
    const { renderer } = this;
    queueMicrotask(() => renderer.ipcRenderer.emit(channel, new FakeEvent(), ...copies));
  }
}

const windows: BrowserWindow[] = [];

export class BrowserWindow
  extends EventEmitter
  implements
    Pick<
      Electron.BrowserWindow,
      | 'show'
      | 'hide'
      | 'focus'
      | 'restore'
      | 'maximize'
      | 'isMinimized'
      | 'isMaximized'
      | 'isVisible'
      | 'isDestroyed'
      | 'isFullScreen'
      | 'getNormalBounds'
      | 'setBounds'
      | 'getTitle'
      | 'loadURL'
      | 'setOverlayIcon'
    >
{
  static getAllWindows = (): BrowserWindow[] => [...windows];
  /** As while another program is in front. */
  static focused: BrowserWindow | null = null;
  static getFocusedWindow = (): BrowserWindow | null => BrowserWindow.focused;
  static fromWebContents = (contents: unknown): BrowserWindow | null =>
    windows.find(({ webContents }) => webContents === contents) ?? null;

  readonly webContents: WebContents;
  readonly record: WindowRecord;
  #bounds: Electron.Rectangle;
  #preload: string | undefined;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    mustBeReady('Cannot create BrowserWindow');
    this.#preload = options.webPreferences?.preload;
    this.record = {
      options: structuredClone(options),
      address: null,
      did: [],
      events: [],
      zoomLevel: 0,
      minimized: false,
      maximized: false,
      visible: options.show ?? true,
      closed: false,
      overlay: null,
    };
    const { x = 40, y = 40, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    this.webContents = new WebContents(this.record);
    record.windows.push(this.record);
    windows.push(this);
    app.emit('web-contents-created', new FakeEvent(), this.webContents);
    app.emit('browser-window-created', new FakeEvent(), this);
  }
  show(): void {
    this.record.did.push('show');
    this.record.visible = true;
    this.emit('show');
  }
  hide(): void {
    this.record.did.push('hide');
    this.record.visible = false;
    // Windows removes the overlay together with the taskbar button.
    this.record.overlay = null;
    this.emit('hide');
  }
  isVisible(): boolean {
    return this.record.visible;
  }
  setOverlayIcon(overlay: Electron.NativeImage | null, description: string): void {
    this.record.overlay = { image: fileOf(overlay), description };
  }
  focus(): void {
    this.record.did.push('focus');
  }
  restore(): void {
    this.record.did.push('restore');
    this.record.minimized = false;
  }
  maximize(): void {
    this.record.did.push('maximize');
    this.record.maximized = true;
  }
  isMinimized(): boolean {
    return this.record.minimized;
  }
  isMaximized(): boolean {
    return this.record.maximized;
  }
  getNormalBounds(): Electron.Rectangle {
    return { ...this.#bounds };
  }
  setBounds(bounds: Partial<Electron.Rectangle>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.record.did.push('setBounds');
  }
  isFullScreen = (): boolean => false;
  isDestroyed = (): boolean => this.record.closed;
  getTitle = (): string => '(3) Broadsheet: a/b';
  loadURL(address: string): Promise<void> {
    const loaded = this.#load(address);
    // As in Electron, the caller may ignore a failure.
    loaded.catch(() => undefined);
    return loaded;
  }
  async #load(address: string): Promise<void> {
    const { webContents } = this;
    this.record.address = address;
    this.record.zoomLevel = zoomLevels.get(originOf(this.record)) ?? 0;
    webContents.mainFrame = new Frame(address);
    webContents.isLoading = true;
    // The page loads asynchronously.
    webContents.renderer = new Renderer(webContents);
    await (this.#preload ? webContents.renderer.run(this.#preload) : Promise.resolve());
    if (webContents.destroyed) throw new Error(`ERR_FAILED (-2) loading '${address}'`);
    webContents.isLoading = false;
    webContents.emit('did-finish-load');
    // Without `ready-to-show`, which may not come under Wayland.
    webContents.emit('did-stop-loading');
    pages.emit('loaded', webContents);
  }
  /** The user clicks the close button. The page ends before the window, so the call returns before it has closed. */
  close(): void {
    if (emitted(this, 'close')) return app.stayOpen();
    setImmediate(() => this.#end());
  }
  #end(): void {
    if (this.record.closed) return;
    windows.splice(windows.indexOf(this), 1);
    if (BrowserWindow.focused === this) BrowserWindow.focused = null;
    this.record.closed = true;
    const { webContents } = this;
    webContents.destroyed = true;
    webContents.emit('destroyed');
    destroy(webContents, ['isDestroyed']);
    destroy(this, ['isDestroyed'], ['webContents']);
    this.emit('closed');
    if (windows.length === 0) app.haveNoWindows();
  }
}

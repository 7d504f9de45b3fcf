/** Windows and their pages. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as Electron from 'electron';
import { EVENT_CHANNEL } from '../../../src-main/contract/wire.ts';
import { app, mustBeReady } from './app.ts';
import { destroy, emitted, FakeEvent, type Like } from './emitting.ts';
import { record, type WindowRecord } from './records.ts';

export class Frame implements Pick<Electron.WebFrameMain, 'url'> {
  readonly url: string;
  readonly parent: Frame | null;
  constructor(url: string, parent: Frame | null = null) {
    this.url = url;
    this.parent = parent;
  }
}

/** Emits `loaded` for each page. */
export const pages = new EventEmitter<{ loaded: [WebContents] }>();

/** The printed output of every page. */
export const PRINTED = Buffer.from('%PDF-1.7\n% in place of a page\n%%EOF\n');

type PageRecord = Pick<WindowRecord, 'did' | 'events'>;

export class WebContents extends EventEmitter implements Like<Electron.WebContents, 'mainFrame'> {
  mainFrame = new Frame('');
  /** The events that reach the page. Each page loaded has its own. */
  page = new EventEmitter();
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | undefined;
  isLoadingPage = false;
  destroyed = false;
  readonly #record: PageRecord;
  #zoomLevel = 0;

  constructor(window: PageRecord = { did: [], events: [] }) {
    super();
    this.#record = window;
  }
  isDestroyed = (): boolean => this.destroyed;
  isLoadingMainFrame = (): boolean => this.isLoadingPage;
  getZoomLevel = (): number => this.#zoomLevel;
  setZoomLevel(level: number): void {
    this.#zoomLevel = level;
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
  showDefinitionForSelection = (): void => undefined;

  setWindowOpenHandler(handler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0]): void {
    this.openHandler = handler;
  }
  printToPDF = async (): Promise<Buffer> => PRINTED;
  send(channel: string, ...args: unknown[]): void {
    const [name, payload] = structuredClone(args);
    this.#record.events.push(String(name));
    // Delayed, but before the result of a later call: both use one pipe.
    const { page } = this;
    if (channel === EVENT_CHANNEL) queueMicrotask(() => page.emit(String(name), payload));
  }
}

const windows: BrowserWindow[] = [];

export class BrowserWindow extends EventEmitter implements Like<Electron.BrowserWindow, 'webContents'> {
  static getAllWindows = (): BrowserWindow[] => [...windows];
  /** As while another program is in front. */
  static focused: BrowserWindow | null = null;
  static getFocusedWindow = (): BrowserWindow | null => BrowserWindow.focused;
  static fromWebContents = (contents: unknown): BrowserWindow | null =>
    windows.find(({ webContents }) => webContents === contents) ?? null;

  readonly webContents: WebContents;
  readonly record: WindowRecord;
  #bounds: Electron.Rectangle;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    mustBeReady('Cannot create BrowserWindow');
    this.record = {
      options: structuredClone(options),
      address: null,
      did: [],
      events: [],
      minimized: false,
      maximized: false,
      visible: options.show ?? true,
      closed: false,
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
    this.emit('hide');
  }
  isVisible(): boolean {
    return this.record.visible;
  }
  setOverlayIcon = (): void => undefined;
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
    webContents.mainFrame = new Frame(address);
    webContents.isLoadingPage = true;
    webContents.page = new EventEmitter();
    await nextTurn();
    if (webContents.destroyed) throw new Error(`ERR_FAILED (-2) loading '${address}'`);
    webContents.isLoadingPage = false;
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

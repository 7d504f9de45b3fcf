/**
 * Stands in for the `electron` module where there is no Electron: it keeps what the host hands to it and lets a test
 * play the other side. Every member carries the name and, where the compiler can compare them, the types of
 * `electron.d.ts`; what the host uses beyond that is missing here and fails loudly.
 *
 * It shows no window and runs no page: what needs the real thing is in `test/e2e/electron.test.ts`.
 */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Electron from 'electron';
import { bridge } from './bridge.ts';
import { fileOf, Menu, nativeImage, Notification, Tray } from './desk.ts';
import { record, type MenuRecord, type WindowRecord } from './records.ts';
import { clipboard, net, powerMonitor, screen } from './system.ts';
import { standinVault } from './vault.ts';

type Handler<Key extends keyof Electron.Session> = Electron.Session[Key] extends (handler: infer H) => void
  ? NonNullable<H>
  : never;

/** An event that can be prevented, as Electron hands it to listeners. */
export class StandinEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

export class Frame implements Pick<Electron.WebFrameMain, 'url'> {
  readonly url: string;
  readonly parent: Frame | null;
  constructor(url: string, parent: Frame | null = null) {
    this.url = url;
    this.parent = parent;
  }
}

/** A download that a page, or something else, is about to begin. */
export class DownloadItem implements Pick<
  Electron.DownloadItem,
  'getURL' | 'getInitiatorOrigin' | 'getFilename' | 'setSaveDialogOptions'
> {
  saveDialog: Electron.SaveDialogOptions | null = null;
  readonly #from: { url: string; initiator: string; name: string };

  constructor(from: { url: string; initiator: string; name: string }) {
    this.#from = from;
  }
  getURL = (): string => this.#from.url;
  getInitiatorOrigin = (): string => this.#from.initiator;
  getFilename = (): string => this.#from.name;
  setSaveDialogOptions(options: Electron.SaveDialogOptions): void {
    this.saveDialog = structuredClone(options);
  }
}

export class StandinSession extends EventEmitter {
  permissionRequest: Handler<'setPermissionRequestHandler'> | undefined;
  permissionCheck: Handler<'setPermissionCheckHandler'> | undefined;
  devicePermission: Handler<'setDevicePermissionHandler'> | undefined;
  displayMediaRequest: Handler<'setDisplayMediaRequestHandler'> | undefined;
  beforeRequest:
    { urls: string[]; listener: (details: never, callback: (answer: unknown) => void) => void } | undefined;
  /** As in Electron, unless somebody turns it off. */
  spellChecks = true;

  setPermissionRequestHandler(handler: Handler<'setPermissionRequestHandler'>): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: Handler<'setPermissionCheckHandler'>): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: Handler<'setDevicePermissionHandler'>): void {
    this.devicePermission = handler;
  }
  setDisplayMediaRequestHandler(handler: Handler<'setDisplayMediaRequestHandler'>): void {
    this.displayMediaRequest = handler;
  }
  setSpellCheckerEnabled(enable: boolean): void {
    this.spellChecks = enable;
  }
  readonly webRequest = {
    onBeforeRequest: (
      filter: Electron.WebRequestFilter,
      listener: NonNullable<Parameters<Electron.WebRequest['onBeforeRequest']>[0]>,
    ): void => {
      this.beforeRequest = { urls: filter.urls, listener: listener };
    },
  };
}

/** What every page is printed as. */
export const PRINTED = Buffer.from('%PDF-1.7\n% in place of a page\n%%EOF\n');

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
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | undefined;
  isLoading = false;
  destroyed = false;
  readonly #record: Pick<WindowRecord, 'did' | 'told' | 'zoomLevel'>;

  constructor(window: Pick<WindowRecord, 'did' | 'told' | 'zoomLevel'> = { did: [], told: [], zoomLevel: 0 }) {
    super();
    this.#record = window;
  }
  isDestroyed = (): boolean => this.destroyed;
  isLoadingMainFrame = (): boolean => this.isLoading;
  getZoomLevel = (): number => this.#record.zoomLevel;
  setZoomLevel(level: number): void {
    this.#record.zoomLevel = level;
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
    app.emit('render-process-gone', new StandinEvent(), this, { reason: 'crashed', exitCode: 1 });
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
    this.#record.told.push(String(args[0]));
    // Later, but before the answer to a call that comes after it: one pipe carries both.
    queueMicrotask(() => ipcRenderer.emit(channel, new StandinEvent(), ...copies));
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
    this.#preload = options.webPreferences?.preload;
    this.record = {
      options: structuredClone(options),
      address: null,
      did: [],
      told: [],
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
    app.emit('web-contents-created', new StandinEvent(), this.webContents);
    app.emit('browser-window-created', new StandinEvent(), this);
  }
  show(): void {
    this.record.did.push('show');
    this.record.visible = true;
    this.emit('show');
  }
  hide(): void {
    this.record.did.push('hide');
    this.record.visible = false;
    // Windows takes the picture away together with the button under it.
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
  async loadURL(address: string): Promise<void> {
    this.record.address = address;
    this.webContents.mainFrame = new Frame(address);
    this.webContents.isLoading = true;
    // No page is there at once.
    await (this.#preload ? loadPreload(this.#preload) : Promise.resolve());
    this.webContents.isLoading = false;
    this.webContents.emit('did-finish-load');
    this.emit('ready-to-show');
    pages.emit('loaded');
  }
  /** What the user's click on the cross does. */
  close(): void {
    if (emitted(this, 'close')) return;
    windows.splice(windows.indexOf(this), 1);
    if (BrowserWindow.focused === this) BrowserWindow.focused = null;
    this.record.closed = true;
    this.webContents.destroyed = true;
    this.emit('closed');
    // Whoever quits does not need to be told that the windows are gone.
    if (windows.length === 0 && !app.isQuitting) app.emit('window-all-closed');
  }
}

/** The page's `window`, as far as the preload script put something into it. */
export const mainWorld: Record<string, unknown> = {};

export const contextBridge = {
  exposeInMainWorld(key: string, api: unknown): void {
    mainWorld[key] = bridge(api);
  },
} satisfies Pick<Electron.ContextBridge, 'exposeInMainWorld'>;

class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, Parameters<Electron.IpcMain['handle']>[1]>();

  handle(channel: string, handler: Parameters<Electron.IpcMain['handle']>[1]): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, handler);
  }

  /** Delivers what a frame sends: arguments and answer are cloned, as between processes. */
  async deliver(
    senderFrame: Frame | null,
    channel: string,
    args: unknown[],
    sender = windows[0]?.webContents,
  ): Promise<unknown> {
    const handler = this.handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    const event = Object.assign(new StandinEvent(), { type: 'frame', senderFrame, sender });
    return structuredClone(await handler(event as unknown as Electron.IpcMainInvokeEvent, ...structuredClone(args)));
  }
}
export const ipcMain = new IpcMain();

class IpcRenderer extends EventEmitter implements Pick<Electron.IpcRenderer, 'invoke'> {
  async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    return ipcMain.deliver(windows[0]?.webContents.mainFrame ?? null, channel, args);
  }
}
export const ipcRenderer = new IpcRenderer();

const { promise: ready, resolve: becomeReady } = Promise.withResolvers<undefined>();
let isReady = false;
void ready.then(() => (isReady = true));
export { becomeReady };

/** Tells `loaded` for each page whose preload script has run. */
export const pages = new EventEmitter<{ loaded: [] }>();

const standinDock = {
  menu: null as Menu | null,
  setBadge(text: string): void {
    record.badges.push(text);
  },
  setMenu(menu: unknown): void {
    const laid = menu as Menu;
    this.menu = laid;
    record.dockMenu = JSON.parse(JSON.stringify(laid.template)) as MenuRecord[];
  },
} satisfies Pick<Electron.Dock, 'setBadge'> & Record<'setMenu' | 'menu', unknown>;

class StandinApp
  extends EventEmitter
  implements
    Pick<
      Electron.App,
      | 'whenReady'
      | 'quit'
      | 'exit'
      | 'getVersion'
      | 'getLocale'
      | 'getPreferredSystemLanguages'
      | 'enableSandbox'
      | 'requestSingleInstanceLock'
      | 'isPackaged'
      | 'getLoginItemSettings'
      | 'setLoginItemSettings'
      | 'setBadgeCount'
      | 'setAppUserModelId'
      | 'setDesktopName'
      | 'setAsDefaultProtocolClient'
      | 'setUserTasks'
      | 'setAboutPanelOptions'
      | 'relaunch'
    >
{
  readonly isPackaged = true;
  /** On macOS only, as in Electron. */
  readonly dock = process.platform === 'darwin' ? standinDock : undefined;
  isQuitting = false;
  readonly paths = new Map<string, string>([['userData', join(tmpdir(), 'no-host-looks-here')]]);

  whenReady = (): Promise<void> => ready;
  getVersion = (): string => '0.0.0-standin';
  getLocale = (): string => 'en';
  getPreferredSystemLanguages = (): string[] => ['zh-CN', 'en-GB'];
  enableSandbox(): void {
    record.sandboxed = true;
  }
  getPath(name: string): string {
    const path = this.paths.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }
  setPath(name: string, path: string): void {
    this.paths.set(name, path);
    record.paths[name] = path;
  }
  requestSingleInstanceLock(): boolean {
    record.lockedFor = this.getPath('userData');
    return process.env['STANDIN_SECOND_INSTANCE'] === undefined;
  }
  getLoginItemSettings(): Electron.LoginItemSettings {
    const openAtLogin = record.loginItems.at(-1)?.openAtLogin ?? false;
    const wasOpenedAtLogin = process.env['STANDIN_OPENED_AT_LOGIN'] !== undefined;
    const status = openAtLogin ? 'enabled' : 'not-registered';
    return { openAtLogin, wasOpenedAtLogin, status, executableWillLaunchAtLogin: openAtLogin, launchItems: [] };
  }
  setLoginItemSettings(settings: Electron.Settings): void {
    record.loginItems.push(structuredClone(settings));
  }
  setBadgeCount(count = 0): boolean {
    record.badges.push(count);
    return true;
  }
  setAppUserModelId(id: string): void {
    record.appUserModelId = id;
  }
  setDesktopName(name: string): void {
    if (isReady) throw new Error('The desktop name must be known before the app is ready');
    record.desktopName = name;
  }
  setAsDefaultProtocolClient(scheme: string, path?: string, args?: string[]): boolean {
    record.claimed.push([scheme, ...(path === undefined ? [] : [path]), ...(args ?? [])]);
    return true;
  }
  setUserTasks(tasks: Electron.Task[]): boolean {
    if (process.platform !== 'win32') throw new TypeError('app.setUserTasks is not a function');
    record.tasks = structuredClone(tasks);
    return true;
  }
  setAboutPanelOptions(options: Electron.AboutPanelOptionsOptions): void {
    record.about = structuredClone(options);
  }
  relaunch(options: Electron.RelaunchOptions = {}): void {
    record.relaunched.push(structuredClone(options));
  }
  /** A window that stays open calls the whole thing off. */
  quit(): void {
    if (emitted(this, 'before-quit')) return;
    this.isQuitting = true;
    for (const window of BrowserWindow.getAllWindows()) window.close();
    this.isQuitting = false;
    if (windows.length > 0 || emitted(this, 'will-quit')) return;
    this.exit(0);
  }
  exit(code = 0): void {
    process.exit(code);
  }
}
export const app = new StandinApp();

/** Emits a preventable event; whether it was prevented. */
export function emitted(emitter: EventEmitter, name: string, details: object = {}, ...more: unknown[]): boolean {
  const event = Object.assign(new StandinEvent(), details);
  emitter.emit(name, event, ...more);
  return event.defaultPrevented;
}

type SchemeHandler = Parameters<Electron.Protocol['handle']>[1];
export const schemes = new Map<string, SchemeHandler>();

export const protocol = {
  registerSchemesAsPrivileged(custom: Electron.CustomScheme[]): void {
    record.schemes.push(...structuredClone(custom));
  },
  handle(scheme: string, handler: SchemeHandler): void {
    schemes.set(scheme, handler);
  },
} satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'>;

export const session = { defaultSession: new StandinSession() };

export { Menu, nativeImage, Notification, Tray };

export const shell = {
  async openExternal(url: string): Promise<void> {
    record.opened.push(url);
  },
  async openPath(path: string): Promise<string> {
    record.shown.push(path);
    return existsSync(path) ? '' : 'Set by the stand-in: no such folder';
  },
} satisfies Pick<Electron.Shell, 'openExternal' | 'openPath'>;

export const safeStorage = standinVault(() => isReady);

/** Where the user wants the next file (null for nowhere), and which button of a question is pressed (null: none yet). */
export const user = { wantsFileAt: null as string | null, presses: null as number | null };

export const dialog = {
  async showSaveDialog(window: unknown, options?: Electron.SaveDialogOptions): Promise<Electron.SaveDialogReturnValue> {
    if (!(window instanceof BrowserWindow))
      throw new TypeError('The dialog stands alone, and could be lost behind its window');
    record.asked.push(structuredClone(options ?? {}));
    return { canceled: user.wantsFileAt === null, filePath: user.wantsFileAt ?? '' };
  },
  async showOpenDialog(window: unknown, options?: Electron.OpenDialogOptions): Promise<Electron.OpenDialogReturnValue> {
    if (!(window instanceof BrowserWindow))
      throw new TypeError('The dialog stands alone, and could be lost behind its window');
    record.askedFolders.push(structuredClone(options ?? {}));
    return { canceled: user.wantsFileAt === null, filePaths: user.wantsFileAt === null ? [] : [user.wantsFileAt] };
  },
  async showMessageBox(...given: unknown[]): Promise<Electron.MessageBoxReturnValue> {
    const { signal, ...options } = given.at(-1) as Electron.MessageBoxOptions;
    record.questions.push(structuredClone(options));
    if (user.presses !== null) return { response: user.presses, checkboxChecked: false };
    // Answered by whoever takes the question back, as Electron does it.
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    return { response: options.cancelId ?? 0, checkboxChecked: false };
  },
} satisfies Pick<Electron.Dialog, 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox'>;

export { clipboard, net, powerMonitor, screen };

class StandinTheme
  extends EventEmitter
  implements
    Pick<Electron.NativeTheme, 'shouldUseDarkColors' | 'shouldUseDarkColorsForSystemIntegratedUI' | 'themeSource'>
{
  /** Whether the system's own theme is dark, and its panels are. */
  system = { dark: false, darkPanels: false };

  get shouldUseDarkColors(): boolean {
    return this.themeSource === 'system' ? this.system.dark : this.themeSource === 'dark';
  }
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    return this.system.darkPanels;
  }
  get themeSource(): Electron.NativeTheme['themeSource'] {
    return record.themeSource;
  }
  set themeSource(source: Electron.NativeTheme['themeSource']) {
    record.themeSource = source;
    this.emit('updated');
  }
  change(system: { dark: boolean; darkPanels: boolean }): void {
    this.system = system;
    this.emit('updated');
  }
}
export const nativeTheme = new StandinTheme();

/** Each window runs the script anew, as each page does. */
async function loadPreload(file: string): Promise<void> {
  ipcRenderer.removeAllListeners();
  await import(`${pathToFileURL(file).href}?window=${record.windows.length}`);
}

// Other packages take the module as one object; the compiler compares its names with Electron's.
export default {
  app,
  BrowserWindow,
  clipboard,
  contextBridge,
  dialog,
  ipcMain,
  ipcRenderer,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
} satisfies { [Name in keyof typeof Electron]?: unknown };

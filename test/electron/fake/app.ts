/** The app: events, names, dock and taskbar. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type * as Electron from 'electron';
import type { Menu } from './desktop.ts';
import { emitted, type Like } from './emitting.ts';
import { record, type MenuRecord } from './records.ts';
import { BrowserWindow } from './windows.ts';

const { promise: ready, resolve: resolveReady } = Promise.withResolvers<undefined>();
let hasBecomeReady = false;
export function becomeReady(): void {
  hasBecomeReady = true;
  resolveReady(undefined);
}
export const isReady = (): boolean => hasBecomeReady;

/** Errors: before the app is ready, as Electron's `what` does. */
export function mustBeReady(what: string): void {
  if (!hasBecomeReady) throw new Error(`${what} before app is ready`);
}

/** Errors: once the app is ready. */
export function mustNotBeReady(what: string): void {
  if (hasBecomeReady) throw new Error(`${what} can only be called before app is ready`);
}

const fakeDock = {
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

class FakeApp extends EventEmitter implements Like<Electron.App, 'commandLine' | 'dock'> {
  get isPackaged(): boolean {
    return true;
  }
  /** On macOS only, as in Electron. */
  readonly dock = process.platform === 'darwin' ? fakeDock : undefined;
  /** Chromium's switches, as given to the process. */
  readonly commandLine = {
    hasSwitch: (name: string): boolean => process.argv.includes(`--${name}`),
    appendSwitch: (name: string): void => {
      mustNotBeReady(`app.commandLine.appendSwitch('${name}')`);
    },
  };
  isQuitting = false;
  readonly paths = new Map<string, string>([['userData', join(tmpdir(), 'no-host-looks-here')]]);

  whenReady = (): Promise<void> => ready;
  getVersion = (): string => '0.0.0-fake';
  getPreferredSystemLanguages = (): string[] => ['zh-CN', 'en-GB'];
  enableSandbox(): void {
    mustNotBeReady('app.enableSandbox()');
    record.sandboxed = true;
  }
  getPath(name: string): string {
    const path = this.paths.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }
  setPath(name: string, path: string): void {
    if (name === 'sessionData') mustNotBeReady("app.setPath('sessionData')");
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path} does not exist`);
    this.paths.set(name, path);
    record.paths[name] = path;
  }
  /** `FAKE_LOCK=refused`: another instance holds the lock, or it failed; Electron does not tell them apart. */
  requestSingleInstanceLock(): boolean {
    record.lockedFor = this.getPath('userData');
    return process.env['FAKE_LOCK'] !== 'refused';
  }
  /** On Windows an item with other arguments is another one; only `executableWillLaunchAtLogin` ignores them. */
  getLoginItemSettings({ args = [] }: Electron.LoginItemSettingsOptions = {}): Electron.LoginItemSettings {
    const item = record.loginItems.at(-1);
    const isOn = item?.openAtLogin ?? false;
    const openAtLogin = isOn && (process.platform !== 'win32' || isDeepStrictEqual(item?.args ?? [], args));
    const status = isOn ? 'enabled' : 'not-registered';
    return { openAtLogin, wasOpenedAtLogin: false, status, executableWillLaunchAtLogin: isOn, launchItems: [] };
  }
  setLoginItemSettings(settings: Electron.Settings): void {
    record.loginItems.push(structuredClone(settings));
  }
  setBadgeCount(count = 0): boolean {
    record.badges.push(count);
    return true;
  }
  /** Electron would take it later too, but its name is then already in use. */
  setName(_given: string): void {
    mustNotBeReady('app.setName()');
  }
  setToastActivatorCLSID(_given: string): void {
    if (process.platform !== 'win32') throw new TypeError('app.setToastActivatorCLSID is not a function');
    mustNotBeReady('app.setToastActivatorCLSID()');
  }
  setAppUserModelId(_given: string): void {
    mustNotBeReady('app.setAppUserModelId()');
  }
  setDesktopName(name: string): void {
    mustNotBeReady(`app.setDesktopName('${name}')`);
  }
  getApplicationNameForProtocol(url: string): string {
    if (!url.includes('://')) throw new Error(`Not an address: ${url}`);
    return '';
  }
  isDefaultProtocolClient(scheme: string): boolean {
    return record.claimed.some(([claimed]) => claimed === scheme);
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
  setAboutPanelOptions = (): void => undefined;
  relaunch = (): void => undefined;
  /** Returns before the windows have closed. */
  quit(): void {
    if (emitted(this, 'before-quit')) return;
    const open = BrowserWindow.getAllWindows();
    this.isQuitting = true;
    if (open.length === 0) setImmediate(() => this.haveNoWindows());
    for (const window of open) window.close();
  }
  /** A window that stays open cancels quitting. */
  stayOpen(): void {
    this.isQuitting = false;
  }
  /** While quitting, `window-all-closed` is not emitted. */
  haveNoWindows(): void {
    if (!this.isQuitting) this.emit('window-all-closed');
    else if (!emitted(this, 'will-quit')) this.exit(0);
  }
  exit(code = 0): void {
    process.exit(code);
  }
}
export const app = new FakeApp();

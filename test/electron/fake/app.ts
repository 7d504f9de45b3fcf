/** The app: events, names, dock and taskbar. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import type { Menu } from './desktop.ts';
import { emitted } from './emitting.ts';
import { record, type MenuRecord } from './records.ts';
import { BrowserWindow } from './windows.ts';

const { promise: ready, resolve: becomeReady } = Promise.withResolvers<undefined>();
let hasBecomeReady = false;
void ready.then(() => (hasBecomeReady = true));
export { becomeReady };
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

class FakeApp
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
      | 'setName'
      | 'setAppUserModelId'
      | 'setToastActivatorCLSID'
      | 'setDesktopName'
      | 'isDefaultProtocolClient'
      | 'getApplicationNameForProtocol'
      | 'setAsDefaultProtocolClient'
      | 'setUserTasks'
      | 'setAboutPanelOptions'
      | 'relaunch'
    >
{
  /** `FAKE_PACKAGED=no`: as under `npm start`. */
  readonly isPackaged = process.env['FAKE_PACKAGED'] !== 'no';
  /** On macOS only, as in Electron. */
  readonly dock = process.platform === 'darwin' ? fakeDock : undefined;
  isQuitting = false;
  readonly paths = new Map<string, string>([['userData', join(tmpdir(), 'no-host-looks-here')]]);

  whenReady = (): Promise<void> => ready;
  getVersion = (): string => '0.0.0-fake';
  getLocale = (): string => 'en';
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
  getLoginItemSettings(): Electron.LoginItemSettings {
    const openAtLogin = record.loginItems.at(-1)?.openAtLogin ?? false;
    const wasOpenedAtLogin = process.env['FAKE_OPENED_AT_LOGIN'] !== undefined;
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
  /** Electron would take it later too, but its name is then already in use. */
  setName(name: string): void {
    mustNotBeReady('app.setName()');
    record.appName = name;
  }
  setToastActivatorCLSID(id: string): void {
    if (process.platform !== 'win32') throw new TypeError('app.setToastActivatorCLSID is not a function');
    mustNotBeReady('app.setToastActivatorCLSID()');
    if (!/^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i.test(id)) throw new TypeError('Invalid CLSID format');
    record.toastActivator = id;
  }
  setAppUserModelId(id: string): void {
    mustNotBeReady('app.setAppUserModelId()');
    record.appUserModelId = id;
  }
  setDesktopName(name: string): void {
    mustNotBeReady('app.setDesktopName()');
    record.desktopName = name;
  }
  /** `FAKE_LINK_HANDLER`: the program that opens our links. */
  getApplicationNameForProtocol(url: string): string {
    if (!url.includes('://')) throw new Error(`Not an address: ${url}`);
    return process.env['FAKE_LINK_HANDLER'] ?? '';
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
  setAboutPanelOptions(options: Electron.AboutPanelOptionsOptions): void {
    record.about = structuredClone(options);
  }
  relaunch(options: Electron.RelaunchOptions = {}): void {
    record.relaunched.push(structuredClone(options));
  }
  /** A window that stays open cancels quitting. */
  quit(): void {
    if (emitted(this, 'before-quit')) return;
    this.isQuitting = true;
    for (const window of BrowserWindow.getAllWindows()) window.close();
    this.isQuitting = false;
    if (BrowserWindow.getAllWindows().length > 0 || emitted(this, 'will-quit')) return;
    this.exit(0);
  }
  exit(code = 0): void {
    process.exit(code);
  }
}
export const app = new FakeApp();

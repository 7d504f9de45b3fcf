/** The app: events, names, dock and taskbar. Exported by `electron.ts`. */
import { EventEmitter } from 'node:events';
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
  readonly dock = process.platform === 'darwin' ? fakeDock : undefined;
  /** Chromium's switches, as given to the process. */
  readonly commandLine = { hasSwitch: (name: string): boolean => process.argv.includes(`--${name}`) };
  isQuitting = false;
  readonly paths = new Map<string, string>([['userData', join(tmpdir(), 'no-host-looks-here')]]);

  whenReady = (): Promise<void> => ready;
  getVersion = (): string => '0.0.0-fake';
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
    return process.env['FAKE_SECOND_INSTANCE'] === undefined;
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
  setAppUserModelId(id: string): void {
    record.appUserModelId = id;
  }
  setDesktopName(name: string): void {
    if (isReady()) throw new Error('The desktop name must be known before the app is ready');
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

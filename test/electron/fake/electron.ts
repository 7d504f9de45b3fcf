/**
 * Replaces the `electron` module where there is no Electron: it records what the host does and lets a test
 * act as the other side. Every member has the name and, where the compiler can compare them, the types of
 * `electron.d.ts`; members that are missing here fail with an error.
 *
 * It shows no window and runs no page: `test/e2e/electron.test.ts` tests those with the real Electron.
 */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type * as Electron from 'electron';
import { app, isReady, mustBeReady, mustNotBeReady } from './app.ts';
import { Menu, nativeImage, Notification, Tray } from './desktop.ts';
import type { Like } from './emitting.ts';
import { ipcMain } from './ipc.ts';
import { record } from './records.ts';
import { session } from './session.ts';
import { clipboard, net, powerMonitor, screen } from './system.ts';
import { fakeVault } from './vault.ts';
import { BrowserWindow } from './windows.ts';

export { becomeReady } from './app.ts';
export { emitted, FakeEvent } from './emitting.ts';
export { firstPage } from './ipc.ts';
export { DownloadItem, FakeSession } from './session.ts';
export { Frame, pages, PRINTED, WebContents } from './windows.ts';
export {
  app,
  BrowserWindow,
  clipboard,
  ipcMain,
  Menu,
  nativeImage,
  net,
  Notification,
  powerMonitor,
  screen,
  session,
  Tray,
};

type SchemeHandler = Parameters<Electron.Protocol['handle']>[1];
export const schemes = new Map<string, SchemeHandler>();

export const protocol = {
  registerSchemesAsPrivileged(custom: Electron.CustomScheme[]): void {
    mustNotBeReady('protocol.registerSchemesAsPrivileged');
    record.schemes.push(...structuredClone(custom));
  },
  /** `FAKE_PROTOCOL=broken`: Electron could not register it. */
  handle(scheme: string, handler: SchemeHandler): void {
    mustBeReady('Protocol can not be used');
    if (process.env['FAKE_PROTOCOL'] === 'broken') throw new Error(`Failed to register protocol: ${scheme}`);
    schemes.set(scheme, handler);
  },
} satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'>;

export const shell = {
  async openExternal(url: string): Promise<void> {
    record.opened.push(url);
  },
  async openPath(path: string): Promise<string> {
    record.shown.push(path);
    return existsSync(path) ? '' : 'Fake: no such folder';
  },
} satisfies Pick<Electron.Shell, 'openExternal' | 'openPath'>;

export const safeStorage = fakeVault(isReady);

/** The file that the user chooses next (null for none), and the button pressed in a message box (null: none yet). */
export const user = { wantsFileAt: null as string | null, presses: null as number | null };

export const dialog = {
  async showSaveDialog(window: unknown, options?: Electron.SaveDialogOptions): Promise<Electron.SaveDialogReturnValue> {
    mustHaveParent(window);
    record.asked.push(structuredClone(options ?? {}));
    return { canceled: user.wantsFileAt === null, filePath: user.wantsFileAt ?? '' };
  },
  async showOpenDialog(window: unknown, options?: Electron.OpenDialogOptions): Promise<Electron.OpenDialogReturnValue> {
    mustHaveParent(window);
    record.askedFolders.push(structuredClone(options ?? {}));
    return { canceled: user.wantsFileAt === null, filePaths: user.wantsFileAt === null ? [] : [user.wantsFileAt] };
  },
  async showMessageBox(...given: unknown[]): Promise<Electron.MessageBoxReturnValue> {
    mustBeReady('dialog module can only be used');
    if (given.length > 1) mustHaveParent(given[0]);
    const { signal, ...options } = given.at(-1) as Electron.MessageBoxOptions;
    record.questions.push(structuredClone(options));
    if (user.presses !== null) return { response: user.presses, checkboxChecked: false };
    // As in Electron, closing the question through its signal resolves it.
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    return { response: options.cancelId ?? 0, checkboxChecked: false };
  },
  /** To stderr, as in Electron while it can't open a box. */
  showErrorBox: (title: string, content: string) => void process.stderr.write(`${title}\n${content}\n`),
} satisfies Pick<Electron.Dialog, 'showErrorBox' | 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox'>;

function mustHaveParent(window: unknown): void {
  mustBeReady('dialog module can only be used');
  if (!(window instanceof BrowserWindow))
    throw new TypeError('The dialog has no parent window, so it could be hidden behind the window.');
  if (window.isDestroyed()) throw new TypeError('Object has been destroyed');
}

class FakeTheme extends EventEmitter implements Like<Electron.NativeTheme> {
  /** Dark theme of the system, and of its panels. */
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
export const nativeTheme = new FakeTheme();

// Other packages use the module as one object; the compiler compares its names with Electron's.
export default {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
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

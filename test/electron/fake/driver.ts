import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reply } from '../../../src-main/contract/methods.ts';
import { CALL_CHANNEL } from '../../../src-main/contract/wire.ts';
import type { EventName, Events } from '../../../src-main/contract/events.ts';
import {
  app,
  BrowserWindow,
  emitted,
  Menu,
  ipcMain,
  nativeTheme,
  Notification,
  powerMonitor,
  schemes,
  session,
  Tray,
  user,
  type WebContents,
} from './electron.ts';
import { speakAsEngine } from './engine.ts';
import { record } from './records.ts';

/** Acts on the host for a test: as the page, another frame, the user or the system. */
export const driver = {
  records: () => record,

  call: (method: unknown, args: unknown) => callOf(contents(), method, args),

  channels: () => ({ invoke: [...ipcMain.handlers.keys()], message: ipcMain.eventNames().map(String) }),

  async request(url: string, method = 'GET') {
    const handler = schemes.get(new URL(url).protocol.slice(0, -1));
    if (!handler) throw new Error(`There is no handler for ${url}`);
    const response = await handler(new Request(url, { method }));
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes.toString(), bytes };
  },

  /** The addresses that the app's session filters, and its answers to what a page asks for. */
  sessionRules() {
    const rules = session.defaultSession;
    const answers: Record<string, unknown> = {};
    const keep = (name: string) => (answer: unknown) => void (answers[name] = answer);
    rules.beforeRequest?.listener({} as never, keep('network'));
    rules.permissionRequest?.(contents() as never, 'unknown', keep('request'), {} as never);
    rules.displayMediaRequest?.({} as never, keep('screen'));
    const check = rules.permissionCheck?.(null, 'usb', 'app://broadsheet', {} as never);
    const device = rules.devicePermission?.({} as never);
    return { filtered: rules.beforeRequest?.urls, check, device, spellChecks: rules.spellChecks, ...answers };
  },

  /** Returns true if the host prevents it. */
  navigate: (url: string): boolean => emitted(contents(), 'will-frame-navigate', { url, isMainFrame: true }),
  attachGuest: (): boolean => emitted(contents(), 'will-attach-webview'),
  /** The file chosen by the user: a path, or null for none. */
  wantFileAt: (path: string | null): void => void (user.wantsFileAt = path),
  openWindow: (url: string) => contents().openHandler?.({ url } as never).action,

  minimize(): void {
    record.windows[0]!.minimized = true;
  },
  closeWindow: (): Promise<void> => close(window()),
  /** Windows: the user logs off. */
  endSession: (): boolean => emitted(window(), 'session-end'),
  secondInstance: (...argv: string[]): void => void app.emit('second-instance', {}, argv, ''),
  activate: (): void => void app.emit('activate', {}, false),
  /** Changes the system's theme and panels. */
  changeTheme: (system: { dark: boolean; darkPanels: boolean }): void => nativeTheme.change(system),
  clickTray: (): void => void tray().emit('click', {}, {}, {}),
  chooseInTray: (id: string): void => tray().menu?.choose(id),
  clickNotification: (which: number): void => notification(which).click(),
  /** Windows: a click on a notification of an earlier run. */
  clickOldNotification: (args: string): void => Notification.activate(args),
  /** Sends an event of the engine. */
  speakAsEngine<E extends EventName>(event: E, payload: Events[E]): void {
    speakAsEngine(event, payload);
  },
  /** The user presses this button in all further message boxes. */
  press: (button: number | null): void => void (user.presses = button),
  chooseInMenu: (id: string): void => Menu.application?.choose(id),
  chooseInPopup: (id: string): void => Menu.popped?.choose(id),
  chooseInDock: (id: string): void => app.dock?.menu?.choose(id),
  focusWindow: (which: number): void => void (BrowserWindow.focused = BrowserWindow.getAllWindows()[which] ?? null),
  /** A right click. */
  clickRight: (clicked: object): boolean => emitted(contents(), 'context-menu', {}, clicked),
  /** The mouse button is released over the page. */
  releaseMouse: (): boolean => emitted(contents(), 'input-event', {}, { type: 'mouseUp' }),
  /** A call of this window's page. */
  callFrom: (which: number, method: unknown, args: unknown) =>
    callOf(BrowserWindow.getAllWindows()[which]!.webContents, method, args),
  /** Ends the process of a window's page. */
  losePage: (which: number, reason: string): boolean =>
    app.emit('render-process-gone', {}, BrowserWindow.getAllWindows()[which]?.webContents, { reason, exitCode: 9 }),
  /** Throws an uncaught error. */
  throwOutside: (message: string): void =>
    void setImmediate(() => process.emit('uncaughtException', new Error(message))),
  openUrl: (url: string): boolean => emitted(app, 'open-url', {}, url),
  power: (event: string): boolean => emitted(powerMonitor, event),
  quit: (): void => void setImmediate(() => app.quit()),
};

export type Driver = typeof driver;

/** A call of a page. */
export function callOf(page: WebContents, method: unknown, args: unknown): Promise<Reply<unknown>> {
  return ipcMain.deliver(page.mainFrame, CALL_CHANNEL, [method, args], page) as Promise<Reply<unknown>>;
}

/** The user closes a window. Resolves once it has closed, or has decided to stay. */
async function close(window: BrowserWindow): Promise<void> {
  window.close();
  await nextTurn();
}

function window(): BrowserWindow {
  const [first] = BrowserWindow.getAllWindows();
  if (!first) throw new Error('The host has no window.');
  return first;
}

function tray(): Tray {
  if (!Tray.last) throw new Error('The host has no tray.');
  return Tray.last;
}

function notification(which: number): Notification {
  const found = Notification.shown[which];
  if (!found) throw new Error('There is no such notification.');
  return found;
}

function contents(): WebContents {
  return window().webContents;
}

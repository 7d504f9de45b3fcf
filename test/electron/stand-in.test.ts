import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readPattern } from './fake/url-pattern.ts';

// A fake that is not ready yet; other files of this process have made theirs ready.
vi.resetModules();
afterAll(() => {
  vi.resetModules();
});
const electron = await import('./fake/electron.ts');
const { app, BrowserWindow, dialog, Notification, protocol, screen, session, Tray } = electron;
const ICON = join(import.meta.dirname, '../../resources/icons/512.png');

describe('the stand-in for Electron, before it is ready', () => {
  it.each<[string, () => unknown]>([
    ['the session', () => session.defaultSession],
    ['a window', () => new BrowserWindow()],
    ['the tray', () => new Tray(ICON)],
    ['a notification', () => new Notification()],
    ['the screens', () => screen.getPrimaryDisplay()],
    ['events of the screens', () => screen.on('display-removed', () => undefined)],
    ['a handler of a scheme', () => protocol.handle('app', () => new Response())],
  ])('refuses %s', (_what, use) => {
    expect(use).toThrow('before app is ready');
  });

  it('refuses dialogs', async () => {
    await expect(dialog.showMessageBox({ message: 'a' })).rejects.toThrow('before app is ready');
  });

  it('refuses a folder that does not exist', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broadsheet-stand-in-'));
    expect(() => app.setPath('userData', join(folder, 'missing'))).toThrow('does not exist');
    app.setPath('userData', folder);
    expect(app.getPath('userData')).toBe(folder);
    await rm(folder, { recursive: true });
  });
});

describe('the stand-in for Electron, once it is ready', () => {
  beforeAll(() => electron.becomeReady());

  it.each<[string, () => unknown]>([
    ['schemes', () => protocol.registerSchemesAsPrivileged([])],
    ['the sandbox', () => app.enableSandbox()],
    ['its name', () => app.setName('a')],
    ['its desktop name', () => app.setDesktopName('a.desktop')],
    ['its id on Windows', () => app.setAppUserModelId('a')],
    ["the session's folder", () => app.setPath('sessionData', tmpdir())],
  ])('refuses to change %s', (_what, change) => {
    expect(change).toThrow('only be called before app is ready');
  });

  it('closes windows later, and then they and their pages are destroyed', async () => {
    const window = new BrowserWindow();
    const { webContents } = window;
    const heard: string[] = [];
    for (const event of ['close', 'closed']) window.on(event, () => heard.push(event));
    window.close();
    expect(heard).toEqual(['close']);
    expect(window.isDestroyed()).toBe(false);
    await nextTurn();
    expect(heard).toEqual(['close', 'closed']);
    expect([window.isDestroyed(), webContents.isDestroyed()]).toEqual([true, true]);
    for (const use of [() => window.show(), () => window.webContents, () => webContents.send('a')])
      expect(use).toThrow('Object has been destroyed');
    await expect(dialog.showSaveDialog(window)).rejects.toThrow('Object has been destroyed');
  });

  it.each([
    ['process', 'process.exit()', 'process is not defined'],
    ['Buffer', 'Buffer.from("a")', 'Buffer is not defined'],
    ['a module of Node', 'require("node:fs")', 'module not found: node:fs'],
  ])('runs preload scripts without %s', async (_what, code, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'broadsheet-preload-'));
    const script = join(folder, 'preload.cjs');
    await writeFile(script, code);
    const { renderer } = new BrowserWindow().webContents;
    await expect(renderer.run(script)).rejects.toThrow(message);
    await rm(folder, { recursive: true });
  });

  it('has one ipcRenderer for each window', async () => {
    const [one, other] = [new BrowserWindow().webContents, new BrowserWindow().webContents];
    const heard: string[] = [];
    one.renderer.ipcRenderer.on('a', () => heard.push('one'));
    other.renderer.ipcRenderer.on('a', () => heard.push('other'));
    other.send('a');
    await nextTurn();
    expect(heard).toEqual(['other']);
    for (const window of BrowserWindow.getAllWindows()) window.close();
    await nextTurn();
  });

  it('cancels quitting if a window stays open, and quits after the last one has closed', async () => {
    const window = new BrowserWindow();
    const exit = vi.spyOn(app, 'exit').mockImplementation(() => undefined);
    const stay = (event: { preventDefault(): void }) => event.preventDefault();
    window.on('close', stay);
    app.quit();
    await nextTurn();
    expect(window.isDestroyed()).toBe(false);
    window.off('close', stay);
    app.quit();
    expect(exit).not.toHaveBeenCalled();
    await nextTurn();
    expect(exit).toHaveBeenCalledWith(0);
    exit.mockRestore();
  });
});

describe('the stand-in for Electron, on another system or in another mode', () => {
  const real = process.platform;
  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: real });
    vi.unstubAllEnvs();
  });
  const on = (platform: NodeJS.Platform) => Object.defineProperty(process, 'platform', { value: platform });

  it('has no lock for a second instance, nor where it fails, and does not say why', () => {
    expect(app.requestSingleInstanceLock()).toBe(true);
    vi.stubEnv('FAKE_LOCK', 'refused');
    expect(app.requestSingleInstanceLock()).toBe(false);
  });

  it('is not packaged in development', async () => {
    expect(app.isPackaged).toBe(true);
    vi.stubEnv('FAKE_PACKAGED', 'no');
    vi.resetModules();
    const development = await import('./fake/electron.ts');
    expect(development.app.isPackaged).toBe(false);
  });

  it('finds a login item on Windows only with its arguments, elsewhere always', () => {
    app.setLoginItemSettings({ openAtLogin: true, args: ['--hidden'] });
    const found = (args?: string[]) => app.getLoginItemSettings(args && { args }).openAtLogin;
    on('win32');
    expect([found(['--hidden']), found([]), found()]).toEqual([true, false, false]);
    expect(app.getLoginItemSettings({ args: [] }).executableWillLaunchAtLogin).toBe(true);
    on('darwin');
    expect([found(['--hidden']), found()]).toEqual([true, true]);
    app.setLoginItemSettings({ openAtLogin: false });
  });

  it.each<[string, () => unknown]>([
    ['the CLSID of notifications', () => app.setToastActivatorCLSID('{570B3145-0895-4B43-A18A-4D2605CF90D8}')],
    ['activations of notifications', () => Notification.handleActivation(() => undefined)],
    ['a jump list', () => app.setUserTasks([])],
  ])('has %s on Windows only', (_what, use) => {
    on('linux');
    expect(use).toThrow('is not a function');
  });

  it('reports a click that started the app as soon as somebody listens', () => {
    on('win32');
    vi.stubEnv('FAKE_TOAST', 'type=action&action=1&tag=17');
    const heard = vi.fn();
    Notification.handleActivation(heard);
    expect(heard.mock.calls).toEqual([[{ type: 'action', arguments: 'type=action&action=1&tag=17', actionIndex: 1 }]]);
  });
});

describe('patterns of webRequest', () => {
  it.each(['example.com', 'http:example.com', 'gopher://a/', 'https://example.com', 'https:///a', 'https://a.*.com/'])(
    'refuse %s',
    (pattern) => {
      expect(() => readPattern(pattern)).toThrow('Invalid url pattern');
    },
  );

  it.each([
    ['http://*/*', 'http://example.com/a?b', true],
    ['http://*/*', 'https://example.com/', false],
    ['*://*.example.com/a*', 'https://www.example.com/ab', true],
    ['*://*.example.com/a*', 'https://example.com/b', false],
    ['*://*.example.com/*', 'https://badexample.com/', false],
    ['file:///*', 'file:///etc/passwd', true],
    ['ws://*/*', 'ws://127.0.0.1:9/', true],
    ['*://*/*', 'app://broadsheet/index.html', false],
  ])('%s and %s: %s', (pattern, url, isMatch) => {
    expect(readPattern(pattern)(url)).toBe(isMatch);
  });
});

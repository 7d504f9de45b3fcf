import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
import { HOME_FOLDER, runHost, type FakeHost } from './fake/index.ts';

// Every test starts processes, which take longer on a busy computer.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// Nothing listens there: these tests are about the host, not about syncing.
const environment = { BROADSHEET_NEWS_URL: 'http://127.0.0.1:9' };
const PAGE = 'app://broadsheet/index.html';
const BLOB = 'blob:app://broadsheet/5f1c2b9e-0000-4000-8000-000000000000';

/** Returns the key of the local folder that belongs to a data folder. */
const keyOf = (folder: string) => createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 16);

/** Reads the background colours from the page's styles. */
async function backgroundOfPage() {
  const read = (name: string) => readFile(new URL(`../../src-renderer/styles/${name}`, import.meta.url), 'utf8');
  const token = /^html \{[^}]*\bbackground: var\((--[\w-]+)\)/m.exec(await read('base.css'))?.[1] ?? 'none';
  const [, light, dark] =
    new RegExp(`${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(await read('tokens.css')) ?? [];
  return { light, dark };
}

describe('the running desktop app', () => {
  let host: FakeHost;
  beforeAll(async () => {
    host = await runHost({ environment });
  });
  afterAll(() => host.close());

  it("locks and keeps Chromium's files in a folder of its own, on the computer's own disk", async () => {
    const { lockedFor, paths } = await host.driver.records();
    expect(lockedFor).toMatch(/home.broadsheet.[0-9a-f]{16}$/);
    expect(paths).toEqual({ userData: lockedFor, sessionData: join(lockedFor ?? '', 'chromium') });
    expect(await readdir(host.dataFolder)).not.toContain('chromium');
  });

  it('shows one window, once it has been painted', async () => {
    const { windows } = await host.driver.records();
    expect(windows).toMatchObject([{ address: PAGE, did: ['show'], options: { show: false } }]);
  });

  it("shows the page's background colour until the page is painted", async () => {
    const { windows } = await host.driver.records();
    expect(windows[0]?.options.backgroundColor).toBe((await backgroundOfPage()).light);
  });

  it('answers the page', async () => {
    const reply = await host.driver.call('app.capabilities', {});
    expect(reply).toMatchObject({
      ok: true,
      value: {
        host: 'electron',
        version: '0.0.0-fake',
        locale: 'zh-CN',
        tray: true,
        notifications: true,
        launchAtLogin: true,
        opensLinks: true,
        pdf: true,
      },
    });
  });

  it('tells the page whether it runs without a sandbox', async () => {
    const unsandboxed = { ok: true, value: { unsandboxed: true } };
    expect(await host.driver.call('app.capabilities', {})).toMatchObject({ value: { unsandboxed: false } });
    for (const switched of ['--no-sandbox', '--disable-seccomp-filter-sandbox']) {
      const other = await runHost({ environment, args: [switched] });
      try {
        expect(await other.driver.call('app.capabilities', {})).toMatchObject(unsandboxed);
        expect(other.stderr()).toContain('Broadsheet runs without a sandbox');
      } finally {
        await other.close();
      }
    }
  });

  it('answers values that cannot be cloned', async () => {
    expect(await host.driver.callUncloneable()).toMatchObject({ ok: false, error: { code: 'closed' } });
    expect(await host.driver.call({ toString: 'no' }, {})).toMatchObject({ ok: false });
  });

  it('sends events to the page without the event object, until it unsubscribes', async () => {
    expect(await host.driver.heardUntilStopped('marks.changed', { ids: null })).toEqual([[{ ids: null }]]);
  });

  it('stays on its page and opens web links in the browser', async () => {
    const before = (await host.driver.records()).opened.length;
    expect(await host.driver.navigate('https://example.com/a')).toBe(true);
    expect(await host.driver.openWindow('https://example.com/script')).toBe('deny');
    await host.driver.discardBody();
    expect(await host.driver.openWindow('https://example.com/b')).toBe('deny');
    await host.driver.discardBody();
    expect(await host.driver.openWindow('file:///etc/passwd')).toBe('deny');
    expect(await host.driver.call('links.open', { url: 'https://example.com/c' })).toMatchObject({ ok: true });
    expect(await host.driver.call('links.open', { url: 'javascript:alert(1)' })).toMatchObject({
      ok: false,
      error: { code: 'link_refused' },
    });
    const { opened } = await host.driver.records();
    expect(opened.slice(before)).toEqual(['https://example.com/b', 'https://example.com/c']);
  });

  it('asks where to save a file that the page generated, with its name', async () => {
    const answer = await host.driver.download({ url: BLOB, initiator: 'app://broadsheet', name: 'daily.md' });
    expect(answer).toEqual({ cancelled: false, saveDialog: { title: 'daily.md' } });
  });

  it.each([
    ['a web address', 'https://example.com/a.exe', 'app://broadsheet'],
    ["a file of the page's scheme", PAGE, 'app://broadsheet'],
    ['a data address', 'data:text/plain,a', 'app://broadsheet'],
    ['a local file', 'file:///etc/passwd', 'app://broadsheet'],
    ["another origin's Blob", 'blob:https://example.com/0', 'app://broadsheet'],
    ["another host's Blob", 'blob:app://elsewhere/0', 'app://broadsheet'],
    ['a Blob without origin', 'blob:null/0', 'app://broadsheet'],
    ["a Blob that says the page's name and is not its own", 'blob:https://app://broadsheet/0', 'app://broadsheet'],
    ['an invalid address', '', 'app://broadsheet'],
    ["the page's Blob for another origin", BLOB, 'https://example.com'],
    ["the page's Blob for no origin", BLOB, 'null'],
    ["the page's Blob for no page at all", BLOB, ''],
  ])('cancels the download of %s', async (_what, url, initiator) => {
    const answer = await host.driver.download({ url, initiator, name: 'a' });
    expect(answer).toEqual({ cancelled: true, saveDialog: null });
  });

  it('saves the page as a PDF where the user chooses, outside the data folder', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'saved.pdf');
    await writeFile(file, 'an older one');
    await host.driver.wantFileAt(join(host.dataFolder, 'user.db'));
    const refused = await host.driver.call('page.savePdf', { name: 'daily-2026-03-18.pdf' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'file_refused' } });
    const before = await host.driver.records();
    await host.driver.wantFileAt(file);
    const reply = await host.driver.call('page.savePdf', { name: 'daily-2026-03-18.pdf' });
    expect(reply).toEqual({ ok: true, value: { saved: true } });
    expect((await readFile(file, 'utf8')).startsWith('%PDF-')).toBe(true);
    expect(await readdir(folder)).toEqual(['saved.pdf']);
    const { printed, asked } = await host.driver.records();
    expect(printed.slice(before.printed.length)).toMatchObject([
      { preferCSSPageSize: true, printBackground: true, pageSize: 'A4' },
    ]);
    expect(asked.slice(before.asked.length)).toEqual([
      {
        title: 'daily-2026-03-18.pdf',
        defaultPath: 'daily-2026-03-18.pdf',
        filters: [{ name: 'PDF', extensions: ['pdf'] }],
        properties: ['createDirectory', 'showOverwriteConfirmation'],
      },
    ]);
  });

  it('saves no PDF if the user cancels, and rejects a name with a path', async () => {
    await host.driver.wantFileAt(null);
    const reply = await host.driver.call('page.savePdf', { name: 'daily.pdf' });
    expect(reply).toEqual({ ok: true, value: { saved: false } });
    const before = (await host.driver.records()).asked.length;
    expect(await host.driver.call('page.savePdf', { name: '../daily.pdf' })).toMatchObject({
      ok: false,
      error: { code: 'invalid_argument' },
    });
    expect((await host.driver.records()).asked).toHaveLength(before);
  });

  it('applies the theme setting to the whole window', async () => {
    await host.driver.call('settings.set', { patch: { theme: 'dark' } });
    await expect.poll(async () => (await host.driver.records()).themeSource).toBe('dark');
    const stored = JSON.parse(await readFile(join(host.dataFolder, 'settings.json'), 'utf8')) as unknown;
    expect(stored).toMatchObject({ theme: 'dark' });
  });
});

describe('a window that is opening', () => {
  const WAIT = { timeout: 30_000, interval: 20 };
  let folder: string;
  let host: FakeHost | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadsheet-opening-'));
  });
  afterEach(async () => {
    await host?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const open = async (more: Record<string, string> = {}) => {
    host = await runHost({ dataFolder: folder, environment: { ...environment, FAKE_PAGE: 'silent', ...more } });
    return host.driver;
  };
  const window = async () => (await host?.driver.records())?.windows[0];

  it('is shown when its page has drawn what it has, and only once', async () => {
    const driver = await open();
    expect(await window()).toMatchObject({ visible: false, did: [] });
    await driver.call('app.painted', {});
    expect(await window()).toMatchObject({ visible: true, did: ['show'] });
    await driver.call('app.painted', {});
    expect((await window())?.did).toEqual(['show']);
  });

  it('does not wait for its page for ever', async () => {
    await open();
    await expect.poll(async () => (await window())?.visible, WAIT).toBe(true);
  });

  it('is shown at once to whoever starts the app again', async () => {
    const driver = await open();
    await driver.secondInstance('broadsheet');
    expect(await window()).toMatchObject({ visible: true, did: ['show', 'focus'] });
  });

  it('has its place before it is shown, and the background of the chosen theme', async () => {
    await writeFile(join(folder, 'window.json'), JSON.stringify({ maximized: true }));
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ theme: 'dark' }));
    const driver = await open();
    expect(await window()).toMatchObject({
      visible: false,
      options: { backgroundColor: (await backgroundOfPage()).dark },
    });
    await driver.call('app.painted', {});
    expect((await window())?.did).toEqual(['maximize', 'show']);
  });
});

describe('the desktop app from start to end', () => {
  let dataFolder: string;
  const hosts: FakeHost[] = [];
  const run = async (options: { environment?: Record<string, string>; dataFolder?: string } = {}) => {
    const host = await runHost({ dataFolder, ...options, environment: { ...environment, ...options.environment } });
    hosts.push(host);
    return host;
  };
  beforeEach(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'broadsheet-electron-'));
  });
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.close()));
    await rm(dataFolder, { recursive: true, force: true });
  });

  it('exits at once if another instance is running, says so, and does not open the store', async () => {
    await run();
    const host = await run({ environment: { FAKE_LOCK: 'refused' } });
    expect(await host.exited).toBe(0);
    expect(host.stderr()).toContain('already running');
    const log = await readFile(join(dataFolder, 'logs', 'broadsheet.log'), 'utf8');
    expect(log.match(/Broadsheet is/g)).toEqual(['Broadsheet is']);
  });

  it.each([
    ['no other instance has left a mark', null],
    ['the instance that held it was killed', { pid: 0x3fffffff, host: hostname() }],
    ['another computer held it, on a network disk', { pid: process.pid, host: 'another-computer' }],
    ['the mark cannot be read', 'nonsense'],
  ])('opens a window if its lock fails and %s', async (_why, mark) => {
    const folder = join(dataFolder, HOME_FOLDER, 'broadsheet', keyOf(dataFolder));
    await mkdir(folder, { recursive: true });
    if (mark) await writeFile(join(folder, 'instance.json'), JSON.stringify(mark));
    const host = await run({ environment: { FAKE_LOCK: 'refused' } });
    expect(await host.driver.call('counts.get', {})).toMatchObject({ ok: true });
    expect((await host.driver.records()).windows).toHaveLength(1);
    expect(host.stderr()).toContain('Could not lock');
  });

  it('opens a window if the local folder cannot be created', async () => {
    await writeFile(join(dataFolder, HOME_FOLDER), 'a file in the way');
    const host = await run();
    expect(await host.driver.call('counts.get', {})).toMatchObject({ ok: true });
    expect((await host.driver.records()).lockedFor).toBeNull();
  });

  it('exits when its last window is closed, and opens at the same position again', async () => {
    const first = await run();
    await first.driver.maximize();
    await first.driver.closeWindow().catch(() => undefined);
    expect(await first.exited).toBe(0);
    const second = await run();
    const [window] = (await second.driver.records()).windows;
    expect(window).toMatchObject({ options: { x: 40, y: 40, width: 1280, height: 820 }, did: ['maximize', 'show'] });
  });

  it('releases the data folder when it quits', async () => {
    const first = await run();
    await first.driver.quit();
    expect(await first.exited).toBe(0);
    const second = await run();
    expect(await second.driver.call('counts.get', {})).toMatchObject({ ok: true });
  });

  it('stores everything in the folder set by BROADSHEET_DATA', async () => {
    const elsewhere = join(dataFolder, 'else', 'where');
    const host = await run({ environment: { BROADSHEET_DATA: elsewhere } });
    expect((await host.driver.records()).lockedFor).toContain(keyOf(elsewhere));
    await host.driver.call('settings.set', { patch: { theme: 'light' } });
    expect(await readdir(elsewhere)).toContain('settings.json');
  });

  it('reports that another Broadsheet, such as the command line, uses its data folder', async () => {
    const first = await run();
    // Until it answers, it may not have locked the folder yet.
    expect(await first.driver.call('counts.get', {})).toMatchObject({ ok: true });
    const second = await run();
    const reply = await second.driver.call('app.capabilities', {});
    expect(reply).toMatchObject({ ok: false, error: { code: 'data_in_use' } });
  });

  it('shows a box with the reason and the place of the log if it cannot start, and ends', async () => {
    const host = await run({ environment: { FAKE_PROTOCOL: 'broken' } });
    expect(await host.exited).toBe(1);
    expect(host.stderr()).toContain(
      `Broadsheet couldn’t start\nFailed to register protocol: app\n\nDetails are in the log files in ${join(dataFolder, 'logs')}.`,
    );
    expect(await readFile(join(dataFolder, 'logs/broadsheet.log'), 'utf8')).toContain('Broadsheet could not start');
  });

  it('shows the reason if its store cannot be opened', async () => {
    const file = join(dataFolder, 'file');
    await writeFile(file, '');
    const host = await run({ environment: { BROADSHEET_DATA: file } });
    expect(await host.driver.call('app.capabilities', {})).toMatchObject({
      ok: false,
      error: { message: expect.any(String) as unknown },
    });
    await host.driver.quit();
    expect(await host.exited).toBe(0);
  });
});

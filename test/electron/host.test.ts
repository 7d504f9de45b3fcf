import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOME_FOLDER, type FakeHost } from './fake/index.ts';
import { hostsOfTest, standingHost, WAIT } from './support/hosts.ts';

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

const test = hostsOfTest();
const { run } = test;
const standing = standingHost();

describe('the running desktop app', () => {
  it("locks and keeps Chromium's files in a folder of its own, on the computer's own disk", async () => {
    const { driver, dataFolder } = standing();
    const { lockedFor, paths } = await driver.records();
    expect(lockedFor).toMatch(/home.broadsheet.[0-9a-f]{16}$/);
    expect(paths).toEqual({ userData: lockedFor, sessionData: join(lockedFor ?? '', 'chromium') });
    expect(await readdir(dataFolder)).not.toContain('chromium');
  });

  it('tells the page, and the terminal, that it runs without a sandbox', async () => {
    const without = await run({ args: ['--no-sandbox'] });
    for (const [{ driver, stderr }, unsandboxed] of [
      [standing(), false],
      [without, true],
    ] as const) {
      expect(await driver.call('app.capabilities', {})).toMatchObject({ value: { unsandboxed, opensLinks: true } });
      expect(stderr().includes('Broadsheet runs without a sandbox')).toBe(unsandboxed);
    }
  });

  it('opens web links in the browser', async () => {
    const { driver } = standing();
    await driver.releaseMouse();
    for (const url of ['https://example.com/a', 'https://example.com/b'])
      expect(await driver.openWindow(url)).toBe('deny');
    await driver.releaseMouse();
    expect(await driver.openWindow('file:///etc/passwd')).toBe('deny');
    expect(await driver.call('links.open', { url: 'https://example.com/c' })).toMatchObject({ ok: true });
    const refused = await driver.call('links.open', { url: 'javascript:alert(1)' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'link_refused' } });
    expect((await driver.records()).opened).toEqual(['https://example.com/a', 'https://example.com/c']);
  });

  it('applies the theme setting to the whole window', async () => {
    const { driver, dataFolder } = standing();
    await driver.call('settings.set', { patch: { theme: 'dark' } });
    await expect.poll(async () => (await driver.records()).themeSource).toBe('dark');
    const stored = JSON.parse(await readFile(join(dataFolder, 'settings.json'), 'utf8')) as unknown;
    expect(stored).toMatchObject({ theme: 'dark' });
  });
});

describe('a window that is opening', () => {
  let driver: FakeHost['driver'];
  const open = async () => {
    ({ driver } = await run({ environment: { FAKE_PAGE: 'silent' } }));
  };
  const window = async () => (await driver.records()).windows[0];

  it('does not wait for its page for ever', async () => {
    await open();
    await expect.poll(async () => (await window())?.visible, WAIT).toBe(true);
  });

  it("has the page's background, and is shown at once to whoever starts the app again", async () => {
    await open();
    const { light: backgroundColor } = await backgroundOfPage();
    expect(await window()).toMatchObject({ visible: false, did: [], options: { show: false, backgroundColor } });
    await driver.secondInstance('broadsheet');
    expect(await window()).toMatchObject({ visible: true, did: ['show', 'focus'] });
  });

  it('has its place and the chosen theme before it is shown, once, when its page has drawn what it has', async () => {
    await writeFile(join(test.dataFolder, 'window.json'), JSON.stringify({ maximized: true }));
    await writeFile(join(test.dataFolder, 'settings.json'), JSON.stringify({ theme: 'dark' }));
    await open();
    const { dark: backgroundColor } = await backgroundOfPage();
    expect(await window()).toMatchObject({ visible: false, options: { backgroundColor } });
    for (let time = 0; time < 2; time += 1) {
      await driver.call('app.painted', {});
      expect(await window()).toMatchObject({ visible: true, did: ['maximize', 'show'] });
    }
  });
});

describe('the start of the desktop app', () => {
  it('ends at once if another instance is running, says so, and does not open the store', async () => {
    await run();
    const host = await run({ environment: { FAKE_LOCK: 'refused' } });
    expect(await host.exited).toBe(0);
    expect(host.stderr()).toContain('already running');
    const log = await readFile(join(test.dataFolder, 'logs', 'broadsheet.log'), 'utf8');
    expect(log.match(/Broadsheet is/g)).toEqual(['Broadsheet is']);
  });

  it('opens a window if its lock fails and the instance that held it was killed', async () => {
    const folder = join(test.dataFolder, HOME_FOLDER, 'broadsheet', keyOf(test.dataFolder));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'instance.json'), JSON.stringify({ pid: 0x3fffffff, host: hostname() }));
    const host = await run({ environment: { FAKE_LOCK: 'refused' } });
    expect((await host.driver.records()).windows).toHaveLength(1);
    expect(host.stderr()).toContain('Could not lock');
  });

  it('opens a window if the local folder cannot be created', async () => {
    await writeFile(join(test.dataFolder, HOME_FOLDER), 'a file in the way');
    const { driver } = await run();
    expect(await driver.call('counts.get', {})).toMatchObject({ ok: true });
    expect((await driver.records()).lockedFor).toBeNull();
  });

  it('shows a box with the reason and the place of the log if it fails, and ends', async () => {
    const host = await run({ environment: { FAKE_PROTOCOL: 'broken' } });
    expect(await host.exited).toBe(1);
    expect(host.stderr()).toContain(
      `Broadsheet couldn’t start\nFailed to register protocol: app\n\nDetails are in the log files in ${join(test.dataFolder, 'logs')}.`,
    );
    expect(await readFile(join(test.dataFolder, 'logs/broadsheet.log'), 'utf8')).toContain(
      'Broadsheet could not start',
    );
  });
});

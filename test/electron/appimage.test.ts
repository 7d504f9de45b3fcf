import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetForeignAppImage } from '../../src-main/electron/identity.ts';
import { runHost } from './fake/index.ts';

// Starts a process, which takes longer on a busy computer.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'broadsheet-appimage-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const WAIT = { timeout: 30_000, interval: 50 };
const APPIMAGE = '/home/a/Terminal.AppImage';

describe('the variables of an AppImage', () => {
  it.each<[string, NodeJS.ProcessEnv, string, string[]]>([
    [
      'stay if this program runs from it',
      { APPIMAGE, APPDIR: '/mnt/b', OWD: '/' },
      '/mnt/b/broadsheet',
      ['APPIMAGE', 'APPDIR', 'OWD'],
    ],
    [
      'are removed if another program has set them',
      { APPIMAGE, APPDIR: '/mnt/t', OWD: '/', A: '' },
      '/opt/broadsheet',
      ['A'],
    ],
    ['are removed if the folder only begins alike', { APPIMAGE, APPDIR: '/mnt/b' }, '/mnt/b2/broadsheet', []],
    ['are removed without a folder', { APPIMAGE, ARGV0: 't' }, '/opt/broadsheet', []],
    ['that are not there are none', { HOME: '/' }, '/opt/broadsheet', ['HOME']],
  ])('%s', (_what, environment, executable, left) => {
    forgetForeignAppImage(environment, executable);
    expect(Object.keys(environment)).toEqual(left);
  });

  it('are recognized through links', async () => {
    await writeFile(join(folder, 'broadsheet'), '');
    await symlink(folder, `${folder}-link`);
    const environment = { APPIMAGE, APPDIR: `${folder}-link` };
    forgetForeignAppImage(environment, join(folder, 'broadsheet'));
    expect(environment).toHaveProperty('APPIMAGE');
    await rm(`${folder}-link`);
  });

  it('of a terminal are not used for starting at login', async () => {
    const environment = { BROADSHEET_NEWS_URL: 'http://127.0.0.1:9', APPIMAGE, APPDIR: '/tmp/.mount_terminal' };
    const { driver, close } = await runHost({ dataFolder: folder, environment, platform: 'linux' });
    expect(await driver.call('settings.set', { patch: { launchAtLogin: true } })).toMatchObject({ ok: true });
    const file = join(folder, 'config', 'autostart', 'broadsheet.desktop');
    await expect.poll(() => readFile(file, 'utf8').catch(() => ''), WAIT).toContain(`Exec=${process.execPath}`);
    await close();
  });
});

import { readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { forgetForeignAppImage, identify, TOAST_ACTIVATOR } from '../../src-main/electron/identity.ts';
import { app } from './fake/electron.ts';
import { hostsOfTest, WAIT } from './support/hosts.ts';

const test = hostsOfTest();
const APPIMAGE = '/home/a/Terminal.AppImage';

describe('the identity of the app', () => {
  const identityOn = (platform: NodeJS.Platform, isPackaged: boolean) => {
    const set: Record<string, string> = {};
    const keep = (name: string) => (value: string) => void (set[name] = value);
    vi.spyOn(app, 'isPackaged', 'get').mockReturnValue(isPackaged);
    vi.spyOn(app, 'setName').mockImplementation(keep('name'));
    vi.spyOn(app, 'setAppUserModelId').mockImplementation(keep('id'));
    vi.spyOn(app, 'setDesktopName').mockImplementation(keep('entry'));
    vi.spyOn(app, 'setToastActivatorCLSID').mockImplementation(keep('activator'));
    identify(platform);
    vi.restoreAllMocks();
    return set;
  };

  it('is fixed on Windows, and under `npm start` another one than that of the installed app', () => {
    const [installed, development] = [identityOn('win32', true), identityOn('win32', false)];
    expect(installed).toEqual({ id: 'app.broadsheet', activator: TOAST_ACTIVATOR });
    expect(development).toMatchObject({ id: 'app.broadsheet.development', name: 'Broadsheet (development)' });
    for (const { activator } of [installed, development]) expect(activator).toMatch(/^\{[0-9A-F-]{36}\}$/);
    expect(development['activator']).not.toBe(installed['activator']);
  });

  it('is the desktop entry on Linux, and nothing on macOS', () => {
    expect(identityOn('linux', true)).toEqual({ entry: 'broadsheet.desktop' });
    expect(identityOn('darwin', false)).toEqual({});
  });
});

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
    const folder = await realpath(test.dataFolder);
    await writeFile(join(folder, 'broadsheet'), '');
    await symlink(folder, `${folder}-link`);
    const environment = { APPIMAGE, APPDIR: `${folder}-link` };
    forgetForeignAppImage(environment, join(folder, 'broadsheet'));
    expect(environment).toHaveProperty('APPIMAGE');
    await rm(`${folder}-link`);
  });

  it('of a terminal are not used for starting at login', async () => {
    const environment = { APPIMAGE, APPDIR: '/tmp/.mount_terminal' };
    const { driver } = await test.run({ environment, platform: 'linux' });
    expect(await driver.call('settings.set', { patch: { launchAtLogin: true } })).toMatchObject({ ok: true });
    const file = join(test.dataFolder, 'config', 'autostart', 'broadsheet.desktop');
    await expect.poll(() => readFile(file, 'utf8').catch(() => ''), WAIT).toContain(`Exec=${process.execPath}`);
  });
});

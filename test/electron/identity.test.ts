import { readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { claimInstance, forgetForeignAppImage, identify, TOAST_ACTIVATOR } from '../../src-main/electron/identity.ts';
import { isUnsandboxed } from '../../src-main/electron/security/security.ts';
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

it.each([
  ['no other instance has left a mark', null],
  ['another computer holds it, on a network disk', JSON.stringify({ pid: process.ppid, host: 'another-computer' })],
  ['the mark cannot be read', 'nonsense'],
])('an instance whose lock fails is the first if %s', async (_why, mark) => {
  if (mark !== null) await writeFile(join(test.dataFolder, 'instance.json'), mark);
  vi.spyOn(app, 'requestSingleInstanceLock').mockReturnValue(false);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(claimInstance(test.dataFolder)).toBe('unlocked');
});

it.each(['no-sandbox', 'disable-seccomp-filter-sandbox'])('the sandbox is off with --%s', (off) => {
  expect(isUnsandboxed({ hasSwitch: (name) => name === off })).toBe(true);
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

import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  autostartEntry,
  isOwnEntry,
  isSwitchedOff,
  autostartFile,
  LaunchAtLogin,
} from '../../../src-main/electron/desktop/launch-at-login.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { record } from '../fake/records.ts';

const EXECUTABLE = '/opt/Broadsheet/broadsheet';
const log = vi.fn();
const off = { launchAtLogin: false, startHidden: false };
const on = { launchAtLogin: true, startHidden: false };
const hidden = { launchAtLogin: true, startHidden: true };

beforeEach(() => {
  log.mockClear();
  record.loginItems.length = 0;
});

/** How an entry begins that can't begin with the program. */
const SHELL = '/bin/sh -c "exec \\\\"\\\\$0\\\\" \\\\"\\\\$@\\\\""';

const execOf = (entry: string) => /^Exec=(.*)$/m.exec(entry)?.[1];

describe('an autostart entry', () => {
  it('is a desktop entry of type Application', () => {
    expect(autostartEntry(EXECUTABLE, [])).toBe(
      [
        '[Desktop Entry]',
        'Type=Application',
        'Name=Broadsheet',
        'Exec=/opt/Broadsheet/broadsheet',
        'TryExec=/opt/Broadsheet/broadsheet',
        'Icon=broadsheet',
        'Terminal=false',
        'StartupNotify=false',
        'X-Broadsheet-Autostart=true',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['arguments', EXECUTABLE, ['--hidden'], '/opt/Broadsheet/broadsheet --hidden'],
    ['a blank', '/opt/My Apps/b', [], '"/opt/My Apps/b"'],
    ['a percent sign', '/opt/100%/b', ['--hidden'], `${SHELL} "/opt/100%%/b" --hidden`],
    ['an equals sign', '/opt/a=b', [], `${SHELL} /opt/a=b`],
    ['a percent sign in an argument', '/opt/b', ['50%'], '/opt/b "50%%"'],
    ['a quote', '/opt/"b"', [], '"/opt/\\\\"b\\\\""'],
    ['a dollar sign', '/opt/$b', [], '"/opt/\\\\$b"'],
    ['a back tick', '/opt/`b`', [], '"/opt/\\\\`b\\\\`"'],
    ['a backslash', '/opt/a\\b', [], '"/opt/a\\\\\\\\b"'],
    ['letters of any script', '/home/李/应用.AppImage', [], '"/home/李/应用.AppImage"'],
  ])('quotes a program with %s as specified', (_what, executable, args, exec) => {
    expect(execOf(autostartEntry(executable, args))).toBe(exec);
  });

  it('starts a program in a folder with any characters', async () => {
    const folder = join(temporaryFolder(), '100%=$`"');
    await mkdir(folder);
    const program = join(folder, 'a b');
    await writeFile(program, '#!/bin/sh\necho "$0" "$@"\n', { mode: 0o700 });
    // As a desktop does: undo the escapes of the value, then the quotes, then the field codes.
    const exec = execOf(autostartEntry(program, ['--hidden'])) ?? '';
    const command = exec.replaceAll('\\\\', '\\').replaceAll('%%', '%');
    expect(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })).toBe(`${program} --hidden\n`);
  });

  it('is passed over when its program is gone, which TryExec names without quotes and field codes', () => {
    const tryExec = /^TryExec=(.*)$/m.exec(autostartEntry('/opt/100% a\\b', []))?.[1];
    expect(tryExec).toBe('/opt/100% a\\\\b');
  });

  it.each([['broadsheet'], ['../broadsheet'], ['/opt/a\nExec=/bin/sh'], ['/opt/a\u0000']])(
    'is not written for %j',
    (executable) => {
      expect(() => autostartEntry(executable, [])).toThrow(RangeError);
    },
  );

  it("is recognized as Broadsheet's, and as turned off by the desktop", () => {
    const entry = autostartEntry(EXECUTABLE, []);
    expect(isOwnEntry(entry)).toBe(true);
    expect(isOwnEntry('[Desktop Entry]\nExec=broadsheet\n')).toBe(false);
    expect(isSwitchedOff(entry)).toBe(false);
    expect(isSwitchedOff(`${entry}Hidden=true\n`)).toBe(true);
    expect(isSwitchedOff(`${entry}X-GNOME-Autostart-enabled=false\n`)).toBe(true);
  });
});

describe('launch at login on Linux', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, 'autostart', 'broadsheet.desktop');
  });

  const launch = (environment: Record<string, string> = {}) =>
    new LaunchAtLogin({
      platform: 'linux',
      environment: { XDG_CONFIG_HOME: folder, ...environment },
      executable: EXECUTABLE,
      log,
    });
  const write = async (text: string) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const read = () => readFile(file, 'utf8');

  it('adds, updates and removes an entry with the settings', async () => {
    const start = launch();
    start.follow(off);
    expect(existsSync(file)).toBe(false);
    start.follow(on);
    expect(execOf(await read())).toBe(EXECUTABLE);
    start.follow(hidden);
    expect(execOf(await read())).toBe(`${EXECUTABLE} --hidden`);
    start.follow(off);
    expect(existsSync(file)).toBe(false);
    expect(log).not.toHaveBeenCalled();
  });

  it('names the AppImage, because the program is in a temporary mount', async () => {
    launch({ APPIMAGE: '/home/me/Broadsheet.AppImage' }).follow(on);
    expect(execOf(await read())).toBe('/home/me/Broadsheet.AppImage');
  });

  it('is corrected at the start, after the program was moved or the settings were edited', async () => {
    await write(autostartEntry('/old/place', []));
    launch().follow(on);
    expect(execOf(await read())).toBe(EXECUTABLE);
    launch().follow(off);
    expect(existsSync(file)).toBe(false);
  });

  it('does not modify an entry created by the user', async () => {
    const own = '[Desktop Entry]\nType=Application\nExec=broadsheet --hidden\n';
    await write(own);
    const start = launch();
    for (const wish of [on, hidden, off]) {
      start.follow(wish);
      expect(await read()).toBe(own);
    }
  });

  it("does not turn on an entry that was turned off in the desktop's settings, until the setting changes", async () => {
    const switchedOff = `${autostartEntry(EXECUTABLE, [])}Hidden=true\n`;
    await write(switchedOff);
    const start = launch();
    start.follow(on);
    start.follow({ ...on });
    expect(await read()).toBe(switchedOff);
    start.follow(hidden);
    expect(isSwitchedOff(await read())).toBe(false);
  });

  it('logs an error if the folder is read-only', async () => {
    await writeFile(join(folder, 'autostart'), 'a file in the way');
    launch().follow(on);
    expect(log).toHaveBeenCalledWith('warn', expect.stringContaining('login'), expect.anything());
  });

  it('uses the XDG folder, and ignores a relative path in the variable', () => {
    expect(autostartFile({ XDG_CONFIG_HOME: '/etc/mine' })).toBe('/etc/mine/autostart/broadsheet.desktop');
    const usual = join(homedir(), '.config', 'autostart', 'broadsheet.desktop');
    expect(autostartFile({ XDG_CONFIG_HOME: 'mine' })).toBe(usual);
    expect(autostartFile({})).toBe(usual);
  });
});

describe.each(['win32', 'darwin'] as const)('launch at login on %s', (platform) => {
  const own = process.platform;
  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: own });
  });

  const launch = () => new LaunchAtLogin({ platform, environment: {}, executable: EXECUTABLE, log });

  it('is a login item', () => {
    const start = launch();
    start.follow(off);
    expect(record.loginItems).toEqual([]);
    start.follow(on);
    start.follow(hidden);
    start.follow({ ...hidden });
    start.follow(off);
    expect(record.loginItems).toEqual([
      { openAtLogin: true, args: [] },
      { openAtLogin: true, args: ['--hidden'] },
      { openAtLogin: false, args: [] },
    ]);
  });

  it('is removed at the start if it has other arguments, and corrected on Windows if it is wanted', () => {
    Object.defineProperty(process, 'platform', { value: platform });
    record.loginItems.push({ openAtLogin: true, args: ['--hidden'] });
    launch().follow(off);
    expect(record.loginItems.at(-1)).toEqual({ openAtLogin: false, args: [] });
    record.loginItems.push({ openAtLogin: true, args: ['--hidden'] });
    launch().follow(on);
    expect(record.loginItems.at(-1)?.args).toEqual(platform === 'win32' ? [] : ['--hidden']);
  });
});

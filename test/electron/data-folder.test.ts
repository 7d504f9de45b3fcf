import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localFolderOf } from '../../src-main/electron/data-folder.ts';
import type { FakeHost, HostOptions } from './fake/index.ts';
import { hostsOfTest } from './support/hosts.ts';

const test = hostsOfTest();
let host: FakeHost | undefined;

/** A host without a data folder in its environment, after the one before. */
async function start(environment: HostOptions['environment'] = {}): Promise<FakeHost> {
  await host?.close();
  const home = test.dataFolder;
  const nowhere = { BROADSHEET_DATA: '', XDG_DATA_HOME: home, APPDATA: home };
  host = await test.run({ environment: { ...nowhere, ...environment } });
  return host;
}

describe("Electron's own folder", () => {
  it.each([
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/broadsheet'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/a/.local/state/broadsheet'],
    ['linux', {}, '/home/a/.local/state/broadsheet'],
    ['darwin', {}, '/home/a/Library/Application Support/app.broadsheet'],
    // Organizations move APPDATA to a network disk.
    ['win32', { APPDATA: '/share', LOCALAPPDATA: '/local' }, '/local/Broadsheet'],
    ['win32', { APPDATA: '/share' }, '/home/a/AppData/Local/Broadsheet'],
  ] as const)('is on the computer itself: %s %j', (platform, environment, base) => {
    expect(dirname(localFolderOf('/media/stick', environment, platform, '/home/a'))).toBe(join(base));
  });
});

describe.skipIf(process.platform !== 'linux')('the data folder of the desktop app', () => {
  it('is shown, and a new one is used from the next start on', async () => {
    const { driver } = await start();
    const usual = join(test.dataFolder, 'broadsheet');
    expect(await driver.call('data.folder', {})).toEqual({ ok: true, value: { folder: usual } });
    // An installed app has no command line of its own.
    expect(await driver.call('mcp.command', {})).toEqual({
      ok: true,
      value: { command: 'broadsheet', args: ['mcp', '--data', usual], found: false },
    });
    expect(await driver.call('data.showFolder', {})).toEqual({ ok: true, value: {} });
    expect((await driver.records()).shown).toEqual([usual]);

    const chosen = await mkdtemp(join(test.dataFolder, 'chosen-'));
    await driver.wantFileAt(chosen);
    expect(await driver.call('data.chooseFolder', {})).toEqual({ ok: true, value: { folder: chosen } });
    expect((await driver.records()).askedFolders).toMatchObject([
      // macOS shows no title.
      {
        message: '选择 Broadsheet 的数据文件夹',
        defaultPath: usual,
        properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
      },
    ]);
    // Until then nothing changes.
    expect(await driver.call('data.folder', {})).toEqual({ ok: true, value: { folder: usual } });

    const next = await start();
    expect(await next.driver.call('data.folder', {})).toEqual({ ok: true, value: { folder: chosen } });
    expect((await next.driver.records()).lockedFor).toBe(
      localFolderOf(chosen, { XDG_STATE_HOME: join(test.dataFolder, 'home') }),
    );
  });

  it('is one for Electron under each of its names, and another for each folder', async () => {
    const [one, other] = [await mkdtemp(join(test.dataFolder, 'one-')), await mkdtemp(join(test.dataFolder, 'other-'))];
    await symlink(one, join(test.dataFolder, 'link'));
    const keyOf = (folder: string) => localFolderOf(folder, { XDG_STATE_HOME: '/s' });
    expect(keyOf(join(test.dataFolder, 'link'))).toBe(keyOf(one));
    expect(keyOf(other)).not.toBe(keyOf(one));
  });

  it('does not change if the user cancels, or chooses one with other files, as a shared folder may be', async () => {
    const { driver } = await start();
    for (const method of ['data.chooseFolder', 'devices.choose'])
      expect(await driver.call(method, {})).toEqual({ ok: true, value: { folder: null } });
    const full = await mkdtemp(join(test.dataFolder, 'full-'));
    await writeFile(join(full, 'holiday.jpg'), '');
    await driver.wantFileAt(full);
    const refused = { ok: false, error: { code: 'invalid_argument' } };
    expect(await driver.call('data.chooseFolder', {})).toMatchObject(refused);
    expect(await driver.call('devices.choose', {})).toEqual({ ok: true, value: { folder: full } });
    expect((await driver.records()).askedFolders.at(-1)).toMatchObject({ title: '选择同步文件夹' });
    expect(await driver.call('devices.get', {})).toMatchObject({ ok: true, value: { folder: null } });
    await expect(readFile(join(test.dataFolder, 'broadsheet', 'data-folder.json'))).rejects.toThrow();
  });

  it('cannot be changed if the environment sets it', async () => {
    const { driver } = await start({ BROADSHEET_DATA: join(test.dataFolder, 'named') });
    await driver.wantFileAt(test.dataFolder);
    expect(await driver.call('data.chooseFolder', {})).toMatchObject({ ok: false, error: { code: 'not_supported' } });
    expect((await driver.records()).askedFolders).toEqual([]);
  });

  it('opens a window with an error if it is missing, and is not created', async () => {
    const { driver } = await start();
    const chosen = await mkdtemp(join(test.dataFolder, 'disk-'));
    await driver.wantFileAt(chosen);
    await driver.call('data.chooseFolder', {});
    await host?.close();
    await rm(chosen, { recursive: true });
    const next = await start();
    const reply = await next.driver.call('settings.get', {});
    expect(reply).toMatchObject({ ok: false, error: { code: 'data_unreadable' } });
    expect(JSON.stringify(reply)).toContain(chosen);
    await expect(readFile(chosen)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

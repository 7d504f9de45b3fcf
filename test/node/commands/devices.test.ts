import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SharedFolderStatus } from '../../../src-main/contract/model/devices.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { lockDataFolder } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { runHere } from '../shells.ts';

interface Scene {
  folder: string;
  /** Where the data folders are. */
  place: string;
  run(data: string, ...args: string[]): Promise<{ code: number; out: string; err: string }>;
  /** The same, with something on standard input. */
  runWith(input: string, data: string, ...args: string[]): Promise<{ code: number; out: string; err: string }>;
}

async function openScene(): Promise<Scene> {
  const service = await startDemoService({ clock: systemClock, content: { selected: 3, unselected: 2 } });
  onTestFinished(() => service.close());
  const place = temporaryFolder();
  const folder = join(place, 'synced');
  mkdirSync(folder);
  const runWith: Scene['runWith'] = async (input, data, ...args) => {
    const environment = { BROADSHEET_NEWS_URL: service.newsAddress, BROADSHEET_DATA: join(place, data) };
    return runHere(args, environment, input);
  };
  return { folder, place, run: (data, ...args) => runWith('', data, ...args), runWith };
}

describe('the shared folder on the command line', () => {
  it('carries what one device marks to another, with each sync', async () => {
    const { folder, run } = await openScene();
    expect((await run('desk', 'devices', 'status')).out).toBe('Nothing is shared. Set a folder with devices set.\n');
    const set = await run('desk', 'devices', 'set', folder);
    expect(set).toMatchObject({ code: 0, err: '' });
    expect(set.out).toMatch(/^Shared through .+synced\n {2}[0-9a-f]{16} {2}.+ \(this device\) {2}last seen /);
    await run('desk', 'mute', 'add', 'one');
    await run('desk', 'sync');

    await run('laptop', 'devices', 'set', folder);
    const [status] = jsonLines<SharedFolderStatus>((await run('laptop', 'devices', 'status', '--json')).out);
    expect(status).toMatchObject({ waiting: 0, leftOut: 0, unreadable: 0, failure: null });
    expect(status?.devices).toHaveLength(2);
    const exported = join(folder, 'laptop.json');
    await run('laptop', 'data', 'export', exported);
    expect((await run('desk', 'data', 'import', exported)).out).toMatch(/^0 rows imported, 1 unchanged/);

    const desk = status?.devices.find(({ isThis }) => !isThis)?.id ?? '';
    expect((await run('laptop', 'devices', 'remove', desk)).code).toBe(0);
    expect(await run('laptop', 'devices', 'remove', desk)).toMatchObject({
      code: 1,
      err: `broadsheet: The folder has no device ${desk}.\n`,
    });
    expect((await run('laptop', 'devices', 'off')).out).toMatch(/^Nothing is shared/);
  });

  it.skipIf(process.platform === 'win32')('tells what in it was not believed', async () => {
    const { folder, run } = await openScene();
    await run('laptop', 'devices', 'set', folder);
    await run('laptop', 'mute', 'add', 'one');
    await run('laptop', 'devices', 'compare');
    const marks = join(folder, 'broadsheet-devices');
    const written = readdirSync(marks, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.jsonl'));
    appendFileSync(join(marks, written ?? ''), 'no mark\n');
    symlinkSync('/dev/zero', join(marks, 'link'));
    const { code, out } = await run('desk', 'devices', 'set', folder);
    expect(code).toBe(0);
    expect(out).toContain('\n1 entry not read because it is a link or no regular file\n');
    expect(out).toContain('\n1 unreadable line or file in the folder; it is read again when it changes\n');
  });

  it('is shown without the lock, as the last comparison found it', async () => {
    const { folder, place, run } = await openScene();
    await run('desk', 'devices', 'set', folder);
    const lock = lockDataFolder(join(place, 'desk'));
    onTestFinished(() => lock.release());
    const { code, out, err } = await run('desk', 'devices', 'status');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Shared through .+synced\n {2}[0-9a-f]{16} {2}.+ \(this device\) {2}last seen /);
    expect(out).toContain('As of the last comparison, ');
    lock.release();

    renameSync(folder, `${folder}-away`);
    expect((await run('desk', 'devices', 'compare')).code).toBe(1);
    const [status] = jsonLines<SharedFolderStatus>((await run('desk', 'devices', 'status', '--json')).out);
    expect(status).toMatchObject({ folder, devices: [{ isThis: true }], failure: { code: 'data_unreadable' } });
    await run('desk', 'devices', 'off');
    expect((await run('desk', 'devices', 'status')).out).toMatch(/^Nothing is shared/);
  });

  // Two derivations of a key take a second.
  it('is encrypted with a passphrase from standard input, whose key is in a private file until sharing ends', async () => {
    const { folder, place, run, runWith } = await openScene();
    const passphrase = 'correct horse battery';
    const set = await runWith(`${passphrase}\n`, 'desk', 'devices', 'set', folder, '--passphrase');
    expect(set.code).toBe(0);
    expect(set.out).toMatch(/^Shared through .+synced, encrypted\n/);
    await run('desk', 'mute', 'add', 'one');
    await run('desk', 'devices', 'compare');
    const files = readdirSync(join(folder, 'broadsheet-devices'), { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((name) => /\.jsonl?$/.test(name))
      .map((name) => readFileSync(join(folder, 'broadsheet-devices', name), 'utf8'));
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toMatch(/^\{"sum":"[0-9a-f]{16}","data":\{"seal":1,/);

    const keyFile = join(place, 'desk', 'folder-key-plain.json');
    if (process.platform !== 'win32') expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    const key = /"key":"([0-9a-f]{64})"/.exec(readFileSync(keyFile, 'utf8'))?.[1] ?? '';
    const [status] = jsonLines<SharedFolderStatus>((await run('desk', 'devices', 'status', '--json')).out);
    expect(status).toMatchObject({ encrypted: true, locked: false, waiting: 0 });
    const exported = join(place, 'desk.json');
    await run('desk', 'data', 'export', exported);
    for (const text of [JSON.stringify(status), readFileSync(exported, 'utf8'), set.out, set.err]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(passphrase);
    }

    expect(await run('laptop', 'devices', 'set', folder)).toMatchObject({
      code: 2,
      err: 'broadsheet: The folder is encrypted. Enter the passphrase that your other devices use.\n',
    });
    expect(await runWith('short\n', 'laptop', 'devices', 'set', folder, '--passphrase')).toMatchObject({
      code: 2,
    });
    await run('desk', 'devices', 'off');
    expect(existsSync(keyFile)).toBe(false);
  });

  it('carries settings where both devices ask for it, and none that belong to a device', async () => {
    const { folder, run } = await openScene();
    await run('desk', 'settings', 'set', 'theme', 'dark');
    await run('desk', 'settings', 'set', 'text-size', '125');
    const set = await run('desk', 'devices', 'set', folder, '--settings');
    expect(set.out).toContain('Settings are shared, too.\n');
    await run('laptop', 'devices', 'set', folder);
    expect((await run('laptop', 'settings', 'get', 'theme')).out).toBe('system\n');
    await run('laptop', 'devices', 'set', folder, '--settings');
    expect((await run('laptop', 'settings', 'get', 'theme')).out).toBe('dark\n');
    expect((await run('laptop', 'settings', 'get', 'text-size')).out).toBe('100\n');
    await run('laptop', 'settings', 'set', 'theme', 'light');
    await run('laptop', 'devices', 'compare');
    await run('desk', 'devices', 'compare');
    expect((await run('desk', 'settings', 'get', 'theme')).out).toBe('light\n');
  });

  it('refuses what is no folder', async () => {
    const { folder, run } = await openScene();
    const missing = join(folder, 'missing');
    expect(await run('desk', 'devices', 'set', missing)).toEqual({
      code: 2,
      out: '',
      err: `broadsheet: ${missing} is not a folder. Create it first, in a place that your sync tool syncs.\n`,
    });
    expect((await run('desk', 'devices', 'remove', '../../x')).code).toBe(2);
  });
});

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFolder, readRecords } from '../../../src-main/sync/devices/folder-files.ts';
import { removeDeviceFiles } from '../../../src-main/sync/devices/own-files.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { mark, storeListed } from '../../support/store.ts';
import { compareAll, openDevice, restarted, starred, type Device } from './support.ts';

const PLAIN = { keys: [], sealedOnly: false };
const folderOf = (folder: string, device: string): string => join(folder, 'broadsheet-devices', device);
const news = items(10);
const ids = news.map(({ id }) => id);

async function open(folder: string, name: string): Promise<Device> {
  const device = await openDevice(folder, name);
  storeListed(device.store, news);
  return device;
}

/** Two devices, of which the first has written a star. */
async function openScene(): Promise<{ folder: string; one: Device; other: Device; own: string; file: string }> {
  const folder = temporaryFolder();
  const one = await open(folder, 'desk');
  const other = await open(folder, 'laptop');
  mark(one.store, ids.slice(0, 1), 'star');
  await one.sharing.compare();
  const own = folderOf(folder, one.id);
  const name = readdirSync(own).find((entry) => entry.endsWith('.jsonl')) ?? '';
  return { folder, one, other, own, file: join(own, name) };
}

describe('what a sync tool leaves', () => {
  it('instead of a file it has not downloaded is counted, and the file is read when it comes', async () => {
    const { other, own, file } = await openScene();
    const name = file.slice(own.length + 1);
    renameSync(file, join(own, `.${name}.icloud`));
    await other.sharing.compare();
    expect(starred(other)).toEqual([]);
    expect(other.sharing.status()).toMatchObject({ unreadable: 1, failure: null });
    renameSync(join(own, `.${name}.icloud`), file);
    await other.sharing.compare();
    expect(starred(other)).toEqual(ids.slice(0, 1));
    expect(other.sharing.status().unreadable).toBe(0);
  });

  it('of its own, such as markers and temporary files, is passed over; links and folders are told', async () => {
    const { folder, one, other, own } = await openScene();
    const root = join(folder, 'broadsheet-devices');
    mkdirSync(join(folder, '.stfolder'));
    mkdirSync(join(root, '.stversions'));
    mkdirSync(join(own, 'folder.jsonl'));
    symlinkSync(root, join(root, 'loop'));
    symlinkSync(join(own, 'nowhere'), join(own, 'link.jsonl'));
    for (const name of [
      '~syncthing~a.jsonl.tmp',
      '.syncthing.a.jsonl.tmp',
      '~$a.jsonl.tmp',
      'desktop.ini',
      'a.jsonl.part',
    ]) {
      writeFileSync(join(own, name), 'half of a line');
    }
    await compareAll([one, other]);
    expect(starred(other)).toEqual(ids.slice(0, 1));
    const refused = [{ reason: 'irregular', count: 3 }];
    expect(other.sharing.status()).toMatchObject({ unreadable: 0, refused, failure: null });
    expect(other.sharing.status().devices).toHaveLength(2);
  });

  it('can be one file that nobody may read now: everything else is read', async () => {
    const { folder, one, own, file } = await openScene();
    const read = (name: string) =>
      readRecords(folder, { device: one.id, name }, { ...PLAIN, now: one.clock.now() }, take);
    // A folder in place of the file gives the error of one that is locked: it can't be read.
    mkdirSync(join(own, 'locked'));
    const taken: number[] = [];
    const take = async (marks: readonly unknown[]): Promise<void> => void taken.push(marks.length);
    expect(await read('locked')).toBeNull();
    expect(await read('gone.jsonl')).toBe('gone');
    const whole = { broken: 0, sealed: 0, isPlain: true, refused: {}, isCut: false };
    expect(await read(file.slice(own.length + 1))).toMatchObject(whole);
    expect(taken).toEqual([1]);
    // A file where a device's folder was.
    writeFileSync(join(folder, 'broadsheet-devices', 'e'.repeat(16)), '');
    expect((await listFolder(folder, PLAIN, { known: [], round: 0 })).devices).toHaveLength(2);
  });

  it('may be nothing when Broadsheet starts: the disk comes later', async () => {
    const { folder, one, other } = await openScene();
    renameSync(folder, `${folder}-away`);
    const again = await restarted(other);
    await again.sharing.compare();
    expect(again.sharing.status()).toMatchObject({ failure: { code: 'data_unreadable' } });
    // The folder of a disk that is not there is not created beside it.
    expect(existsSync(folder)).toBe(false);
    renameSync(`${folder}-away`, folder);
    await compareAll([one, again]);
    expect(starred(again)).toEqual(ids.slice(0, 1));
    expect(again.sharing.status().failure).toBeNull();
  });

  it('after the removal of a device is what nobody had read: it stays until it is read', async () => {
    const { folder, one, other, own, file } = await openScene();
    await other.sharing.compare();
    const text = readFileSync(file);
    // A file arrives between the last comparison and the removal.
    writeFileSync(join(own, 'late.jsonl'), text);
    await removeDeviceFiles(folder, one.id, []);
    expect(readdirSync(own).sort()).toContain('late.jsonl');
    await other.sharing.remove(one.id);
    expect(existsSync(own)).toBe(false);
    // The tool brings an old copy back: it changes nothing, and can be removed again.
    mkdirSync(own);
    writeFileSync(join(own, 'old copy.jsonl'), text);
    other.clock.advance(60_000);
    mark(other.store, ids.slice(0, 1), 'unstar');
    await other.sharing.compare();
    expect(starred(other)).toEqual([]);
    await other.sharing.remove(one.id);
    expect(existsSync(own)).toBe(false);
    const third = await open(folder, 'third');
    await third.sharing.compare();
    expect(starred(third)).toEqual([]);
  });
});

describe('a device whose files are not complete', () => {
  it.each(['cut off', 'empty', 'damaged'])('is not removed: %s', async (how) => {
    const { one, other, own, file } = await openScene();
    const whole = readFileSync(file);
    if (how === 'damaged') writeFileSync(file, `x${whole.toString('utf8')}`);
    else truncateSync(file, how === 'empty' ? 0 : whole.length - 9);
    await expect(other.sharing.remove(one.id)).rejects.toMatchObject({ reason: 'devices_incomplete' });
    expect(existsSync(own)).toBe(true);
    writeFileSync(file, whole);
    await other.sharing.remove(one.id);
    expect(starred(other)).toEqual(ids.slice(0, 1));
    expect(existsSync(own)).toBe(false);
  });
});

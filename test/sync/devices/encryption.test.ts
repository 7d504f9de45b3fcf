import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { FolderKey } from '../../../src-main/contract/model/devices.ts';
import { lineOf, openLine, addChecksum, checkLine, deriveKey, newSalt } from '../../../src-main/sync/devices/lines.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { mark, storeListed } from '../../support/store.ts';
import { compareAll, openAlone, openDevice, sharingOf, starred, type Device } from './support.ts';

const PASSPHRASE = 'correct horse battery';
const OTHER_PASSPHRASE = 'another passphrase';
const news = items(10);
const ids = news.map(({ id }) => id);

const root = (folder: string): string => join(folder, 'broadsheet-devices');
const marksFile = (folder: string, { id }: Device): string => {
  const own = join(root(folder), id);
  return join(own, readdirSync(own).find((name) => name.endsWith('.jsonl')) ?? '');
};
/** Everything that is in the folder, names too. */
const contentOf = (folder: string): string =>
  readdirSync(root(folder), { recursive: true, withFileTypes: true })
    .map((entry) => `${entry.name}\n${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'utf8') : ''}`)
    .join('\n');

async function open(folder: string, name: string, passphrase?: string): Promise<Device> {
  const device = await openDevice(folder, name, fakeClock(), passphrase);
  storeListed(device.store, news);
  return device;
}

describe('marks that are encrypted', () => {
  it('reach the devices with the passphrase, and tell nothing to who reads the folder', async () => {
    const folder = temporaryFolder();
    const one = await open(folder, 'desk of the reader', PASSPHRASE);
    const other = await open(folder, 'laptop', PASSPHRASE);
    mark(one.store, ids.slice(0, 2), 'star');
    const at = one.clock.now();
    one.store.transaction((tx) => tx.notes.set({ kind: 'item', id: ids[0] ?? '' }, 'A private thought.', { now: at }));
    await compareAll([one, other]);
    expect(starred(other)).toEqual(ids.slice(0, 2).sort());
    expect(other.sharing.status()).toMatchObject({
      encrypted: true,
      locked: false,
      sealed: 0,
      plain: 0,
      unreadable: 0,
    });
    expect(
      other.sharing
        .status()
        .devices.map(({ name }) => name)
        .sort(),
    ).toEqual(['desk of the reader', 'laptop']);
    const content = contentOf(folder);
    for (const word of [...ids, 'star', 'private', 'desk', 'laptop', PASSPHRASE, one.sharing.keys[0]?.key ?? '']) {
      expect(content, word).not.toContain(word);
    }
    expect(one.sharing.keys).toEqual(other.sharing.keys);
    const saved = JSON.stringify(one.store.queries.userData.records());
    expect(saved).not.toContain(one.sharing.keys[0]?.key);
  });

  it('are not opened by another passphrase: nothing is written and nothing has changed', async () => {
    const folder = temporaryFolder();
    const one = await open(folder, 'desk', PASSPHRASE);
    mark(one.store, ids.slice(0, 1), 'star');
    await one.sharing.compare();
    const before = contentOf(folder);
    const other = openAlone('laptop');
    const use = (passphrase?: string) => other.sharing.use({ folder, ...(passphrase !== undefined && { passphrase }) });
    await expect(use('wrong passphrase')).rejects.toMatchObject({ reason: 'devices_wrong_passphrase' });
    await expect(use()).rejects.toMatchObject({ reason: 'devices_passphrase_needed' });
    expect(other.sharing.status().folder).toBeNull();
    expect(contentOf(folder)).toBe(before);
    await use(PASSPHRASE);
    expect(other.sharing.status()).toMatchObject({ encrypted: true, locked: false });
  });

  it('are counted where the passphrase is missing, and come when it is entered; plain ones are not believed then', async () => {
    const folder = temporaryFolder();
    const one = await open(folder, 'desk');
    const other = await open(folder, 'laptop');
    mark(one.store, ids.slice(0, 1), 'star');
    mark(other.store, ids.slice(1, 2), 'star');
    await compareAll([one, other]);
    await one.sharing.use({ folder, passphrase: PASSPHRASE });
    one.clock.advance(60_000);
    mark(one.store, ids.slice(2, 3), 'star');
    other.clock.advance(60_000);
    mark(other.store, ids.slice(3, 4), 'star');
    await compareAll([one, other]);
    expect(starred(one)).toEqual([...ids.slice(0, 3)].sort());
    // Unread marks could be lost.
    await expect(one.sharing.remove(other.id)).rejects.toMatchObject({ reason: 'devices_incomplete' });
    expect(one.sharing.status()).toMatchObject({ encrypted: true, locked: false, plain: 1 });
    expect(starred(other)).toEqual([...ids.slice(0, 2), ...ids.slice(3, 4)].sort());
    expect(other.sharing.status()).toMatchObject({ encrypted: false, locked: true, failure: null, unreadable: 0 });
    expect(other.sharing.status().sealed).toBeGreaterThan(0);

    await other.sharing.use({ folder, passphrase: PASSPHRASE });
    await compareAll([one, other]);
    for (const device of [one, other]) {
      expect(starred(device)).toEqual(ids.slice(0, 4).sort());
      expect(device.sharing.status()).toMatchObject({ encrypted: true, locked: false, sealed: 0, plain: 0 });
    }
    expect(contentOf(folder)).not.toContain('"k":');
  });

  it('are written again with another passphrase, or without one, and the files before are removed', async () => {
    const folder = temporaryFolder();
    const one = await open(folder, 'desk', PASSPHRASE);
    const other = await open(folder, 'laptop', PASSPHRASE);
    mark(one.store, ids.slice(0, 2), 'star');
    await compareAll([one, other]);
    const [old] = one.sharing.keys;
    await one.sharing.use({ folder, passphrase: OTHER_PASSPHRASE });
    const own = join(root(folder), one.id);
    for (const name of readdirSync(own)) expect(readFileSync(join(own, name), 'utf8')).not.toContain(old?.salt);
    mark(one.store, ids.slice(2, 3), 'star');
    mark(other.store, ids.slice(3, 4), 'star');
    await compareAll([one, other]);
    // The other one still writes with the key before.
    expect(starred(one)).toEqual(ids.slice(0, 4).sort());
    expect(other.sharing.status()).toMatchObject({ locked: true });
    await expect(other.sharing.use({ folder, passphrase: 'mistyped, alas' })).rejects.toMatchObject({
      reason: 'devices_wrong_passphrase',
    });
    await other.sharing.use({ folder, passphrase: OTHER_PASSPHRASE });
    await compareAll([one, other]);
    expect(starred(other)).toEqual(ids.slice(0, 4).sort());
    expect(contentOf(folder)).not.toContain(old?.salt);

    for (const { sharing } of [one, other]) await sharing.use({ folder, passphrase: null });
    await compareAll([one, other]);
    expect(contentOf(folder)).not.toContain('"seal":');
    const third = await open(folder, 'third');
    await compareAll([third]);
    expect(starred(third)).toEqual(ids.slice(0, 4).sort());
  });

  // As by a copy of the data folder, or by a sync tool.
  it.each(['while it is read', 'after it was read'])(
    'are removed an hour later if one has changed %s',
    async (when) => {
      const folder = temporaryFolder();
      const one = await open(folder, 'desk', PASSPHRASE);
      mark(one.store, ids.slice(0, 1), 'star');
      await one.sharing.compare();
      const before = marksFile(folder, one);
      const line = readFileSync(before, 'utf8');
      const { devices } = one.store.queries;
      const [now, toTell] = [one.clock.now, devices.toTell];
      if (when === 'while it is read') {
        vi.spyOn(one.clock, 'now').mockImplementation(() => {
          appendFileSync(before, line);
          return now();
        });
      } else {
        vi.spyOn(devices, 'toTell').mockImplementation((after, limit) => {
          if (after === 0) appendFileSync(before, line);
          return toTell(after, limit);
        });
      }
      await one.sharing.use({ folder, passphrase: OTHER_PASSPHRASE });
      vi.restoreAllMocks();
      await one.sharing.compare();
      expect(existsSync(before)).toBe(true);
      one.clock.advance(3_600_000);
      await one.sharing.compare();
      expect(existsSync(before)).toBe(false);
      expect(starred(one)).toEqual(ids.slice(0, 1));
    },
  );

  it('wait while the key can’t be read, and are never written plainly', async () => {
    const folder = temporaryFolder();
    const one = await open(folder, 'desk', PASSPHRASE);
    const { keys } = one.sharing;
    await one.sharing.stop();
    const locked = sharingOf(one.store, 'desk', one.clock);
    mark(one.store, ids.slice(0, 1), 'star');
    await locked.sharing.compare();
    expect(locked.sharing.status()).toMatchObject({ encrypted: true, locked: true, waiting: 1, failure: null });
    expect(contentOf(folder)).not.toContain('"k":');
    await locked.sharing.useKeys(keys);
    await locked.sharing.compare();
    expect(locked.sharing.status()).toMatchObject({ locked: false, waiting: 0 });
  });

  it('of a device that is removed must be readable: otherwise its files stay', async () => {
    const folder = temporaryFolder();
    const one = await open(folder, 'desk', PASSPHRASE);
    mark(one.store, ids.slice(0, 1), 'star');
    await one.sharing.stop();
    const other = openAlone('laptop');
    await other.sharing.use({ folder, passphrase: null });
    await one.sharing.compare();
    await expect(other.sharing.remove(one.id)).rejects.toMatchObject({ reason: 'devices_passphrase_needed' });
    expect(readdirSync(root(folder))).toContain(one.id);
  });
});

describe('a line that is encrypted', () => {
  const key: FolderKey = { salt: newSalt(), key: 'ab'.repeat(32) };
  const content = '{"k":"star"}';
  const line = lineOf(content, 'records', 'a'.repeat(16), key);

  it('opens with its key, for its purpose and as the device that wrote it', () => {
    expect(openLine(line, [key], 'records')).toEqual({ content, isPlain: false });
    expect(openLine(line, [key], 'about')).toBe('broken');
    expect(openLine(line, [], 'records')).toBe('sealed');
    expect(openLine(line, [{ ...key, key: 'cd'.repeat(32) }], 'records')).toBe('broken');
    const whole = checkLine(line) ?? '';
    expect(openLine(addChecksum(whole.replace('a'.repeat(16), 'b'.repeat(16))), [key], 'records')).toBe('broken');
  });

  it('has another nonce each time', () => {
    const again = lineOf(content, 'records', 'a'.repeat(16), key);
    expect(again).not.toBe(line);
    expect(again).toHaveLength(line.length);
  });

  // The real derivation, which takes half a second: with other costs, no device could read what others wrote before.
  it('has a key from scrypt with these costs, the same for the same letters however they are composed', async () => {
    expect(await deriveKey('cafe\u0301 au lait', '00'.repeat(16))).toBe(
      '74ab5632c201b01a7dc7b0553c69239108ba134af43f3cdadf2b57e9c0751d0d',
    );
  });
});

import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { DeviceExchange } from '../../../src-main/sync/devices/exchange.ts';
import { lastComparison } from '../../../src-main/sync/devices/last-comparison.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { mark, storeListed } from '../../support/store.ts';
import { compareAll, openAlone, openDevice, restarted, starred, type Device } from './support.ts';

const own = (folder: string, { id }: Device): string => join(folder, 'broadsheet-devices', id);
const marksFiles = (folder: string, device: Device): string[] =>
  readdirSync(own(folder, device)).filter((name) => name.endsWith('.jsonl'));
const unread = ({ store }: Device): number => store.queries.items.counts().all.unread;

async function twoDevices(): Promise<{ folder: string; one: Device; other: Device; ids: string[] }> {
  const folder = temporaryFolder();
  const one = await openDevice(folder, 'desk');
  const other = await openDevice(folder, 'laptop');
  const news = items(20);
  for (const { store } of [one, other]) storeListed(store, news);
  return { folder, one, other, ids: news.map(({ id }) => id) };
}

describe('marks of two devices', () => {
  it('reach each other: stars, reads and their removal, with counters and lists', async () => {
    const { one, other, ids } = await twoDevices();
    mark(one.store, ids.slice(0, 5), 'read');
    mark(one.store, ids.slice(2, 4), 'star');
    mark(other.store, ids.slice(10, 12), 'read');
    await one.sharing.compare();
    await other.sharing.compare();
    expect(other.sharing.status()).toMatchObject({ waiting: 0, failure: null });
    await one.sharing.compare();
    expect(one.sharing.status()).toMatchObject({ waiting: 0, failure: null });
    expect([unread(one), unread(other)]).toEqual([13, 13]);
    expect(starred(other)).toEqual(ids.slice(2, 4).sort());

    other.clock.advance(60_000);
    mark(other.store, ids.slice(2, 3), 'unstar');
    mark(other.store, ids.slice(0, 1), 'unread');
    await compareAll([other, one]);
    expect(starred(one)).toEqual(ids.slice(3, 4));
    expect([unread(one), unread(other)]).toEqual([14, 14]);
  });

  it('name what a note is about where it never was, also after a change there', async () => {
    const folder = temporaryFolder();
    const [one, other] = [await openDevice(folder, 'desk'), await openDevice(folder, 'laptop')];
    storeListed(one.store, items(2));
    const write = ({ store, clock }: Device, text: string): void => {
      store.transaction(({ notes }) => notes.set({ kind: 'item', id: 'item-1' }, text, { now: clock.now() }));
    };
    const listed = ({ store }: Device) => store.queries.notes.list(10, 0).notes;
    write(one, 'Mine');
    await compareAll([one, other]);
    const [{ title, link } = { title: '', link: null }] = listed(one);
    expect([title, link]).toEqual(['Title of item-1', expect.stringContaining('https://')]);
    expect(listed(other)).toMatchObject([{ title, link, source: '', excerpt: 'Mine' }]);
    other.clock.advance(60_000);
    write(other, 'Changed');
    await compareAll([other, one]);
    expect(other.store.queries.userData.records()).toEqual(one.store.queries.userData.records());
    expect(listed(other)).toMatchObject([{ title, link, excerpt: 'Changed' }]);
  });

  it('are those from before there was a folder, too, at their time', async () => {
    const folder = temporaryFolder();
    const news = items(4);
    const [id = ''] = news.map((item) => item.id);
    const old = openAlone('old');
    storeListed(old.store, news);
    mark(old.store, [id], 'star');
    old.clock.advance(60_000);
    const one = await openDevice(folder, 'desk', fakeClock(old.clock.now()));
    storeListed(one.store, news);
    mark(one.store, [id], 'star');
    await one.sharing.compare();
    one.clock.advance(60_000);
    mark(one.store, [id], 'unstar');
    await one.sharing.compare();
    old.clock.advance(24 * 3_600_000);
    await old.sharing.use({ folder });
    await compareAll([one, old]);
    expect([starred(one), starred(old)]).toEqual([[], []]);
  });

  it('include what was removed while the folder was off', async () => {
    const { folder, one, other, ids } = await twoDevices();
    mark(one.store, ids.slice(0, 2), 'star');
    await compareAll([one, other]);
    await other.sharing.off();
    mark(other.store, ids.slice(0, 1), 'unstar');
    expect((await other.sharing.use({ folder })).waiting).toBe(0);
    await compareAll([other, one]);
    expect([starred(one), starred(other)]).toEqual([ids.slice(1, 2), ids.slice(1, 2)]);
  });

  it('with one name for two saved searches keep both, under the same names', async () => {
    const { one, other } = await twoDevices();
    for (const { store, clock } of [one, other]) {
      store.transaction((tx) => void tx.rules.addSaved({ name: 'Chips', query: 'chip', notify: false }, clock.now()));
    }
    await compareAll([one, other]);
    await compareAll([other, one]);
    const names = ({ store }: Device) =>
      store.queries.rules
        .savedSearches()
        .map(({ id, name }) => [id, name])
        .sort();
    expect(names(one)).toEqual(names(other));
    expect(
      names(one)
        .map(([, name]) => name)
        .sort(),
    ).toEqual(['Chips', 'Chips (2)']);
  });

  it('say how many there is no room for, and take them when there is', async () => {
    const { one, other } = await twoDevices();
    const add = ({ store, clock }: Device, count: number, start: string): void => {
      store.transaction((tx) => {
        for (let number = 0; number < count; number += 1) {
          tx.rules.addSaved({ name: `${start} ${String(number)}`, query: 'chip', notify: false }, clock.now());
        }
      });
    };
    add(one, 30, 'Desk');
    add(other, 30, 'Laptop');
    await compareAll([one, other]);
    expect(one.store.queries.rules.savedSearches()).toHaveLength(50);
    expect([one.sharing.status().leftOut, other.sharing.status().leftOut]).toEqual([10, 10]);
    const removed = one.store.queries.rules.savedSearches().slice(0, 10);
    one.store.transaction((tx) => {
      for (const { id } of removed) tx.rules.removeSaved(id);
    });
    await compareAll([one, other]);
    await compareAll([one, other]);
    expect([one.sharing.status().leftOut, other.sharing.status().leftOut]).toEqual([0, 0]);
    expect(other.store.queries.rules.savedSearches()).toHaveLength(50);
  });
});

describe('a shared folder', () => {
  it('is named in one short line, whatever its name is', async () => {
    const device = await openDevice(temporaryFolder(), 'desk');
    const folder = join(temporaryFolder(), 'a\nlong name '.repeat(300));
    const failure = await device.sharing.use({ folder }).catch((error: unknown) => error as Error);
    const message = failure instanceof Error ? failure.message : '';
    expect(message).toContain('… is not a folder.');
    expect([message.length < 500, message.includes('\n')]).toEqual([true, false]);
  });

  it('is compared every half minute until it is off or the app ends, and once while that takes longer', async () => {
    const { one, other, ids } = await twoDevices();
    const run = vi.spyOn(DeviceExchange.prototype, 'run');
    for (const id of ids.slice(0, 2)) {
      mark(one.store, [id], 'star');
      await one.sharing.compare();
      run.mockClear();
      other.clock.advance(90_000);
      const now = new Date(other.clock.now()).toISOString();
      await vi.waitFor(() => expect(other.sharing.status().comparedAt).toBe(now));
      expect(starred(other)).toContain(id);
    }
    await other.sharing.off();
    await one.sharing.stop();
    for (const { sharing, clock } of [one, other]) {
      sharing.start();
      clock.advance(90_000);
      // Ends what has begun.
      await sharing.stop();
    }
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('notes every five minutes when it was compared, and when sharing stops', async () => {
    const { store, clock, sharing } = await openDevice(temporaryFolder(), 'desk');
    const began = clock.now();
    const noted = () => (lastComparison(store.queries).comparedAt ?? NaN) - began;
    const minutes: number[] = [];
    for (const later of [1, 4, 1]) {
      clock.advance(later * 60_000);
      await sharing.compare();
      minutes.push(noted() / 60_000);
    }
    await sharing.stop();
    expect([...minutes, noted() / 60_000]).toEqual([0, 5, 5, 6]);
  });

  it('is not in the data folder, and is a folder', async () => {
    const { sharing } = openAlone('desk');
    await expect(sharing.use({ folder: 'relative' })).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(sharing.use({ folder: join(temporaryFolder(), 'missing') })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(sharing.status()).toMatchObject({ folder: null, devices: [] });
  });

  it.each(['at once', 'after a time without one'])('that is another gets every mark: %s', async (how) => {
    const { one, other, ids } = await twoDevices();
    mark(one.store, ids.slice(0, 1), 'star');
    mark(other.store, ids.slice(1, 2), 'star');
    await compareAll([one, other]);
    const another = temporaryFolder();
    if (how !== 'at once') await one.sharing.off();
    await one.sharing.use({ folder: another });
    expect(one.store.queries.devices.config()?.device).toBe(one.id);

    // The other one does not come there, and the files are replaced.
    for (let n = 0; how === 'at once' && n < 18; n += 1) {
      const again = await restarted(one);
      one.clock.advance(60_000);
      mark(one.store, ids.slice(2, 3), n % 2 === 0 ? 'star' : 'unstar');
      await again.sharing.compare();
    }
    await compareAll([one]);
    expect(marksFiles(another, one).some((name) => name.startsWith('snapshot'))).toBe(how === 'at once');
    const third = await openDevice(another, 'tablet');
    storeListed(third.store, items(20));
    await compareAll([third]);
    expect(starred(third)).toEqual(ids.slice(0, 2).sort());
    expect(third.sharing.status().devices).toHaveLength(2);
  });

  it('shows its devices, and keeps the marks of one that is removed, for a new device, too', async () => {
    const { folder, one, other, ids } = await twoDevices();
    mark(one.store, ids.slice(0, 2), 'star');
    await one.sharing.compare();
    one.clock.advance(60_000);
    mark(one.store, ids.slice(2, 3), 'star');
    await one.sharing.stop();
    // The latest marks of the device are in no other database yet.
    expect(starred(other)).toEqual([]);
    await other.sharing.compare();
    expect(
      other.sharing
        .status()
        .devices.map(({ name, isThis }) => [name, isThis])
        .sort(),
    ).toEqual([
      ['desk', false],
      ['laptop', true],
    ]);
    const left = await other.sharing.remove(one.id);
    expect(left.devices.map(({ name }) => name)).toEqual(['laptop']);
    const third = await openDevice(folder, 'third');
    storeListed(third.store, items(20));
    await compareAll([third]);
    expect(starred(third)).toEqual(ids.slice(0, 3).sort());
    await expect(other.sharing.remove(one.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(other.sharing.remove(other.id)).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('files', () => {
  it('that cannot be reached are told, and what was marked meanwhile arrives later', async () => {
    const { folder, one, other, ids } = await twoDevices();
    await compareAll([one, other]);
    renameSync(folder, `${folder}-away`);
    mark(one.store, ids.slice(0, 1), 'star');
    await one.sharing.compare();
    expect(one.sharing.status()).toMatchObject({ waiting: 1, failure: { code: 'data_unreadable' } });
    expect(one.warnings).toHaveLength(1);
    await one.sharing.compare();
    expect(one.warnings).toHaveLength(1);
    renameSync(`${folder}-away`, folder);
    await compareAll([one, other]);
    expect(starred(other)).toEqual(ids.slice(0, 1));
    expect(one.sharing.status()).toMatchObject({ waiting: 0, failure: null });
  });
});

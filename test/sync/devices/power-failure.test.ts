import { expect, it, vi } from 'vitest';
import type { Store } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { forgetfulDisk, type ForgetfulDisk } from '../../support/forgetful-disk.ts';
import { items } from '../../support/items.ts';
import { mark, storeListed } from '../../support/store.ts';
import { openDevice, restarted } from './support.ts';

/** More than the files that a device keeps before it replaces them by one. */
const STARTS = 20;

/** The items whose marks user.db counts as written to the folder, which a disk that forgets doesn't have. */
function lostBy(disk: ForgetfulDisk, { queries: { devices } }: Store): string[] {
  const last = devices.told();
  const told = devices.toTell(0, 1_000).records.filter(({ seq }) => seq <= last);
  return [disk.least, disk.names].flatMap((image) => {
    const text = [...image.values()].join('');
    return told.filter(({ id }) => !text.includes(`"${id}"`)).map(({ id }) => id);
  });
}

it('what a device counts as written is in its files after a power failure at any moment', async () => {
  const folder = temporaryFolder();
  const clock = fakeClock();
  const news = items(STARTS);
  let device = await openDevice(folder, 'here', clock);
  const { store } = device;
  storeListed(store, news);
  const lost: string[] = [];
  let most = 0;
  const disk = forgetfulDisk(folder, (now) => {
    lost.push(...lostBy(now, store));
    most = Math.max(most, now.names.size);
  });
  const transaction = store.transaction.bind(store);
  vi.spyOn(store, 'transaction').mockImplementation((work) => {
    const result = transaction(work);
    lost.push(...lostBy(disk, store));
    return result;
  });
  for (const { id } of news) {
    device = await restarted(device);
    mark(store, [id], 'star');
    await device.sharing.compare();
    expect(lost).toEqual([]);
  }
  await device.sharing.stop();
  expect(store.queries.devices.counts().waiting).toBe(0);
  expect(store.queries.devices.toTell(0, 1_000).records).toHaveLength(STARTS);
  // Also while files were replaced by one.
  expect(disk.names.size).toBeLessThan(most);
});

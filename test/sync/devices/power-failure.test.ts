import { expect, it, vi } from 'vitest';
import type { Store } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { forgetfulDisk, type ForgetfulDisk } from '../../support/forgetful-disk.ts';
import { items } from '../../support/items.ts';
import { mark, storeListed } from '../../support/store.ts';
import { openMachine, restarted } from './support.ts';

/** More than the files that a machine keeps before it replaces them by one. */
const STARTS = 20;

/** The items whose marks user.db counts as written to the folder, which a disk that forgets doesn't have. */
function lostBy(disk: ForgetfulDisk, { marks }: Store): string[] {
  const unsaved = new Set(marks.listUnsaved(1_000).map(({ id }) => id));
  const told = marks.listOwn(null, 1_000).marks.filter(({ id }) => !unsaved.has(id));
  return [disk.least, disk.names].flatMap((image) => {
    const text = [...image.values()].join('');
    return told.filter(({ id }) => !text.includes(`"${id}"`)).map(({ id }) => id);
  });
}

it('what a machine counts as written is in its files after a power failure at any moment', async () => {
  const folder = temporaryFolder();
  const clock = fakeClock();
  const news = items(STARTS);
  let machine = await openMachine(folder, 'here', clock);
  const { store } = machine;
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
    machine = await restarted(machine);
    mark(store, [id], 'star');
    await machine.sharing.compare();
    expect(lost).toEqual([]);
  }
  await machine.sharing.stop();
  expect(store.marks.listUnsaved(1)).toEqual([]);
  expect(store.marks.listOwn(null, 1_000).marks).toHaveLength(STARTS);
  // Also while files were replaced by one.
  expect(disk.names.size).toBeLessThan(most);
});

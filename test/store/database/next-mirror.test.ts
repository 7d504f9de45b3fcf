import { globSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openQueries, openUnfinishedMirror } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import { EVERYTHING, idsOf, mark, openStoreScene, SOURCE, stepIndex, storeSnapshot } from '../../support/store.ts';

const clock = fakeClock();
const STARRED = { ...EVERYTHING, state: 'starred' as const };
const SEARCH = { ...EVERYTHING, text: 'Fresh' };

/** A folder with a mirror of item-0 to item-2, and another one beside it that is being filled. */
function openFolder(source = SOURCE) {
  const folder = temporaryFolder();
  const { store, index } = openStoreScene({ folder, clock });
  storeSnapshot(store, items(3));
  mark(store, ['item-2'], 'star');
  index();
  const beside = openUnfinishedMirror({ folder, source, now: () => clock.now() });
  storeSnapshot(beside.store, [...items(2), item({ id: 'fresh', title: 'Fresh news' })]);
  while (stepIndex(beside.store));
  return { folder, store, beside };
}

/** Opens the folder as the next start does. */
function openAgain(folder: string) {
  const { store, queries, index } = openStoreScene({ folder, clock });
  index();
  const found = { all: idsOf(queries).toSorted(), starred: idsOf(queries, STARRED), search: idsOf(queries, SEARCH) };
  const { storageWarnings } = store;
  store.close();
  expect(globSync('*.{next,unfinished}*', { cwd: folder })).toEqual([]);
  return { ...found, storageWarnings };
}

const OLD = { all: ['item-0', 'item-1', 'item-2'], starred: ['item-2'], search: [], storageWarnings: [] };
/** The starred item is in no answer of the service any more. */
const NEXT = { ...OLD, all: ['fresh', 'item-0', 'item-1', 'item-2'], search: ['fresh'] };

describe('a mirror that is made beside the one in use', () => {
  it('takes its place at the next opening, with what the reader starred', () => {
    const { folder, store, beside } = openFolder();
    // Until then everything is as it was.
    mark(store, ['item-0'], 'read');
    beside.finish();
    expect(idsOf(store.queries)).toHaveLength(3);
    store.close();
    const reader = openQueries(folder);
    expect(idsOf(reader)).toHaveLength(3);
    reader.close();
    expect(openAgain(folder)).toEqual(NEXT);
    const again = openQueries(folder);
    expect(again.items.get('item-0').state.readAt).not.toBeNull();
    again.close();
  });

  it('is removed if its process was killed before it was complete', () => {
    const { folder, store, beside } = openFolder();
    beside.store.close();
    store.close();
    expect(openAgain(folder)).toEqual(OLD);
  });

  it('takes its place without a search index, which is made again', () => {
    const { folder, store, beside } = openFolder();
    beside.finish();
    store.close();
    rmSync(join(folder, 'search.db.next'));
    expect(openAgain(folder)).toEqual(NEXT);
  });

  it.each([
    ['is damaged', (file: string) => writeFileSync(file, 'No database. '.repeat(1000))],
    ['belongs to another service', () => undefined],
  ])('is removed if it %s', (what, spoil) => {
    const { folder, store, beside } = openFolder(what === 'is damaged' ? SOURCE : 'https://other.example');
    beside.finish();
    store.close();
    spoil(join(folder, 'mirror.db.next'));
    expect(openAgain(folder)).toEqual(OLD);
  });

  it('is never mixed with the other: a reader waits, and then says so', () => {
    const { folder, store, beside } = openFolder();
    beside.finish();
    store.close();
    // As a kill between the two renames leaves them.
    renameSync(join(folder, 'mirror.db.next'), join(folder, 'mirror.db'));
    expect(() => openQueries(folder)).toThrow(expect.objectContaining({ code: 'data_in_use' }) as Error);
    expect(openAgain(folder)).toMatchObject({ search: ['fresh'] });
  });
});

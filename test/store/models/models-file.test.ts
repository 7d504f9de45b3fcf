import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { storeFiles } from '../../../src-main/store/database/files.ts';
import type { ScheduleState } from '../../../src-main/store/schedule/schedule.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { model, openModelStore, OWNER } from './model-records.ts';
import { openQueries } from '../../../src-main/store/index.ts';
import {
  idsOf,
  mark,
  nameGateway,
  openStoreScene,
  openTestStore,
  reschedule,
  storeListed,
} from '../../support/store.ts';

// Many files are opened, closed and flushed, which takes time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const STATE: ScheduleState = {
  requestedAt: 5,
  answeredAt: 5,
  lifetime: 6,
  retryAfter: 7,
  dueAt: 8,
  failures: 0,
  failure: null,
};

/** A closed folder after a run of the app: some items, one of them starred, and a model list that changed once. */
function someFolder(): string {
  const folder = temporaryFolder();
  const { store, replace } = openModelStore({ folder });
  storeListed(store, items(5));
  mark(store, ['item-0'], 'star');
  replace([model('a/one')], { validator: 'W/"1"' });
  replace([model('a/two')], { validator: 'W/"2"' });
  nameGateway(store, OWNER);
  reschedule(store, 'models', STATE);
  reschedule(store, 'items', STATE);
  store.close();
  return folder;
}

describe('models.db', () => {
  it.each<[string, (file: string) => void]>([
    ['emptied', (file) => truncateSync(file, 0)],
    ['overwritten by a text', (file) => writeFileSync(file, 'This is not a database. '.repeat(1_000))],
    ['cut short', (file) => truncateSync(file, readFileSync(file).length - 4_096)],
    ['with a page full of something else', (file) => writeFileSync(file, readFileSync(file).fill(0x5a, 4_096, 8_192))],
  ])('that is damaged is set aside with a warning, and no other file is: %s', (_, corruption) => {
    const folder = someFolder();
    const { models } = storeFiles(folder);
    corruption(models);
    const left = readFileSync(models);
    const { store, queries } = openStoreScene({ folder });
    expect(store.storageWarnings).toMatchObject([{ file: 'models.db', reason: 'damaged' }]);
    expect(readFileSync(join(folder, store.storageWarnings[0]?.setAsideAs ?? ''))).toEqual(left);
    expect(queries.models.list(OWNER, 'models')).toEqual({ lines: [], fetchedAt: null });
    expect(idsOf(queries)).toHaveLength(5);
    expect(queries.items.counts().starred.total).toBe(1);
  });

  it('makes its model lists due at once if it is missing, except while a Retry-After holds', () => {
    const folder = someFolder();
    rmSync(join(folder, 'models.db'));
    const { schedule, models } = openTestStore({ folder }).queries;
    expect(schedule.state('models')).toEqual({ ...STATE, lifetime: 0, dueAt: 0 });
    expect(schedule.state('items')).toEqual(STATE);
    expect(models.validator(OWNER, 'models', null)).toBeUndefined();
  });

  it('stays when the news service changes or the mirror is lost', () => {
    const folder = someFolder();
    const other = openStoreScene({ folder, source: 'https://other.example/' });
    expect(other.queries.models.refreshes(OWNER, 10)).toHaveLength(1);
    other.store.close();
    rmSync(join(folder, 'mirror.db'));
    const { queries } = openStoreScene({ folder });
    expect(queries.models.list(OWNER, 'models').lines.map(({ id }) => id)).toEqual(['a/two']);
  });

  it('is named if it is missing: a store creates it, and tells that its history is gone', () => {
    const folder = someFolder();
    rmSync(join(folder, 'models.db'));
    expect(() => openQueries(folder)).toThrow(expect.objectContaining({ code: 'data_unreadable' }));
    const store = openTestStore({ folder });
    expect(store.storageWarnings).toEqual([{ file: 'models.db', setAsideAs: null, reason: 'missing' }]);
    store.close();
    openQueries(folder).close();
  });
});

import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import {
  EVERYTHING,
  idsOf,
  openStoreScene,
  openTestStore,
  SELECTED,
  storeListed,
  storeSnapshot,
  write,
} from '../../support/store.ts';

const OPEN = { generation: 1, cursor: 'watermark', nextPage: 'page-2', stored: 2 };
const MEMBERS = { ...EVERYTHING, scope: 'selected' as const };

describe('the selected set', () => {
  it('starts empty: no cursor, no snapshot, not complete', () => {
    const { selectedSet } = openTestStore().queries;
    expect(selectedSet).toMatchObject({ cursor: null, openSnapshot: null, generation: 0, complete: false });
    expect(selectedSet.nextGeneration()).toBe(1);
  });

  it('resumes a snapshot after a restart', () => {
    const folder = temporaryFolder();
    const first = openTestStore({ folder });
    write(first, (tx) => {
      tx.items.upsertAll(items(2), SELECTED);
      tx.selectedSet.saveSnapshot(OPEN);
    });
    first.close();
    const { selectedSet } = openTestStore({ folder }).queries;
    expect(selectedSet).toMatchObject({ openSnapshot: OPEN, complete: false, cursor: null });
  });

  it('loses members that are missing from all pages when a snapshot ends', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, [item({ id: 'never a member' })]);
    storeSnapshot(store, items(4));
    const generation = store.queries.selectedSet.nextGeneration();
    expect(generation).toBe(2);
    write(store, (tx) => {
      tx.items.upsertAll(items(2), { kind: 'selected', generation });
      tx.selectedSet.saveSnapshot({ ...OPEN, generation });
    });
    expect(idsOf(queries, MEMBERS)).toHaveLength(4);
    const summary = write(store, (tx) => {
      tx.items.keepMember('item-2', generation);
      tx.items.keepMember('never a member', generation);
      tx.items.keepMember('not stored', generation);
      tx.items.sweepBefore(generation);
      tx.selectedSet.finishSnapshot(generation, 'watermark');
    });
    expect(summary).toMatchObject({ withdrawn: 0, ids: ['item-3'] });
    const left = { inSelectedSet: false, leftSelectionAt: expect.any(String) as string };
    expect(queries.items.get('item-3')).toMatchObject(left);
    expect(idsOf(queries, MEMBERS)).toEqual(['item-0', 'item-1', 'item-2']);
    expect(queries.items.get('never a member').inSelectedSet).toBe(false);
  });

  it('restarts a dropped snapshot with an unused generation', () => {
    const { store } = openStoreScene();
    write(store, (tx) => {
      tx.items.upsertAll(items(2), SELECTED);
      tx.selectedSet.saveSnapshot(OPEN);
      tx.selectedSet.dropSnapshot();
    });
    expect(store.queries.selectedSet.openSnapshot).toBeNull();
    expect(store.queries.selectedSet.nextGeneration()).toBe(2);
  });

  it('stays, without a cursor, until a new snapshot is complete', () => {
    const { store, queries } = openStoreScene();
    storeSnapshot(store, items(2), 'old');
    write(store, (tx) => {
      tx.selectedSet.advance('newer');
    });
    expect(store.queries.selectedSet.cursor).toBe('newer');
    write(store, (tx) => {
      tx.selectedSet.requireSnapshot();
    });
    expect(store.queries.selectedSet).toMatchObject({ cursor: null, complete: true });
    expect(idsOf(queries, MEMBERS)).toHaveLength(2);
  });
});

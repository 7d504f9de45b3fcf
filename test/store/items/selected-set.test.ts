import { describe, expect, it } from 'vitest';
import { item, items } from '../../support/items.ts';
import { EVERYTHING, idsOf, openStoreScene, storeListed, storeSnapshot, write } from '../../support/store.ts';

const OPEN = { generation: 1, cursor: 'watermark', nextPage: 'page-2', stored: 2 };
const MEMBERS = { ...EVERYTHING, scope: 'selected' as const };

describe('the selected set', () => {
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
});

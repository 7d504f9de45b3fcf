import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src-main/contract/model/item.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item } from '../../support/items.ts';
import { EVERYTHING, idsOf, openStoreScene, stepIndex, storeListed } from '../../support/store.ts';

const NEWEST = Date.parse('2026-03-18T06:00:00Z');

/** Items in the order of a snapshot: by id, which says nothing about their time. */
function inOrderOfId(count: number): Item[] {
  return Array.from({ length: count }, (_, index) => {
    // A step that shares no factor with the count visits every minute once, in a scattered order.
    const minute = (index * 7_919) % count;
    return item({
      id: `item-${String(index).padStart(6, '0')}`,
      discoveredAt: new Date(NEWEST - minute * 60_000).toISOString(),
      summary: `Summary ${index} `.repeat(20),
    });
  });
}

describe('items that arrive in order of their ids', () => {
  it('write each page of their texts about once', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    const all = inOrderOfId(5_000);
    for (let from = 0; from < all.length; from += 500) storeListed(store, all.slice(from, from + 500));
    const log = statSync(join(folder, 'mirror.db-wal')).size;
    store.checkpoint();
    expect(log / statSync(join(folder, 'mirror.db')).size).toBeLessThan(2.5);
  });

  it('leave a bounded log, however many they are', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    const all = inOrderOfId(15_000).map((one) => ({ ...one, summary: 'A long text. '.repeat(250) }));
    for (let from = 0; from < all.length; from += 1_000) storeListed(store, all.slice(from, from + 1_000));
    const megabytes = (name: string): number => statSync(join(folder, name)).size / 1024 / 1024;
    expect(megabytes('mirror.db')).toBeGreaterThan(40);
    expect(megabytes('mirror.db-wal')).toBeLessThan(30);
  });

  it('get several sequence numbers in one write, and are indexed in steps', () => {
    const { store, queries, clock } = openStoreScene();
    storeListed(store, inOrderOfId(2_500));
    expect(queries.mirror.number('sequence')).toBe(3);
    let steps = 0;
    while (stepIndex(store)) steps += 1;
    expect(steps).toBe(3);
    expect(idsOf(queries, { ...EVERYTHING, text: 'summary' }, clock.now())).toHaveLength(2_500);
    store.transaction(({ items }) => items.dropBefore(clock.now() + 1_000_000_000, 0, 2_500));
    expect(queries.items.countStored().all).toBe(0);
    while (stepIndex(store)) steps += 1;
    expect(steps).toBe(6);
    expect(idsOf(queries, { ...EVERYTHING, text: 'summary' }, clock.now())).toEqual([]);
  });
});

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src-main/contract/model/item.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item } from '../../support/items.ts';
import { openStoreScene, storeListed } from '../../support/store.ts';

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
});

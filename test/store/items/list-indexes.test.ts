import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { EVERYTHING, idsOf, storeListed, write } from '../../support/store.ts';
import { databaseOf, openTestStore } from '../internals.ts';

function indexesOf(store: Store): string[] {
  return databaseOf(store)
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'item_index' ORDER BY name",
    )
    .pluck()
    .all();
}

describe('the indexes of lists', () => {
  it('are created by the next start if a load was interrupted', () => {
    const folder = temporaryFolder();
    const store = openTestStore({ folder });
    const before = indexesOf(store);
    write(store, (tx) => {
      tx.listIndexes.drop();
    });
    storeListed(store, items(5));
    store.close();
    const again = openTestStore({ folder });
    expect(indexesOf(again)).toEqual(before);
    expect(idsOf(again.queries, EVERYTHING)).toHaveLength(5);
  });
});

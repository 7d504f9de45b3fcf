import { describe, expect, it } from 'vitest';
import { openQueries } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item } from '../../support/items.ts';
import { citation, daily } from '../../support/reports.ts';
import { LISTED, openTestStore as openStore, storeListed, write } from '../../support/store.ts';
import { databaseOf, openTestStore } from '../internals.ts';
import { itemsAt } from '../../../src-main/store/items/addresses.ts';
import type { Store } from '../../../src-main/store/index.ts';

const ADDRESS = 'https://example.org/story';
const linked = (id: string, original: string | null = `${ADDRESS}?utm_source=${id}`) =>
  item({ id, links: { original, aihot: null } });

function follow(store: Store): void {
  while (store.derive('addresses'));
}

function rowsOf(store: Store): number | undefined {
  return databaseOf(store).prepare<[], number>('SELECT count(*) FROM item_address').pluck().get();
}

describe('the addresses of items', () => {
  it('are found before they are indexed, half indexed and indexed', () => {
    const store = openTestStore();
    const database = databaseOf(store);
    const found = (): string[] => itemsAt(database, ADDRESS).map(({ id }) => id);
    storeListed(store, [linked('one')]);
    expect(found()).toEqual(['one']);
    follow(store);
    expect(found()).toEqual(['one']);
    storeListed(store, [linked('two')]);
    expect(found()).toEqual(['one', 'two']);
    storeListed(store, [linked('three')]);
    expect(found()).toEqual(['one', 'two', 'three']);
    write(store, (tx) => {
      tx.items.withdraw('two');
      tx.items.upsert(linked('one', 'https://example.org/other'), LISTED);
      tx.items.upsert(linked('four'), LISTED);
      // Also within the transaction that writes them.
      expect(found()).toEqual(['three', 'four']);
    });
    expect(found()).toEqual(['three', 'four']);
    follow(store);
    expect(found()).toEqual(['three', 'four']);
    expect(rowsOf(store)).toBe(3);
  });

  it('are found by a process that only reads, after one that was stopped before it indexed them', () => {
    const folder = temporaryFolder();
    const store = openStore({ folder });
    storeListed(store, [linked('one')]);
    const cited = daily({ A: [citation('a', { links: { aihot: null, original: ADDRESS } })] });
    write(store, (tx) => void tx.reports.store(cited, tx.now));
    store.close();
    const queries = openQueries(folder);
    expect(queries.reports.get('daily', cited.label).sections[0]?.items[0]).toMatchObject({ itemId: 'one' });
    queries.close();
    const again = openTestStore({ folder });
    follow(again);
    expect(rowsOf(again)).toBe(1);
  });
});

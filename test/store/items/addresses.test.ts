import { describe, expect, it } from 'vitest';
import { openQueries } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
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
  it('are indexed after the items are saved', () => {
    const store = openTestStore();
    storeListed(store, [linked('one'), linked('two'), linked('none', null)]);
    expect(rowsOf(store)).toBe(0);
    follow(store);
    expect(rowsOf(store)).toBe(2);
    expect(store.derive('addresses')).toBeNull();
    storeListed(store, items(5_500));
    expect(store.derive('addresses')).not.toBeNull();
    expect(rowsOf(store)).toBe(2_002);
    follow(store);
    expect(rowsOf(store)).toBe(5_502);
  });

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

  it('do not survive a rollback', () => {
    const store = openTestStore();
    const database = databaseOf(store);
    expect(() => {
      write(store, (tx) => {
        tx.items.upsert(linked('one'), LISTED);
        expect(itemsAt(database, ADDRESS)).toHaveLength(1);
        throw new Error('rolled back');
      });
    }).toThrow('rolled back');
    storeListed(store, [linked('two')]);
    expect(itemsAt(database, ADDRESS).map(({ id }) => id)).toEqual(['two']);
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

import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { keysOf, listFilter, type Filter } from '../../../src-main/store/lists/list-filter.ts';
import { item, items } from '../../support/items.ts';
import { SELECTED, EVERYTHING, LISTED, write, storeSnapshot, storeListed, idsOf } from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';

describe('a list', () => {
  it('continues without gaps or repeats when items are added and removed between its pages', () => {
    const { store, queries, clock } = openStoreScene();
    storeSnapshot(store, items(20));
    const first = queries.items.page(EVERYTHING, undefined, 10, clock.now());
    storeListed(store, [item({ id: 'newer', discoveredAt: '2026-03-18T06:10:00Z' })]);
    write(store, (tx) => {
      tx.items.withdraw('item-9');
      tx.items.withdraw('item-12');
      tx.items.upsert(item({ id: 'between', discoveredAt: '2026-03-18T05:45:30Z' }), SELECTED);
    });
    const rest = queries.items.page(EVERYTHING, first.next ?? '', 50, clock.now());
    expect(rest.rows.map(({ id }) => id)).toEqual([
      ...['item-10', 'item-11', 'item-13', 'item-14', 'between'],
      ...['item-15', 'item-16', 'item-17', 'item-18', 'item-19'],
    ]);
    expect(rest.next).toBeNull();
  });

  it('refuses what it never gave as the place of a next page', () => {
    const { queries, clock } = openStoreScene();
    for (const cursor of ['', 'abc', '-1', '1.5', '1e5', '12345678901234567', '1; DROP TABLE item'])
      expect(() => queries.items.page(EVERYTHING, cursor, 10, clock.now()), cursor).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
  });

  it('of the selected set is empty until the first snapshot is complete, then stays while another one replaces it', () => {
    const { store, queries, clock } = openStoreScene();
    const selected: ItemsQuery = { ...EVERYTHING, scope: 'selected' };
    write(store, (tx) => {
      tx.items.upsert(item(), SELECTED);
      tx.selectedSet.saveSnapshot({ generation: 1, cursor: 'c', nextPage: 'p', stored: 1 });
    });
    expect(queries.items.page(selected, undefined, 10, clock.now()).rows).toEqual([]);
    expect(queries.items.count(selected, clock.now())).toEqual({ count: 0 });
    expect(queries.items.count({ ...selected, window: '7d' }, clock.now())).toEqual({ count: 0 });
    expect(idsOf(queries)).toEqual(['one']);
    storeSnapshot(store, [item()]);
    write(store, (tx) => {
      tx.selectedSet.requireSnapshot();
      tx.items.upsert(item({ id: 'two' }), { kind: 'selected', generation: 2 });
    });
    expect(idsOf(queries, selected).toSorted()).toEqual(['one', 'two']);
  });
});

describe('the query plan of a page', () => {
  const plans: [name: string, query: ItemsQuery, index: RegExp][] = [
    ['everything', EVERYTHING, /item_index/],
    ['unread', { ...EVERYTHING, state: 'unread' }, /USING (COVERING )?INDEX item_index_unread/],
    ['starred', { ...EVERYTHING, state: 'starred' }, /USING (COVERING )?INDEX item_index_starred/],
    ['a category', { ...EVERYTHING, category: 'paper' }, /USING (COVERING )?INDEX item_index_category/],
    [
      'unread of a category',
      { ...EVERYTHING, category: 'paper', state: 'unread' },
      /USING (COVERING )?INDEX item_index_unread_category/,
    ],
    ['a source', { ...EVERYTHING, source: 'Lab' }, /USING (COVERING )?INDEX item_index_source/],
    [
      'unread of a source in a category',
      { ...EVERYTHING, scope: 'selected', category: 'paper', state: 'unread', source: 'Lab' },
      /USING (COVERING )?INDEX item_index_source/,
    ],
    ['the last week', { ...EVERYTHING, window: '7d' }, /SEARCH item_index USING INTEGER PRIMARY KEY/],
    ['a text', { ...EVERYTHING, text: 'model' }, /^SCAN search.item_text VIRTUAL TABLE/],
  ];

  it('uses an index and sorts nothing', () => {
    const { store, clock } = openStoreScene();
    for (const [name, query, index] of plans) {
      const { sql, bound } = keysOf(listFilter(query, clock.now(), true) as Filter, 51);
      const plan = databaseOf(store)
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...bound)
        .map(({ detail }) => detail)
        .join('\n');
      expect(plan, name).toMatch(index);
      expect(plan, name).not.toContain('TEMP B-TREE');
    }
  });
});

describe('a search in a list', () => {
  it('of a part of the items lets the index find what is in that part', () => {
    const tags = (part: Partial<ItemsQuery>): number => {
      const query: ItemsQuery = { ...EVERYTHING, ...part, text: 'model ' };
      return String(listFilter(query, 0, true)?.parts[0]?.bound[0]).split('\ue001').length - 1;
    };
    expect(tags({})).toBe(0);
    expect(tags({ category: 'paper' })).toBe(1);
    expect(tags({ scope: 'selected' })).toBe(1);
    expect(tags({ scope: 'selected', category: 'paper' })).toBe(2);
  });

  it('finds an item that entered the selected set or another category later', () => {
    const { store, queries, index } = openStoreScene();
    const one = item({ title: 'A model', category: 'paper' });
    storeSnapshot(store, [item({ id: 'other' })]);
    write(store, ({ items }) => items.upsert(one, LISTED));
    index();
    const found = (rest: Partial<ItemsQuery>): string[] => idsOf(queries, { ...EVERYTHING, text: 'model', ...rest });
    expect([found({}), found({ scope: 'selected' })]).toEqual([['one'], []]);
    write(store, ({ items }) => items.upsert(one, { kind: 'selected', generation: 1 }));
    index();
    expect(found({ scope: 'selected' })).toEqual(['one']);
    write(store, ({ items }) => items.upsert({ ...one, category: 'tip' }, { kind: 'selected', generation: 1 }));
    index();
    expect([found({ category: 'paper' }), found({ category: 'tip' })]).toEqual([[], ['one']]);
  });
});

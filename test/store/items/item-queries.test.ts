import { describe, expect, it } from 'vitest';
import type { Item, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { keysOf, listFilter, type Filter } from '../../../src-main/store/lists/list-filter.ts';
import { item, items } from '../../support/items.ts';
import { pick, seededRandom } from '../search/search-items.ts';
import {
  SELECTED,
  EVERYTHING,
  LISTED,
  write,
  mark,
  storeSnapshot,
  storeListed,
  idsOf,
  type StoreScene,
} from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';

const HOUR = 3_600_000;

/** Two sources, one of them under three names, and none. */
const SOURCES = ['X：Lab (@lab)', 'LAB', 'lab（notes）', 'A paper site', null];

/** A store with a complete selected set, statuses, and items over six weeks, some in the same second. */
function filledStore(): StoreScene {
  const scene = openStoreScene();
  const random = seededRandom(7);
  const made = Array.from({ length: 300 }, (_, n): Item => {
    const age = Math.floor(random() ** 2 * 42 * 24) * HOUR;
    const title = `${pick(random, ['A model', '推理模型', 'Weights'])} ${pick(random, ['released', '发布', 'tested'])}`;
    const discoveredAt = new Date(scene.clock.now() - age).toISOString();
    const category = pick(random, ['paper', 'tip', 'new-kind', null]);
    return item({ id: `i${n}`, title, discoveredAt, category, source: { name: pick(random, SOURCES) } });
  });
  storeListed(scene.store, made);
  storeSnapshot(scene.store, made.slice(0, 120));
  mark(
    scene.store,
    made.filter(() => random() < 0.4).map(({ id }) => id),
    'read',
  );
  mark(
    scene.store,
    made.filter(() => random() < 0.1).map(({ id }) => id),
    'star',
  );
  scene.index();
  return scene;
}

describe('a list', () => {
  it('is complete in pages of any size', () => {
    const { queries, clock } = filledStore();
    for (const query of [EVERYTHING, { ...EVERYTHING, text: '模型' }]) {
      const all = queries.items.page(query, undefined, 500, clock.now()).rows.map(({ id }) => id);
      for (const limit of [1, 2, 99, 100, 101, 299, 300, 301])
        expect(idsOf(queries, query, clock.now(), limit), String(limit)).toEqual(all);
    }
  });

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

  it('keeps its pages while items are read', () => {
    const { store, queries, clock } = openStoreScene();
    storeListed(store, items(6));
    const unread: ItemsQuery = { ...EVERYTHING, state: 'unread' };
    const first = queries.items.page(unread, undefined, 3, clock.now());
    mark(
      store,
      first.rows.map(({ id }) => id),
      'read',
    );
    expect(queries.items.page(unread, first.next ?? '', 3, clock.now()).rows.map(({ id }) => id)).toEqual([
      'item-3',
      'item-4',
      'item-5',
    ]);
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

  it('highlights the matches of a search in its rows', () => {
    const { store, queries, clock, index } = openStoreScene();
    storeListed(store, [item({ title: 'A new model' })]);
    index();
    const [row] = queries.items.page({ ...EVERYTHING, text: 'model' }, undefined, 10, clock.now()).rows;
    expect(row?.snippets).toEqual([{ field: 'title', text: 'A new model', ranges: [[6, 11]] }]);
    expect(queries.items.page(EVERYTHING, undefined, 10, clock.now()).rows[0]?.snippets).toEqual([]);
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
    const { store, clock } = filledStore();
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

  it('counts its results up to 1,000', () => {
    const { store, queries, index, clock } = openStoreScene();
    const titled = (count: number): Item[] =>
      Array.from({ length: count }, (_, n) => item({ id: `i${String(n)}`, title: 'model' }));
    write(store, ({ items }) => {
      items.upsertAll(titled(1_000), LISTED);
    });
    index();
    const count = (): unknown => queries.items.count({ ...EVERYTHING, text: 'model' }, clock.now());
    expect(count()).toEqual({ count: 1_000 });
    write(store, ({ items }) => {
      items.upsertAll(titled(1_001), LISTED);
    });
    index();
    expect(count()).toEqual({ count: 1_000, atLeast: true });
    expect(queries.items.count(EVERYTHING, clock.now())).toEqual({ count: 1_001 });
  });
});

describe('a single item', () => {
  it('has its status, or is not found', () => {
    const { store, queries } = openStoreScene();
    storeSnapshot(store, [item()]);
    expect(queries.items.get('one')).toMatchObject({
      inSelectedSet: true,
      revisedAt: null,
      state: { readAt: null, starredAt: null },
    });
    expect(() => queries.items.get('two')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

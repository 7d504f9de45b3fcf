import { describe, expect, it } from 'vitest';
import type { Item, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { parseSearch } from '../../../src-main/store/search/search-query.ts';
import { item } from '../../support/items.ts';
import { EVERYTHING, idsOf, LISTED, mark, openStoreScene, storeSnapshot, write } from '../../support/store.ts';
import { matches } from '../search/plain-search.ts';

const NOW = Date.parse('2026-03-18T06:30:00Z');
const CATEGORIES = ['paper', 'ai-models', '类别 "A" OR', null];
const TEXTS = ['model', 'mod', '模型 ', '推理', '"模型 推理"', 'model -price ', 'zzz', '类别', 'paper '];

const RARE = ['paper', ...Array.from({ length: 39 }, () => 'ai-models')];

function randomItems(count: number, categories: readonly (string | null)[]): Item[] {
  const words = ['model', '推理模型', '模型', 'price', 'models', '推理', 'other'];
  return Array.from({ length: count }, (_, n) =>
    item({
      id: `i${String(n)}`,
      title: `${words[n % 7] ?? ''} ${words[(n * 5 + 1) % 7] ?? ''}`,
      category: categories[(n * 7) % categories.length] ?? null,
      discoveredAt: new Date(NOW - n * 60_000).toISOString(),
    }),
  );
}

describe('a search in a list', () => {
  it.each([
    { name: 'large lists', categories: CATEGORIES, member: 3 },
    { name: 'a rare category', categories: RARE, member: 2 },
    { name: 'few selected items', categories: CATEGORIES, member: 41 },
    { name: 'few in both', categories: RARE, member: 17 },
  ])('finds what a plain scan finds, with every filter: $name', ({ categories, member }) => {
    const scene = openStoreScene();
    const { store, queries, index } = scene;
    const all = randomItems(1_200, categories);
    const members = new Set(all.filter((_, n) => n % member === 0).map(({ id }) => id));
    storeSnapshot(
      store,
      all.filter(({ id }) => members.has(id)),
    );
    write(store, ({ items }) => {
      items.upsertAll(
        all.filter(({ id }) => !members.has(id)),
        LISTED,
      );
    });
    index();
    const ids = all.map(({ id }) => id);
    const read = new Set(ids.filter((_, n) => n % 10 !== 1));
    const starred = new Set(ids.filter((_, n) => n % 30 === 2));
    mark(store, [...read], 'read');
    mark(store, [...starred], 'star');
    for (const text of TEXTS) {
      const search = parseSearch(text, 0);
      const found = all.filter((one, n) => matches({ ...one, key: n, sourceName: one.source.name }, search));
      for (const scope of ['all', 'selected'] as const) {
        for (const category of [undefined, 'paper', '类别 "A" OR', 'no such']) {
          for (const state of ['any', 'unread', 'starred'] as const) {
            const query: ItemsQuery = {
              scope,
              window: 'any',
              state,
              text,
              ...(category !== undefined && { category }),
            };
            const expected = found.filter(
              (one) =>
                (scope === 'all' || members.has(one.id)) &&
                (category === undefined || one.category === category) &&
                (state !== 'unread' || !read.has(one.id)) &&
                (state !== 'starred' || starred.has(one.id)),
            );
            expect([query, idsOf(queries, query, NOW)]).toEqual([query, expected.map(({ id }) => id)]);
            expect(queries.items.count(query, NOW)).toEqual({ count: expected.length });
          }
        }
      }
    }
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
    const { store, queries, index } = openStoreScene();
    const titled = (count: number): Item[] =>
      Array.from({ length: count }, (_, n) => item({ id: `i${String(n)}`, title: 'model' }));
    write(store, ({ items }) => {
      items.upsertAll(titled(1_000), LISTED);
    });
    index();
    const count = (): unknown => queries.items.count({ ...EVERYTHING, text: 'model' }, NOW);
    expect(count()).toEqual({ count: 1_000 });
    write(store, ({ items }) => {
      items.upsertAll(titled(1_001), LISTED);
    });
    index();
    expect(count()).toEqual({ count: 1_000, atLeast: true });
    expect(queries.items.count(EVERYTHING, NOW)).toEqual({ count: 1_001 });
  });
});

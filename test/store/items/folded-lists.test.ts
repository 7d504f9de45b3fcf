import { beforeEach, describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { Queries, Store } from '../../../src-main/store/index.ts';
import { item } from '../../support/items.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { EVERYTHING, idsOf, mark, openStoreScene, storeListed, storeSnapshot } from '../../support/store.ts';

const FOLDED: ItemsQuery = { ...EVERYTHING, foldStories: true };

let store: Store;
let queries: Queries;
let now: number;
let index: () => void;

/** Six items, newest first: a to d are one story, x and y are not. */
beforeEach(() => {
  const scene = openStoreScene();
  ({ store, queries, index } = scene);
  now = scene.clock.now();
  const hoursAgo = (hours: number): string => new Date(now - hours * 3_600_000).toISOString();
  const at = (id: string, hours: number, category = 'paper') => item({ id, category, discoveredAt: hoursAgo(hours) });
  storeSnapshot(store, [at('b', 2), at('c', 30, 'tip')]);
  storeListed(store, [at('a', 1), at('x', 1.5), at('d', 200, 'tip'), at('y', 300)]);
  saveStory(
    store,
    storyOf(
      's',
      ['a', 'b', 'c', 'd'].map((id) => report(id)),
    ),
  );
});

const page = (query: ItemsQuery) => queries.items.page(query, undefined, 50, now).rows;
const folded = (query: ItemsQuery, id: string): [number, number] | undefined => {
  const row = page(query).find((row) => row.id === id)?.folded;
  return row && [row.count, row.unread];
};

describe('a list that folds stories', () => {
  // Holds: news-2-story-one-event
  it('shows the newest item of a story in this list, with the number of the others', () => {
    expect(idsOf(queries, FOLDED, now)).toEqual(['a', 'x', 'y']);
    expect(page(FOLDED)[0]?.folded).toEqual({ story: 's', title: 'Story s', count: 3, unread: 3 });
    expect(page(FOLDED)[1]).not.toHaveProperty('folded');
    expect(idsOf(queries, { ...FOLDED, scope: 'selected' }, now)).toEqual(['b']);
    expect(folded({ ...FOLDED, scope: 'selected' }, 'b')).toEqual([1, 1]);
    expect(idsOf(queries, { ...FOLDED, category: 'tip' }, now)).toEqual(['c']);
    expect(folded({ ...FOLDED, category: 'tip' }, 'c')).toEqual([1, 1]);
    expect(idsOf(queries, { ...FOLDED, window: '24h' }, now)).toEqual(['a', 'x']);
    expect(folded({ ...FOLDED, window: '24h' }, 'a')).toEqual([1, 1]);
    expect(idsOf(queries, EVERYTHING, now)).toEqual(['a', 'x', 'b', 'c', 'd', 'y']);
    expect(page(EVERYTHING)[0]).not.toHaveProperty('folded');
  });

  it('hides no match of a state or a search', () => {
    index();
    mark(store, ['a', 'd'], 'star');
    mark(store, ['a'], 'read');
    expect(idsOf(queries, { ...FOLDED, state: 'unread' }, now)).toEqual(['x', 'b', 'c', 'd', 'y']);
    expect(idsOf(queries, { ...FOLDED, state: 'starred' }, now)).toEqual(['a', 'd']);
    expect(idsOf(queries, { ...FOLDED, text: 'title' }, now)).toEqual(['a', 'x', 'b', 'c', 'd', 'y']);
    expect(queries.items.count({ ...FOLDED, state: 'unread' }, now)).toEqual({ count: 5 });
  });

  it('counts its rows, and what is folded into them, in each kind of list', () => {
    const lists: Partial<ItemsQuery>[] = [
      {},
      { scope: 'selected', category: 'paper' },
      { window: '24h' },
      { window: '7d', category: 'tip' },
    ];
    for (const narrowed of lists) {
      const query = { ...FOLDED, ...narrowed };
      const { count, folded = 0 } = queries.items.count(query, now);
      expect(count).toBe(idsOf(queries, query, now).length);
      expect(count + folded).toBe(idsOf(queries, { ...EVERYTHING, ...narrowed }, now).length);
    }
  });
});

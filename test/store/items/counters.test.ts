import { describe, expect, it } from 'vitest';
import { item } from '../../support/items.ts';
import { mark, openStoreScene, storeListed } from '../../support/store.ts';

// After random changes they are compared in test/store/items/marks-model.test.ts and test/store/derived.test.ts.
describe('the counters', () => {
  it('are of each saved search by itself, with its terms about marks and without what is hidden', () => {
    const { store, queries } = openStoreScene();
    storeListed(store, [
      item({ id: 'read', title: 'Alpha' }),
      item({ id: 'unread', title: 'Alpha', category: 'paper' }),
      item({ id: 'hidden', title: 'Alpha', category: 'tip' }),
      item({ id: 'other', title: 'Beta' }),
    ]);
    mark(store, ['read'], 'read');
    mark(store, ['other'], 'star');
    const add = (query: string): string =>
      store.transaction(({ rules, now }) => rules.addSaved({ name: query, query, notify: false }, now));
    const queried = [
      'alpha',
      'alpha is:unread',
      'beta',
      'is:starred',
      'alpha OR category:tip -is:starred',
      'beta -is:starred',
      'is:selected',
    ];
    const searches = queried.map(add);
    store.transaction(({ rules, now }) => rules.addMute('category:tip', now));
    while (store.derive('rules'));
    const counts = new Map(queries.items.counts().saved.map(({ id, total, unread }) => [id, [total, unread]]));
    expect(searches.map((id) => counts.get(id))).toEqual([
      [2, 1],
      [1, 1],
      [1, 1],
      [1, 1],
      [2, 1],
      [0, 0],
      [0, 0],
    ]);
    expect(queries.items.counts()).toMatchObject({
      ...{ all: { total: 3, unread: 2 }, muted: { total: 1, unread: 1 }, starred: { total: 1, unread: 1 } },
    });
  });

  it("list known categories in the service's order, then others by name, then none, and omit empty ones", () => {
    const { store, queries } = openStoreScene();
    const categories = [null, 'zebra', 'opinion', 'ant', 'ai-models'];
    storeListed(
      store,
      categories.map((category, n) => item({ id: `i${n}`, category })),
    );
    const listed = () => queries.items.counts().categories.map(({ category }) => category);
    expect(listed()).toEqual(['ai-models', 'opinion', 'ant', 'zebra', null]);
    storeListed(store, [item({ id: 'i1', category: 'opinion' })]);
    expect(listed()).toEqual(['ai-models', 'opinion', 'ant', null]);
  });
});

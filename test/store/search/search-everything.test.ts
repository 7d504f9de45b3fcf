import { describe, expect, it } from 'vitest';
import { item } from '../../support/items.ts';
import { storeListed } from '../../support/store.ts';
import { openStoreScene } from '../internals.ts';

describe('one search', () => {
  it('finds items, newest first, with their matches and the number of all', () => {
    const { store, queries, index, clock } = openStoreScene();
    const at = (n: number): string => new Date(clock.now() - n * 60_000).toISOString();
    storeListed(store, [
      item({ id: 'old', title: '旧闻', summary: '新的推理模型发布', discoveredAt: at(3) }),
      item({ id: 'new', title: '推理模型', summary: 'No match', discoveredAt: at(1), category: 'paper' }),
      item({ id: 'newest', title: '推理', summary: 'How it\nbegins', discoveredAt: at(0) }),
      item({ id: 'other', title: 'Something else', discoveredAt: at(0) }),
    ]);
    index();
    const found = queries.search.find({ text: '推理', in: ['items'], limit: 2, now: clock.now(), owner: '' });
    expect(found.groups).toMatchObject([
      {
        kind: 'items',
        count: 3,
        atLeast: false,
        hits: [
          {
            kind: 'items',
            id: 'newest',
            title: '推理',
            titleRanges: [[0, 2]],
            snippet: null,
            summary: 'How it begins',
          },
          { id: 'new', titleRanges: [[0, 2]], category: 'paper', unread: true, starred: false, report: null },
        ],
      },
    ]);
    const one = queries.search.find({ text: '发布 ', in: ['items'], limit: 2, now: clock.now(), owner: '' });
    expect(one.groups[0]?.hits[0]).toMatchObject({
      id: 'old',
      titleRanges: [],
      snippet: { field: 'summary', ranges: [[6, 8]] },
    });
  });

  it('finds what is from some time on among all hits, and counts only that', () => {
    const { store, queries, index, clock } = openStoreScene();
    const hour = 3_600_000;
    const at = (hours: number): string => new Date(clock.now() - hours * hour).toISOString();
    storeListed(
      store,
      Array.from({ length: 9 }, (_, n) => item({ id: `i${n}`, title: 'A model', discoveredAt: at(n) })),
    );
    index();
    const find = (since: number, limit: number) => {
      const { groups } = queries.search.find({ text: 'model', limit, since, now: clock.now(), owner: '' });
      return groups.find(({ kind }) => kind === 'items');
    };
    expect(find(clock.now() - 3 * hour, 2)).toMatchObject({
      count: 4,
      atLeast: false,
      hits: [{ id: 'i0' }, { id: 'i1' }],
    });
    expect(find(clock.now() - 100 * hour, 2)).toMatchObject({ count: 9, atLeast: false });
    expect(find(clock.now() + hour, 2)).toMatchObject({ count: 0, hits: [] });
  });

  it('counts no further than to 1,000, and says if there are more', () => {
    const { store, queries, index, clock } = openStoreScene();
    const listed = (from: number, to: number) =>
      storeListed(
        store,
        Array.from({ length: to - from }, (_, n) => item({ id: `i${from + n}`, title: 'A model' })),
      );
    const found = () => {
      const { groups } = queries.search.find({ text: 'model', in: ['items'], limit: 1, now: clock.now(), owner: '' });
      return [groups[0]?.count, groups[0]?.atLeast];
    };
    listed(0, 1_000);
    index();
    expect(found()).toEqual([1_000, false]);
    listed(1_000, 1_001);
    index();
    expect(found()).toEqual([1_000, true]);
  });

  it('names what it did not understand', () => {
    const { queries, clock } = openStoreScene();
    const { problems } = queries.search.find({ text: 'is:purple', limit: 5, now: clock.now(), owner: '' });
    expect(problems).toEqual([{ code: 'unknown_value', text: 'is:purple', from: 0, to: 9 }]);
    expect(queries.search.find({ text: '-gpt', limit: 5, now: clock.now(), owner: '' }).problems).toEqual([
      { code: 'only_excludes', text: '-gpt', from: 0, to: 4 },
    ]);
  });
});

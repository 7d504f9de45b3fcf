import { describe, expect, it } from 'vitest';
import { sourceKey } from '../../../src-main/common/source-label.ts';
import { SOURCE_SORTS, type SourceList } from '../../../src-main/contract/model/source.ts';
import type { Queries } from '../../../src-main/store/index.ts';
import { item, items } from '../../support/items.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { EVERYTHING, mark, openStoreScene, storeListed, storeSnapshot } from '../../support/store.ts';
import { pick, seededRandom } from '../search/search-items.ts';

const DAY = 24 * 3_600_000;

function listOf(
  queries: Queries,
  now: number,
  args: Partial<Parameters<Queries['sources']['list']>[0]> = {},
): SourceList {
  return queries.sources.list({ sort: 'name', offset: 0, limit: 500, ...args }, now);
}

describe('the sources', () => {
  it('leave out what is muted', () => {
    const { store, queries, clock } = openStoreScene();
    const lab = { source: { name: 'Lab' } };
    storeSnapshot(store, [
      item({ id: 'a', category: 'paper', ...lab }),
      item({ id: 'b', category: 'tip', ...lab }),
      item({ id: 'c', category: 'paper', source: { name: 'Gone' } }),
    ]);
    expect(listOf(queries, clock.now())).toMatchObject({ sources: [{ name: 'Gone' }, { items: 2 }], count: 2 });
    store.transaction(({ rules, now }) => rules.addMute('category:paper', now));
    while (store.derive('rules'));
    expect(listOf(queries, clock.now())).toMatchObject({
      sources: [{ name: 'Lab', items: 1, unread: 1, selected: 1, recent: 1 }],
      count: 1,
    });
    const { weeks } = queries.sources.get('Lab', clock.now());
    expect(weeks.reduce((sum, { items: count }) => sum + count, 0)).toBe(1);
  });

  it('have the numbers that a check of every row finds', () => {
    const { store, queries, clock } = openStoreScene();
    const random = seededRandom(11);
    const names = ['X：Lab (@lab)', 'Lab', 'Paper site', '量子位', 'Zeta', null];
    const made = Array.from({ length: 400 }, (_, n) => {
      const at = clock.now() - Math.floor(random() * 60) * DAY;
      return item({ id: `i${n}`, source: { name: pick(random, names) }, discoveredAt: new Date(at).toISOString() });
    });
    storeListed(store, made);
    storeSnapshot(store, made.slice(0, 150));
    const check = (): void => {
      const rows = queries.items.page(EVERYTHING, undefined, 500, clock.now()).rows;
      const { sources, count } = listOf(queries, clock.now());
      expect(count).toBe(4);
      for (const source of sources) {
        const own = rows.filter((row) => sourceKey(row.source.name) === sourceKey(source.name));
        const recent = own.filter((row) => Date.parse(row.effectiveAt) >= clock.now() - 28 * DAY);
        expect(source).toMatchObject({
          items: own.length,
          unread: own.filter(({ state }) => state.readAt === null).length,
          selected: own.filter(({ inSelectedSet }) => inSelectedSet).length,
          recent: recent.length,
          newestAt: own[0]?.effectiveAt,
        });
      }
    };
    check();
    mark(
      store,
      made.slice(0, 90).map(({ id }) => id),
      'read',
    );
    check();
    storeListed(store, items(3, { source: { name: 'lab（RSS）' } }));
    clock.leap(5 * DAY);
    const lab = listOf(queries, clock.now()).sources.find(({ name }) => name === 'Lab');
    const before = made.filter(({ source }) => sourceKey(source.name) === 'lab');
    expect(lab?.items).toBe(before.length + 3);
  });

  it('are found by a part of their names, in pages', () => {
    const { store, queries, clock } = openStoreScene();
    storeListed(
      store,
      ['Lab 10', 'Lab 9', 'Other', '量子位'].map((name) => item({ id: name, source: { name } })),
    );
    const names = (args: object) => listOf(queries, clock.now(), args).sources.map(({ name }) => name);
    expect(names({})).toEqual(['Lab 9', 'Lab 10', 'Other', '量子位']);
    expect(names({ text: ' lAB' })).toEqual(['Lab 9', 'Lab 10']);
    expect(names({ text: '子' })).toEqual(['量子位']);
    expect(names({ offset: 1, limit: 2 })).toEqual(['Lab 10', 'Other']);
    expect(listOf(queries, clock.now(), { offset: 1, limit: 2 }).count).toBe(4);
    expect(names({ text: 'none' })).toEqual([]);
  });

  it('are sorted by what is asked for, the most first', () => {
    const { store, queries, clock } = openStoreScene();
    const old = new Date(clock.now() - 40 * DAY).toISOString();
    const of = (id: string, name: string, rest = {}) => item({ id, source: { name }, ...rest });
    storeListed(store, [of('a1', 'A', { discoveredAt: old }), of('a2', 'A', { discoveredAt: old }), of('b1', 'B')]);
    storeListed(store, [of('c1', 'C'), of('c2', 'C'), of('c3', 'C')]);
    storeSnapshot(store, [of('b1', 'B'), of('c1', 'C')]);
    mark(store, ['c1', 'c2', 'c3'], 'read');
    const orders = SOURCE_SORTS.map((sort) =>
      listOf(queries, clock.now(), { sort })
        .sources.map(({ name }) => name)
        .join(''),
    );
    expect(Object.fromEntries(SOURCE_SORTS.map((sort, n) => [sort, orders[n]]))).toEqual({
      unread: 'ABC',
      frequency: 'CBA',
      selected: 'BCA',
      first: 'ABC',
      name: 'ABC',
    });
  });

  it('say how often they were the first to report a story', () => {
    const { store, queries, clock } = openStoreScene();
    storeListed(
      store,
      ['A', 'B', 'C'].map((name) => item({ id: name, source: { name } })),
    );
    const by = (id: string, name: string | null, publishedAt: string | null) => ({
      ...report(id),
      source: { name, firstParty: false },
      publishedAt,
    });
    const at = (minute: number) => `2026-03-17T05:0${minute}:00Z`;
    saveStory(store, storyOf('one', [by('1', 'A', at(3)), by('2', 'B', at(2)), by('3', 'X：A (@a)', at(1))]));
    // Nobody was first: one source alone, the same time, no times.
    saveStory(store, storyOf('two', [by('1', 'A', at(1)), by('2', 'A', at(2)), by('3', null, at(0))]));
    saveStory(store, storyOf('three', [by('1', 'A', at(1)), by('2', 'B', at(1))]));
    saveStory(store, storyOf('four', [by('1', 'A', null), by('2', 'C', null)]));
    // Times of only one source don't tell who was first; times of two do.
    saveStory(store, storyOf('six', [by('1', 'A', at(1)), by('2', 'C', null)]));
    saveStory(store, storyOf('seven', [by('1', 'A', at(2)), by('2', 'B', at(1)), by('3', 'C', null)]));
    // A source without a saved item takes its place all the same.
    saveStory(store, storyOf('five', [by('1', 'Unknown', at(1)), by('2', 'C', at(2))]));
    const numbers = listOf(queries, clock.now()).sources.map(({ name, stories, first }) => [name, stories, first]);
    expect(numbers).toEqual([
      ['A', 5, 1],
      ['B', 3, 1],
      ['C', 4, 0],
    ]);
  });

  it('have a page by any name, with its weeks, or none', () => {
    const { store, queries, clock } = openStoreScene();
    const at = (days: number) => new Date(clock.now() - days * DAY).toISOString();
    storeListed(
      store,
      [0, 1, 8, 180, 183].map((days) =>
        item({ id: `d${days}`, source: { name: days > 1 ? 'Lab' : 'X：Lab (@lab)' }, discoveredAt: at(days) }),
      ),
    );
    const page = queries.sources.get('lab', clock.now());
    expect(page).toMatchObject({ name: 'Lab', items: 5, recent: 3, names: ['X：Lab (@lab)', 'Lab'] });
    expect(page.weeks).toHaveLength(26);
    expect(page.weeks.map(({ items }) => items)).toEqual([1, ...Array.from({ length: 23 }, () => 0), 1, 2]);
    expect(page.weeks.at(-1)?.from).toBe(at(7));
    expect(() => queries.sources.get('Nobody', clock.now())).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

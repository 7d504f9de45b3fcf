import { describe, expect, it } from 'vitest';
import { sourceKey } from '../../../src-main/common/source-label.ts';
import { STATISTICS_DAYS, type StatisticsDays } from '../../../src-main/contract/model/source.ts';
import { item } from '../../support/items.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { EVERYTHING, idsOf, mark, openStoreScene, storeListed } from '../../support/store.ts';
import { pick, seededRandom } from '../search/search-items.ts';

const DAY = 24 * 3_600_000;

const total = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe('the statistics', () => {
  it.each(STATISTICS_DAYS)('over %i days are what a check of every row finds', (days) => {
    const { store, queries, clock } = openStoreScene();
    const random = seededRandom(days);
    const names = [...Array.from({ length: 14 }, (_, n) => `Source ${n % 12}`), null];
    const made = Array.from({ length: 450 }, (_, n) =>
      item({
        id: `i${n}`,
        category: pick(random, ['paper', 'tip', null]),
        source: { name: pick(random, names) },
        discoveredAt: new Date(clock.now() - random() * 400 * DAY).toISOString(),
      }),
    );
    storeListed(store, made);
    mark(
      store,
      made.filter(() => random() < 0.5).map(({ id }) => id),
      'read',
    );
    const now = clock.now();
    const found = queries.statistics.get(days, now);
    expect(found.spans).toHaveLength(days === 30 ? 30 : days === 90 ? 13 : 52);
    const starts = found.spans.map((from) => Date.parse(from));
    for (const start of starts) expect(new Date(start).getHours()).toBe(0);
    const tomorrow = new Date(now);
    tomorrow.setHours(24, 0, 0, 0);
    const ends = [...starts.slice(1), tomorrow.getTime()];
    const rows = idsOf(queries, EVERYTHING, now, 500).map((id) => queries.items.get(id));
    const inSpan = (span: number) =>
      rows.filter(({ effectiveAt }) => {
        const at = Date.parse(effectiveAt);
        return at >= starts[span]! && at < ends[span]!;
      });
    for (const [span] of starts.entries()) {
      const own = inSpan(span);
      for (const { category, items } of found.categories) {
        expect(items[span]).toBe(own.filter((row) => row.category === category).length);
      }
      for (const { name, items } of found.sources) {
        expect(items[span]).toBe(own.filter((row) => sourceKey(row.source.name) === sourceKey(name)).length);
      }
      const named = found.sources.reduce((sum, { items }) => sum + items[span]!, 0);
      expect(named + found.rest.items[span]!).toBe(own.length);
    }
    expect(found.sources).toHaveLength(10);
    const totals = found.sources.map(({ items }) => total(items));
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
    const known = rows.filter((row) => Date.parse(row.effectiveAt) >= starts[0]! && row.source.name !== null);
    expect(found.rest.sources).toBe(new Set(known.map(({ source }) => source.name)).size - 10);
    const first = Date.parse(found.weeks[0]!.from);
    const since = rows.filter(({ effectiveAt }) => Date.parse(effectiveAt) >= first);
    expect(total(found.weeks.map(({ read }) => read))).toBe(since.filter((row) => row.state.readAt !== null).length);
    expect(total(found.weeks.map(({ unread }) => unread))).toBe(
      since.filter((row) => row.state.readAt === null).length,
    );
    expect(found.weeks).toHaveLength(days === 30 ? 4 : found.spans.length);
  });

  it('count as read what the reader marked, not what started as read', () => {
    const { store, queries, clock } = openStoreScene();
    store.transaction((tx) => {
      tx.readingStart.choose(0);
      tx.readingStart.begin(clock.now());
    });
    const at = (hours: number) => new Date(clock.now() - hours * 3_600_000).toISOString();
    const made = Array.from({ length: 40 }, (_, n) => item({ id: `old-${n}`, discoveredAt: at(n + 1) }));
    storeListed(store, [...made, item({ id: 'new', discoveredAt: new Date(clock.now() + 1000).toISOString() })]);
    mark(store, ['old-3', 'old-4'], 'read');
    mark(store, ['old-5'], 'unread');
    expect(queries.items.counts().all.unread).toBe(2);
    for (const days of STATISTICS_DAYS) {
      const { weeks } = queries.statistics.get(days, clock.now());
      expect({ read: total(weeks.map(({ read }) => read)), unread: total(weeks.map(({ unread }) => unread)) }).toEqual({
        read: 2,
        unread: 2,
      });
    }
  });

  it('leave out what is muted, and have the largest category first', () => {
    const { store, queries, clock } = openStoreScene();
    const categories = ['industry', 'paper', 'tip', 'tip'] as const;
    storeListed(
      store,
      categories.map((category, n) => item({ id: `i${n}`, category })),
    );
    store.transaction(({ rules, now }) => rules.addMute('category:paper', now));
    while (store.derive('rules'));
    const found = queries.statistics.get(90, clock.now());
    expect(found.categories.map(({ category, items }) => [category, total(items)])).toEqual([
      ['tip', 2],
      ['industry', 1],
    ]);
    expect(found.weeks.at(-1)).toMatchObject({ read: 0, unread: 3 });
  });

  it('say who was the first with stories of this time', () => {
    const { store, queries, clock } = openStoreScene();
    const by = (id: string, name: string, hours: number) => ({
      ...report(id),
      source: { name, firstParty: false },
      publishedAt: new Date(clock.now() - hours * 3_600_000).toISOString(),
    });
    saveStory(store, storyOf('one', [by('1', 'A', 5), by('2', 'X：Bee (@b)', 6)]));
    saveStory(store, storyOf('two', [by('1', 'A', 5), by('2', 'Bee', 9)]));
    saveStory(store, storyOf('three', [by('1', 'A', 9), by('2', 'Bee', 5)]));
    saveStory(store, storyOf('alone', [by('1', 'A', 9)]));
    saveStory(store, storyOf('old', [by('1', 'A', 50 * 24), by('2', 'Bee', 5)]));
    const of = (days: StatisticsDays) => {
      const { first, stories } = queries.statistics.get(days, clock.now());
      return { first, stories };
    };
    expect(of(30)).toEqual({
      first: [
        { name: 'Bee', first: 2 },
        { name: 'A', first: 1 },
      ],
      stories: 3,
    });
    expect(of(90).stories).toBe(4);
  });
});

import type { Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Counts, ItemAction, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { ViewCount } from '../../../src-main/contract/model/search.ts';
import { fakeClock } from '../../support/clock.ts';
import { item } from '../../support/items.ts';
import { casesOf } from '../../support/proofs.ts';
import { pick, seededRandom } from '../search/search-items.ts';
import type { Before, Store, Transaction } from '../../../src-main/store/index.ts';
import {
  EVERYTHING,
  LISTED,
  SELECTED,
  write,
  mark,
  markAllRead,
  undo,
  storeSnapshot,
  storeListed,
} from '../../support/store.ts';
import { idsIn, recordsIn } from '../../support/user-data.ts';
import { databaseOf, openStoreScene } from '../internals.ts';

interface Facts {
  id: string;
  key: number;
  title: string;
  category: string | null;
  generation: number;
  muted: number;
  unread: boolean;
  starred: boolean;
}

/** The expected counters, counted over all items of the mirror and what the reader decided about them. */
function countedOver(store: Store): Counts {
  const database = databaseOf(store);
  const all = factsOf(store);
  const shown = all.filter(({ muted }) => muted === 0);
  const selected = store.queries.selectedSet.complete ? shown.filter(({ generation }) => generation > 0) : [];
  return {
    selected: countOf(selected),
    all: countOf(shown),
    starred: withWithdrawn(store, all),
    muted: countOf(all.filter(({ muted }) => muted === 1)),
    saved: appliedSearches(database).map(({ id, slot, query }) => {
      const matches = database.prepare<[number], number>('SELECT key FROM rule_match WHERE slot = ?').pluck().all(slot);
      const keys = new Set(matches);
      const holds = MARK_TERMS[query] ?? (() => true);
      return { id, ...countOf(shown.filter((one) => keys.has(one.key) && holds(one))) };
    }),
    categories: [...new Set(shown.map(({ category }) => category))].map((category) => ({
      category,
      selected: countOf(selected.filter((one) => one.category === category)),
      all: countOf(shown.filter((one) => one.category === category)),
    })),
  };
}

function countOf(items: readonly Facts[]): ViewCount {
  return { total: items.length, unread: items.filter(({ unread }) => unread).length };
}

function factsOf(store: Store): Facts[] {
  const exported = store.queries.userData.records();
  const [read, unread, starred] = (['read', 'unread', 'star'] as const).map((kind) => new Set(idsIn(exported, kind)));
  const start = startOf(store);
  return databaseOf(store)
    .prepare<[], Omit<Facts, 'unread' | 'starred'>>(
      'SELECT id, item.key, title, item.category, generation, muted FROM item JOIN item_index USING (key)',
    )
    .all()
    .map((one) => ({
      ...one,
      unread: !read?.has(one.id) && (unread?.has(one.id) === true || one.key >= start),
      starred: starred?.has(one.id) === true,
    }));
}

/** Queries to mute or to save as a search, with the same in SQL over `item`. */
const MUTES: Readonly<Record<string, string>> = {
  'category:paper': "item.category = 'paper'",
  B: "title = 'B'",
  'source:eval -A': "source_name = 'Eval' AND title <> 'A'",
  'is:selected category:tip': "generation > 0 AND item.category = 'tip'",
};
const SEARCHES: Readonly<Record<string, string>> = {
  A: "title = 'A'",
  'A is:unread': "title = 'A'",
  'B OR category:tip': "title = 'B' OR item.category = 'tip'",
  'is:starred -is:read': 'true',
  'after:4d': 'true',
  'A is:unread -after:3d OR category:tip': "title = 'A' OR item.category = 'tip'",
  'score:>50 -category:paper': "score > 50 AND item.category IS NOT 'paper'",
};
/** Their terms about marks, which are no part of what matches. Counts without a time ignore those about times. */
const MARK_TERMS: Readonly<Record<string, (item: Facts) => boolean>> = {
  'A is:unread': ({ unread }) => unread,
  'is:starred -is:read': ({ starred, unread }) => starred && unread,
  'A is:unread -after:3d OR category:tip': ({ title, unread, category }) =>
    (title === 'A' && unread) || category === 'tip',
};

function appliedSearches(database: Database): { slot: number; id: string; query: string }[] {
  return database
    .prepare<[], { slot: number; id: string; query: string }>(
      "SELECT slot, id, query FROM rule WHERE kind = 'saved' AND gone = 0",
    )
    .all();
}

/** When everything is matched, exactly the right items are hidden, and in the lists of saved searches. */
function checkMatches(store: Store): void {
  const database = databaseOf(store);
  const keys = (sql: string): number[] => database.prepare<[], number>(sql).pluck().all();
  const items = 'SELECT item.key FROM item JOIN item_index USING (key) WHERE';
  const rules = database
    .prepare<[], { kind: string; slot: number; query: string }>('SELECT * FROM rule ORDER BY slot')
    .all();
  const mutes = rules.filter(({ kind }) => kind === 'mute').map(({ query }) => `(${MUTES[query] ?? ''})`);
  expect(keys(`${items} muted = 1 ORDER BY 1`)).toEqual(
    keys(`${items} ${['false', ...mutes].join(' OR ')} ORDER BY 1`),
  );
  for (const { slot, query } of rules) {
    expect(keys(`SELECT key FROM rule_match WHERE slot = ${String(slot)} ORDER BY 1`), query).toEqual(
      keys(`${items} (${MUTES[query] ?? SEARCHES[query] ?? ''}) ORDER BY 1`),
    );
  }
  expect(
    database.prepare('SELECT count(*) FROM rule_match WHERE slot NOT IN (SELECT slot FROM rule)').pluck().get(),
  ).toBe(0);
}

/** Every counter is the length of its list. */
function checkLists(store: Store, now: number): void {
  const counts = store.queries.items.counts(now);
  const length = (query: Partial<ItemsQuery>): number =>
    store.queries.items.page({ ...EVERYTHING, ...query }, undefined, 500, now).rows.length;
  expect(length({})).toBe(counts.all.total);
  expect(length({ state: 'unread' })).toBe(counts.all.unread);
  expect(length({ state: 'starred' })).toBe(counts.starred.total);
  expect(length({ muted: true })).toBe(counts.muted.total);
  expect(length({ muted: true, state: 'unread' })).toBe(counts.muted.unread);
  for (const { id, total, unread } of counts.saved) {
    expect(length({ saved: id })).toBe(total);
    expect(length({ saved: id, state: 'unread' })).toBe(unread);
    expect(store.queries.items.count({ ...EVERYTHING, saved: id }, now)).toEqual({ count: total });
  }
  if (store.queries.selectedSet.complete) expect(length({ scope: 'selected' })).toBe(counts.selected.total);
}

/** The first key of an item that started as unread. */
function startOf(store: Store): number {
  const [started] = recordsIn(store.queries.userData.records(), 'start');
  const first = Number(started?.value ?? 0);
  const age = databaseOf(store)
    .prepare<[], string>("SELECT value FROM user.property WHERE name = 'unread_for'")
    .pluck()
    .get();
  return first === 0 || age === undefined ? 0 : Math.max(0, Math.floor((first - Number(age)) / 1000)) * 64;
}

/** The starred list also has a row for each starred item that is gone. */
function withWithdrawn(store: Store, items: readonly Facts[]): ViewCount {
  const saved = new Set(items.map(({ id }) => id));
  const exported = store.queries.userData.records();
  const isNamed = (star: unknown): boolean => (star as { time: number | null }).time !== null;
  const gone = recordsIn(exported, 'star').filter(({ id, value }) => !saved.has(id) && isNamed(value));
  const { total, unread } = countOf(items.filter(({ starred }) => starred));
  return { total: total + gone.length, unread };
}

function byCategory(counts: Counts): Counts {
  const name = ({ category }: Counts['categories'][number]): string => category ?? '';
  return {
    ...counts,
    saved: counts.saved.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    categories: counts.categories.toSorted((a, b) => (name(a) < name(b) ? -1 : 1)),
  };
}

const CATEGORIES = ['ai-models', 'paper', 'tip', 'new-kind', null];
const DAY = 24 * 3_600_000;
const FIRST_AT = fakeClock().now();
const MARKS: ItemAction[] = ['read', 'unread', 'star', 'unstar'];

/** A random action out of all those that change counters. */
function act(store: Store, random: () => number, undos: Before[]): void {
  const anyId = (): string => `item-${Math.floor(random() * 60)}`;
  const anyItem = () =>
    item({
      id: anyId(),
      category: pick(random, CATEGORIES),
      selected: random() < 0.5,
      title: pick(random, ['A', 'B']),
      source: { name: pick(random, ['News', 'Eval']) },
      score: pick(random, [null, 40, 90]),
      discoveredAt: new Date(FIRST_AT - Math.floor(random() * 10) * DAY).toISOString(),
    });
  const some = (): ReturnType<typeof item>[] => Array.from({ length: 1 + Math.floor(random() * 6) }, anyItem);
  const query: ItemsQuery = {
    scope: pick(random, ['all', 'selected'] as const),
    window: 'any',
    state: pick(random, ['any', 'unread', 'starred'] as const),
    ...(random() < 0.5 && { category: 'paper' }),
    ...(random() < 0.2 && { muted: true }),
    ...(random() < 0.2 && { saved: idIn(random, store.queries.items.counts().saved) }),
  };
  const rules = (work: (tx: Transaction) => void): void => {
    try {
      write(store, work);
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_argument' });
    }
  };
  const search = (): string => pick(random, Object.keys(SEARCHES));
  const anySearch = (): string => idIn(random, store.queries.items.counts().saved);
  const changes = (): void => {
    write(store, (tx) => {
      const generation = tx.selectedSet.generation;
      for (const changed of some())
        tx.items.upsert(changed, generation > 0 ? { kind: 'selected', generation } : LISTED);
      tx.items.withdraw(anyId());
    });
  };
  const actions = [
    () => storeListed(store, some()),
    changes,
    () => write(store, (tx) => tx.items.withdraw(anyId())),
    () => void undos.push(mark(store, [anyId(), anyId(), 'not stored'], pick(random, MARKS))),
    () => void undos.push(mark(store, [anyId()], pick(random, MARKS))),
    () =>
      void undos.push(markAllRead(store, query, store.queries.mirror.number('sequence') - Math.floor(random() * 3))),
    () => {
      const last = undos.pop();
      if (last) undo(store, last);
    },
    () => storeSnapshot(store, some().concat(some())),
    () => write(store, (tx) => tx.readingStart.choose(pick(random, [null, DAY, 7 * DAY]))),
    () => rules((tx) => tx.rules.addMute(pick(random, Object.keys(MUTES)), 1)),
    () => rules((tx) => tx.rules.removeMute(idIn(random, store.queries.rules.mutes()))),
    () => rules((tx) => tx.rules.addSaved({ name: String(random()), query: search(), notify: false }, 1)),
    () => rules((tx) => tx.rules.removeSaved(anySearch())),
    () => {
      const id = anySearch();
      if (id !== 'none') rules((tx) => tx.rules.changeSaved(id, { query: search() }));
    },
    () => void store.derive('rules'),
    () => {
      while (store.derive('rules'));
      checkMatches(store);
    },
    () => write(store, (tx) => tx.items.keepMember(anyId(), tx.selectedSet.generation)),
    () => {
      write(store, (tx) => {
        tx.items.upsertAll(some(), SELECTED);
        tx.items.withdraw(anyId());
        tx.readingStart.choose(pick(random, [null, DAY, 7 * DAY]));
        throw new Error('cut short');
      });
    },
  ];
  try {
    pick(random, actions)();
  } catch (error) {
    expect(error).toMatchObject({ message: 'cut short' });
  }
}

describe('the counters', () => {
  it.each(casesOf([1, 2, 3], [0, 2]))('equal a full count after any sequence of actions (seed %i)', (seed) => {
    const { store, queries, clock } = openStoreScene();
    const random = seededRandom(seed);
    const undos: Before[] = [];
    write(store, (tx) => {
      tx.readingStart.begin(FIRST_AT);
    });
    for (let n = 0; n < 350; n += 1) {
      act(store, random, undos);
      clock.advance(1_000);
      if (n % 10 === 0) {
        expect(byCategory(store.queries.items.counts())).toEqual(byCategory(countedOver(store)));
        checkLists(store, clock.now());
      }
    }
    while (store.derive('rules'));
    checkMatches(store);
    checkLists(store, clock.now());
    expect(byCategory(queries.items.counts())).toEqual(byCategory(countedOver(store)));
    expect(store.queries.items.counts().all.total).toBeGreaterThan(0);
  });

  it('count an incomplete first snapshot as an empty selected set', () => {
    const { store, queries } = openStoreScene();
    write(store, (tx) => {
      tx.items.upsertAll([item({ category: 'paper' })], SELECTED);
      tx.selectedSet.saveSnapshot({ generation: 1, cursor: 'c', nextPage: 'p', stored: 1 });
    });
    const none = { total: 0, unread: 0 };
    const one = { total: 1, unread: 1 };
    expect(queries.items.counts()).toMatchObject({ selected: none, all: one });
    expect(queries.items.counts().categories).toEqual([{ category: 'paper', selected: none, all: one }]);
    write(store, (tx) => {
      tx.selectedSet.finishSnapshot(1, 'c');
    });
    expect(queries.items.counts()).toMatchObject({ selected: one, all: one });
  });

  it("list known categories in the service's order, then others by name, then none", () => {
    const { store, queries } = openStoreScene();
    const categories = [null, 'zebra', 'opinion', 'ant', 'ai-models'];
    storeListed(
      store,
      categories.map((category, n) => item({ id: `i${n}`, category })),
    );
    expect(queries.items.counts().categories.map(({ category }) => category)).toEqual([
      'ai-models',
      'opinion',
      'ant',
      'zebra',
      null,
    ]);
  });
});

/** The id of one of them; an unknown one if there are none. */
function idIn(random: () => number, list: readonly { id: string }[]): string {
  return list[Math.floor(random() * list.length)]?.id ?? 'none';
}

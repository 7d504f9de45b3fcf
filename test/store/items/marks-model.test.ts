import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Item, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { DISAGREEMENTS, findDisagreements } from '../../../src-main/store/database/checks.ts';
import type { Before, Store } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item } from '../../support/items.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import {
  EVERYTHING,
  idsOf,
  LISTED,
  mark,
  markInSteps,
  removeMirror,
  SELECTED,
  undo,
  write,
} from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';
import { pick, seededRandom } from '../search/search-items.ts';

const DAY = 24 * 3_600_000;
const now = fakeClock().now();
const AGES = [DAY, 7 * DAY, null];
const UNREAD: ItemsQuery = { ...EVERYTHING, state: 'unread' };
const CATEGORIES = ['paper', 'tip', null] as const;
/** Muted queries, with the same in SQL over `item`. */
const MUTES: Readonly<Record<string, string>> = {
  'category:tip': "item.category = 'tip'",
  '"item 7"': "id = 'item-7'",
  'category:paper "item 3"': "item.category = 'paper' AND id = 'item-3'",
};

/** Returns the visible state of each saved item in a list. */
const shown = (store: Store): Record<string, string> =>
  Object.fromEntries(
    store.queries.items
      .page(EVERYTHING, undefined, 500, now)
      .rows.map(({ id, state: { readAt, starredAt } }) => [
        id,
        `${readAt === null ? 'unread' : 'read'} ${starredAt === null ? '' : 'starred'}`,
      ]),
  );

/** Everything derived agrees: index, counters, folded lists. */
function check(store: Store, hint: string): void {
  const { items } = store.queries;
  for (const what of DISAGREEMENTS) {
    expect(Object.values(findDisagreements(databaseOf(store), what)).flat(), hint).toEqual([]);
  }
  const database = databaseOf(store);
  const withState = (where: string): string[] =>
    database
      .prepare<[], string>(`SELECT id FROM item JOIN item_index USING (key) WHERE ${where} ORDER BY id`)
      .pluck()
      .all();
  // Hidden items are nowhere else.
  expect(idsOf(store.queries, { ...EVERYTHING, muted: true }, now).sort(), hint).toEqual(withState('muted = 1'));
  expect(idsOf(store.queries, { ...EVERYTHING, state: 'starred' }, now), hint).toEqual(
    expect.arrayContaining(withState('starred = 1')),
  );
  const isPending = database.prepare('SELECT 1 FROM rule WHERE gone = 1 OR below IS NOT NULL').get() !== undefined;
  const mutes = store.queries.rules.mutes().map(({ query }) => MUTES[query] ?? '');
  if (!isPending) expect(withState('muted = 1'), hint).toEqual(withState(['false', ...mutes].join(' OR ')));
  const rows = items.page(EVERYTHING, undefined, 500, now).rows;
  const unread = rows.filter(({ state }) => state.readAt === null).map(({ id }) => id);
  expect(idsOf(store.queries, UNREAD, now), hint).toEqual(unread);
  for (const scope of ['all', 'selected'] as const) {
    for (const window of ['any', '7d'] as const) {
      for (const category of [undefined, 'paper'] as const) {
        const query: ItemsQuery = { scope, window, state: 'any', ...(category !== undefined && { category }) };
        const all = items.page(query, undefined, 500, now).rows;
        const folding = { ...query, foldStories: true as const };
        const folded = items.page(folding, undefined, 500, now).rows;
        const reached = folded.flatMap((row) =>
          row.folded ? items.listFolded(folding, row.id, now).map(({ id }) => id) : [row.id],
        );
        expect(reached.sort(), hint).toEqual(all.map(({ id }) => id).sort());
        for (const row of folded.filter(({ folded }) => folded !== undefined)) {
          const others = items.listFolded(folding, row.id, now).filter(({ id }) => id !== row.id);
          expect(row.folded, hint).toMatchObject({
            count: others.length,
            unread: others.filter(({ state }) => state.readAt === null).length,
          });
        }
        const count = items.count(folding, now);
        expect([count.count, count.folded ?? 0], hint).toEqual([folded.length, all.length - folded.length]);
        expect(items.count({ ...query, state: 'unread' }, now).count, hint).toBe(
          all.filter(({ state }) => state.readAt === null).length,
        );
      }
    }
  }
}

function anyItem(random: () => number): Item {
  const n = Math.floor(random() * 24);
  const days = (n * 7919) % 240;
  return item({
    id: `item-${String(n)}`,
    discoveredAt: new Date(now - (days / 20) * DAY - n * 1000).toISOString(),
    category: pick(random, CATEGORIES),
    links: { original: `https://a.example/${String(n % 7)}`, aihot: null },
  });
}

describe('marks, undo, reading start and folds', () => {
  it.each([1, 2])('agree after random actions, a kill, a rebuild and an import (%i)', (seed) => {
    const random = seededRandom(seed);
    const folder = temporaryFolder();
    const scene = openStoreScene({ folder });
    const { clock } = scene;
    let { store } = scene;
    const begin = (one: Store, age: number | null): void => {
      one.transaction(({ readingStart }) => {
        readingStart.choose(age);
        readingStart.begin(now);
      });
    };
    let age: number | null = DAY;
    begin(store, age);
    write(store, (tx) => {
      tx.items.upsertAll([item({ id: 'first' })], SELECTED);
      tx.selectedSet.finishSnapshot(1, 'cursor');
    });
    let undos: Before[] = [];
    const ids = (): string[] => Array.from({ length: 3 }, () => `item-${String(Math.floor(random() * 24))}`);
    const actions: (() => void)[] = [
      () => {
        write(store, (tx) => {
          const mutes = store.queries.rules.mutes();
          if (mutes.length < 2) tx.rules.addMute(pick(random, Object.keys(MUTES)), now);
          else tx.rules.removeMute(pick(random, mutes).id);
        });
      },
      () => void store.derive('rules'),
      () => {
        write(store, (tx) => {
          tx.items.upsertAll([anyItem(random), anyItem(random), anyItem(random)], pick(random, [LISTED, SELECTED]));
        });
      },
      () => {
        write(store, (tx) => {
          tx.items.withdraw(ids()[0]!);
        });
        clock.advance(120_000);
      },
      () => {
        write(store, (tx) => {
          tx.items.leave(ids()[0]!);
        });
      },
      () => {
        const before = shown(store);
        const action = mark(store, ids(), pick(random, ['read', 'unread', 'star', 'unstar']));
        if (random() < 0.5) undos.push(action);
        else {
          undo(store, action);
          expect(shown(store)).toEqual(before);
        }
      },
      () => {
        const before = shown(store);
        const query = pick<ItemsQuery>(random, [
          { ...EVERYTHING, foldStories: true },
          { ...EVERYTHING, scope: 'selected' },
          { ...EVERYTHING, category: 'paper' },
          { ...EVERYTHING, state: 'starred' },
          { ...EVERYTHING, window: '7d' },
        ]);
        const limit = 1 + Math.floor(random() * 4);
        const whole = markInSteps(store, query, limit, clock.now());
        const { foldStories: _, ...everything } = query;
        if (query.state !== 'starred')
          expect(store.queries.items.count({ ...everything, state: 'unread' }, clock.now()).count).toBe(0);
        if (random() < 0.3) undos.push(whole);
        else {
          undo(store, whole);
          expect(shown(store)).toEqual(before);
        }
      },
      () => {
        const action = undos.splice(Math.floor(random() * undos.length), 1)[0];
        if (action) undo(store, action);
      },
      () => {
        age = pick(random, AGES);
        store.transaction(({ readingStart }) => readingStart.choose(age));
      },
      () => {
        saveStory(
          store,
          storyOf(
            pick(random, ['a', 'b', 'c']),
            [...new Set([...ids(), ...ids()])].map((id) => report(id)),
          ),
        );
      },
      () => {
        store.transaction(({ statuses, now }) => {
          statuses.markAddress(`https://a.example/${String(Math.floor(random() * 7))}`, random() < 0.5, now);
        });
      },
    ];
    for (let step = 0; step < 60; step += 1) {
      pick(random, actions)();
      clock.advance(1000);
      if (step % 3 === 0) check(store, `seed ${String(seed)}, step ${String(step)}`);
      if (step % 20 !== 19) continue;
      // The mirror misses some actions.
      store.checkpoint();
      copyFileSync(join(folder, 'mirror.db'), join(folder, 'kept'));
      mark(store, ids(), 'unread');
      mark(store, ids(), 'read');
      store.transaction(({ readingStart }) => readingStart.choose((age = pick(random, AGES))));
      const before = shown(store);
      store.close();
      for (const name of readdirSync(folder)) if (name.startsWith('mirror.db')) rmSync(join(folder, name));
      copyFileSync(join(folder, 'kept'), join(folder, 'mirror.db'));
      store = openStoreScene({ folder, clock }).store;
      expect(shown(store)).toEqual(before);
      check(store, `seed ${String(seed)}, reopened after ${String(step)}`);
      undos = undos.slice(-3);
    }
    // The items that are made again below may have another category.
    write(store, (tx) => {
      for (const { id } of store.queries.rules.mutes()) tx.rules.removeMute(id);
      tx.rules.addMute('"item 7"', now);
    });
    while (store.derive('rules'));
    const before = shown(store);
    const exported = store.queries.userData.records();
    const again = (one: Store): void => {
      begin(one, age);
      write(one, (tx) => {
        for (let n = 0; n < 24; n += 1) {
          const id = `item-${String(n)}`;
          if (id in before) tx.items.upsert({ ...anyItem(() => (n + 0.5) / 24), id }, LISTED);
        }
      });
    };
    const seen = (one: Store): Record<string, string> => ({ ...shown(one), first: before['first']! });
    const other = openStoreScene({ folder: ':memory:' }).store;
    again(other);
    other.transaction(({ userData }) => userData.take(exported));
    while (other.derive('rules'));
    check(other, 'imported');
    expect(seen(other)).toEqual(before);
    store.close();
    removeMirror(folder);
    store = openStoreScene({ folder, clock }).store;
    again(store);
    check(store, 'rebuilt');
    expect(seen(store)).toEqual(before);
  });
});

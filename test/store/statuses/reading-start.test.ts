import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { findDisagreements, DISAGREEMENTS } from '../../../src-main/store/database/checks.ts';
import type { Store } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item } from '../../support/items.ts';
import {
  endVisit,
  EVERYTHING,
  idsOf,
  mark,
  removeMirror,
  SOURCE,
  storeListed,
  storeSnapshot,
} from '../../support/store.ts';
import { databaseOf, openStoreScene } from '../internals.ts';
import { recordsIn } from '../../support/user-data.ts';

const UNREAD: ItemsQuery = { ...EVERYTHING, state: 'unread' };
const DAY = 24 * 3_600_000;
const OTHER = 'https://other.example';

/** Items that are 0.5, 1.5, 3 and 10 days old at the time of the fake clock. */
const AGES = { fresh: 0.5, yesterday: 1.5, 'three-days': 3, old: 10 };
const now = fakeClock().now();
const aged = (id: string, days: number) => item({ id, discoveredAt: new Date(now - days * DAY).toISOString() });
const FIRST = Object.entries(AGES).map(([id, days]) => aged(id, days));

function begin(store: Store, age: number | null = DAY, at = now): void {
  store.transaction(({ readingStart }) => {
    readingStart.choose(age);
    readingStart.begin(at);
  });
}

const choose = (store: Store, age: number | null): boolean =>
  store.transaction(({ readingStart }) => readingStart.choose(age));

/** The unread items, which every counter agrees with. */
function unread(store: Store): string[] {
  const ids = idsOf(store.queries, UNREAD);
  expect(store.queries.items.counts().all.unread).toBe(ids.length);
  for (const what of DISAGREEMENTS) {
    expect(Object.values(findDisagreements(databaseOf(store), what)).flat()).toEqual([]);
  }
  return ids;
}

describe('the start with a news service', () => {
  it('counts items as read that are older than the chosen age at the first copy, without a row for each', () => {
    const { store, queries } = openStoreScene();
    begin(store);
    storeSnapshot(store, FIRST);
    expect(unread(store)).toEqual(['fresh']);
    expect(queries.items.counts().selected).toEqual({ total: 4, unread: 1 });
    expect(queries.items.get('old').state.readAt).toBe(new Date(now).toISOString());
    expect(queries.items.page(EVERYTHING, undefined, 9, now).rows.map(({ state }) => state.readAt !== null)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(recordsIn(store.queries.userData.records(), 'read', 'star')).toEqual([]);
  });

  it('counts an item of a crowded second by the place it gets in the list', () => {
    const { store } = openStoreScene();
    begin(store);
    const crowd = Array.from({ length: 100 }, (_, n) => aged(`crowd-${n}`, 1 + 1 / DAY));
    storeListed(store, crowd);
    const before = unread(store);
    choose(store, null);
    choose(store, DAY);
    expect(unread(store)).toEqual(before);
  });

  it('begins once, with the first copy', () => {
    const { store } = openStoreScene();
    begin(store);
    storeListed(store, FIRST);
    begin(store, DAY, now + 30 * DAY);
    storeListed(store, [aged('new', -1)]);
    expect(unread(store)).toEqual(['new', 'fresh']);
  });

  it("never overrides the reader's own marks", () => {
    const { store, queries } = openStoreScene();
    begin(store);
    storeSnapshot(store, FIRST);
    expect(mark(store, ['old', 'fresh'], 'unread').pairs.map(([id]) => id)).toEqual(['old']);
    mark(store, ['three-days'], 'star');
    mark(store, ['yesterday'], 'read');
    expect(unread(store)).toEqual(['fresh', 'old']);
    expect(queries.items.counts().starred).toEqual({ total: 1, unread: 0 });
    choose(store, null);
    // Only what was really read stays read.
    expect(unread(store)).toEqual(['fresh', 'three-days', 'old']);
    choose(store, DAY);
    expect(unread(store)).toEqual(['fresh', 'old']);
  });

  it('stays when user.db is lost, like a first start', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    begin(store);
    storeSnapshot(store, FIRST);
    mark(store, ['old'], 'unread');
    store.close();
    for (const name of readdirSync(folder)) if (name.startsWith('user.db')) rmSync(join(folder, name));
    const again = openStoreScene({ folder }).store;
    begin(again);
    expect(unread(again)).toEqual(['fresh']);
  });

  it('stays when user.db is lost after a rebuild, or after an import that made it earlier', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    begin(store);
    store.close();
    removeMirror(folder);
    const rebuilt = openStoreScene({ folder }).store;
    begin(rebuilt, DAY, now + DAY);
    storeSnapshot(rebuilt, FIRST);
    rebuilt.transaction(({ records, readingStart }) => {
      records.merge([{ kind: 'start', service: SOURCE, id: 'first', value: now - DAY }]);
      readingStart.followStart();
    });
    expect(unread(rebuilt)).toEqual(['fresh', 'yesterday']);
    rebuilt.close();
    for (const name of readdirSync(folder)) if (name.startsWith('user.db')) rmSync(join(folder, name));
    const again = openStoreScene({ folder }).store;
    choose(again, DAY);
    expect(unread(again)).toEqual(['fresh', 'yesterday']);
  });

  it('belongs to one service', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    begin(store);
    storeSnapshot(store, FIRST);
    store.close();
    const other = openStoreScene({ folder, source: OTHER }).store;
    begin(other, DAY, now + DAY);
    storeSnapshot(other, [...FIRST, aged('new', -0.5)]);
    expect(unread(other)).toEqual(['new']);
    other.close();
    const again = openStoreScene({ folder }).store;
    begin(again, 7 * DAY);
    expect(unread(again)).toEqual(['fresh', 'yesterday', 'three-days']);
  });
});

describe('a service that was used before', () => {
  it('is not changed: everything started as unread', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    storeSnapshot(store, FIRST);
    store.close();
    const again = openStoreScene({ folder }).store;
    begin(again);
    expect(unread(again)).toHaveLength(4);
    expect(mark(again, ['old'], 'read').pairs).toHaveLength(1);
    mark(again, ['old'], 'unread');
    // As before, this leaves nothing to export.
    expect(recordsIn(again.queries.userData.records(), 'read', 'star')).toEqual([]);
  });

  it('is not changed when its mirror is rebuilt', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    storeSnapshot(store, FIRST);
    endVisit(store);
    store.close();
    removeMirror(folder);
    const again = openStoreScene({ folder }).store;
    begin(again);
    storeSnapshot(again, FIRST);
    expect(unread(again)).toHaveLength(4);
  });
});

describe('an export', () => {
  const exportedIn = (store: Store) => store.queries.userData.records();
  const take = (store: Store, exported: ReturnType<typeof exportedIn>) =>
    store.transaction(({ userData }) => userData.take(exported));

  it('brings the start to a new computer: the earlier one is kept', () => {
    const old = openStoreScene().store;
    begin(old, DAY, now - 5 * DAY);
    storeSnapshot(old, FIRST);
    mark(old, ['old'], 'unread');
    mark(old, ['three-days'], 'read');
    const fresh = openStoreScene().store;
    begin(fresh);
    storeSnapshot(fresh, FIRST);
    expect(unread(fresh)).toEqual(['fresh']);
    take(fresh, exportedIn(old));
    expect(unread(fresh)).toEqual(unread(old));
    expect(take(fresh, exportedIn(old)).taken).toBe(0);
    // The other way round nothing changes, either.
    expect(take(old, exportedIn(fresh)).taken).toBe(0);
  });
});

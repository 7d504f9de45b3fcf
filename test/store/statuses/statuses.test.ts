import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import { recordsWith } from '../../support/user-data.ts';
import { openQueries } from '../../../src-main/store/index.ts';
import {
  EVERYTHING,
  idsOf,
  LISTED,
  mark,
  markAllRead,
  SELECTED,
  storeListed,
  storeSnapshot,
  write,
} from '../../support/store.ts';
import { COUNTED } from '../../../src-main/store/items/touched.ts';
import { databaseOf, openTestStore, openStoreScene } from '../internals.ts';

const UNREAD: ItemsQuery = { ...EVERYTHING, state: 'unread' };
const STARRED: ItemsQuery = { ...EVERYTHING, state: 'starred' };

describe('statuses of two services with equal item ids', () => {
  const OTHER = 'https://other.example';

  it('do not mix, and each mirror has its own again', () => {
    const folder = temporaryFolder();
    const first = openStoreScene({ folder });
    storeListed(first.store, [item({ id: 'one' }), item({ id: 'two' })]);
    mark(first.store, ['one'], 'star');
    mark(first.store, ['one', 'two'], 'read');
    first.store.close();

    const other = openStoreScene({ folder, source: OTHER });
    storeListed(other.store, [item({ id: 'one' }), item({ id: 'two' })]);
    expect([idsOf(other.queries, UNREAD), idsOf(other.queries, STARRED)]).toEqual([['one', 'two'], []]);
    expect(other.queries.items.get('one').state).toEqual({ readAt: null, starredAt: null });
    expect(other.queries.items.isSavedOrKept('unknown')).toBe(false);
    mark(other.store, ['two'], 'star');
    markAllRead(other.store, { ...EVERYTHING, category: 'paper' }, other.queries.mirror.number('sequence'));
    mark(other.store, ['two'], 'unread');
    other.store.close();

    const again = openStoreScene({ folder });
    expect([idsOf(again.queries, UNREAD), idsOf(again.queries, STARRED)]).toEqual([[], ['one']]);
    expect(again.queries.items.counts().starred).toEqual({ total: 1, unread: 0 });
    again.store.close();
    const back = openStoreScene({ folder, source: OTHER });
    expect(idsOf(back.queries, STARRED)).toEqual(['two']);
  });
});

describe('marking all as read', () => {
  it('skips items that entered the selected set or the category after the page was read', () => {
    const { store, queries, clock } = openStoreScene();
    storeSnapshot(store, [item({ id: 'seen', category: 'paper' })]);
    storeListed(store, [item({ id: 'joins', category: 'paper' }), item({ id: 'moves', category: 'tip' })]);
    const { watermark } = queries.items.page({ ...EVERYTHING, scope: 'selected' }, undefined, 10, clock.now());
    write(store, (tx) => {
      tx.items.upsert(item({ id: 'joins', category: 'paper' }), SELECTED);
      tx.items.upsert(item({ id: 'moves', category: 'paper' }), LISTED);
    });
    markAllRead(store, { ...EVERYTHING, scope: 'selected' }, watermark);
    markAllRead(store, { ...EVERYTHING, category: 'paper' }, watermark);
    expect(idsOf(queries, UNREAD).toSorted()).toEqual(['joins', 'moves']);
  });
});

describe('a mirror that missed statuses', () => {
  interface Shown {
    unread: string[];
    starred: string[];
    counts: unknown;
  }

  function shown(folder: string): Shown {
    const queries = openQueries(folder);
    try {
      const { all, starred } = queries.items.counts();
      return { unread: idsOf(queries, UNREAD), starred: idsOf(queries, STARRED), counts: { all, starred } };
    } finally {
      queries.close();
    }
  }

  /** Opens the folder, runs the work and closes it, like one run of the app. */
  function run(folder: string, work: (store: ReturnType<typeof openTestStore>) => void = () => undefined): void {
    const opened = openStoreScene({ folder });
    work(opened.store);
    opened.store.close();
  }

  /** A folder with three items, one of them read. */
  function someFolder(): string {
    const folder = temporaryFolder();
    run(folder, (store) => {
      storeListed(store, items(3));
      mark(store, ['item-0'], 'read');
    });
    return folder;
  }

  const keep = (folder: string, name: string): void => copyFileSync(join(folder, name), join(folder, `${name}.kept`));
  const restore = (folder: string, name: string): void =>
    copyFileSync(join(folder, `${name}.kept`), join(folder, name));

  const later: Shown = {
    unread: ['item-2'],
    starred: ['item-1'],
    counts: { all: { total: 3, unread: 1 }, starred: { total: 1, unread: 0 } },
  };
  const earlier: Shown = {
    unread: ['item-1', 'item-2'],
    starred: [],
    counts: { all: { total: 3, unread: 2 }, starred: { total: 0, unread: 0 } },
  };
  function markMore(store: ReturnType<typeof openTestStore>): void {
    mark(store, ['item-1'], 'read');
    mark(store, ['item-1'], 'star');
  }

  it('reverts what a crash between the two commits, mirror first, never wrote to user.db', () => {
    const folder = someFolder();
    keep(folder, 'user.db');
    run(folder, markMore);
    restore(folder, 'user.db');
    run(folder);
    expect(shown(folder)).toEqual(earlier);
  });

  it('is corrected if its sequence number shows that it missed some', () => {
    const folder = someFolder();
    run(folder, (store) => {
      markMore(store);
      databaseOf(store).exec(`
        UPDATE main.derived SET at = 0 WHERE name = 'statuses';
        UPDATE item_index SET unread = 1, starred = 0;
        DELETE FROM counter;
        INSERT INTO counter ${COUNTED};
      `);
    });
    run(folder);
    expect(shown(folder)).toEqual(later);
  });

  it('follows a different or new user.db', () => {
    const folder = someFolder();
    const other = temporaryFolder();
    run(other, (store) => mark(store, ['item-2'], 'star'));
    copyFileSync(join(other, 'user.db'), join(folder, 'user.db'));
    run(folder);
    expect(shown(folder)).toMatchObject({ unread: ['item-0', 'item-1', 'item-2'], starred: ['item-2'] });
    rmSync(join(folder, 'user.db'));
    run(folder);
    expect(shown(folder)).toMatchObject({ unread: ['item-0', 'item-1', 'item-2'], starred: [] });
  });

  it('is correct after a restored user.db has counted past the last number that it knows', () => {
    const folder = someFolder();
    keep(folder, 'user.db');
    run(folder, (store) => mark(store, ['item-1'], 'read'));
    // While the mirror of another service is in use, the older user.db is restored and numbers new actions.
    const away = openTestStore({ folder, source: 'https://other.example/' });
    away.close();
    restore(folder, 'user.db');
    const elsewhere = openTestStore({ folder, source: 'https://other.example/', clock: fakeClock() });
    for (const at of [3, 2, 1]) {
      elsewhere.transaction(({ userData }) => userData.take(recordsWith('star', ['item-2'], at)));
    }
    elsewhere.close();
    run(folder);
    expect(shown(folder)).toMatchObject({ unread: ['item-1', 'item-2'], starred: ['item-2'] });
  });
});

import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { StoreReader } from '../../../src-main/store/reader.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import {
  EVERYTHING,
  idsOf,
  LISTED,
  openStore,
  openWriter,
  SELECTED,
  storeListed,
  storeSnapshot,
} from '../../support/store.ts';

const UNREAD: ItemsQuery = { ...EVERYTHING, state: 'unread' };
const STARRED: ItemsQuery = { ...EVERYTHING, state: 'starred' };

describe('a mark', () => {
  it('reads, stars and takes back, at the time of the clock', () => {
    const { writer, reader, clock } = openStore();
    storeListed(writer, items(2));
    const at = new Date(clock.now()).toISOString();
    writer.mark(['item-0'], 'read');
    writer.mark(['item-0'], 'star');
    expect(reader.item('item-0').state).toEqual({ readAt: at, starredAt: at });
    expect(idsOf(reader, UNREAD)).toEqual(['item-1']);
    expect(idsOf(reader, STARRED)).toEqual(['item-0']);
    writer.mark(['item-0'], 'unread');
    writer.mark(['item-0'], 'unstar');
    expect(reader.item('item-0').state).toEqual({ readAt: null, starredAt: null });
    expect(idsOf(reader, UNREAD)).toEqual(['item-0', 'item-1']);
    expect(idsOf(reader, STARRED)).toEqual([]);
  });

  it('leaves alone, with its time, what is as wanted already', () => {
    const { writer, reader, clock } = openStore();
    storeListed(writer, items(2));
    writer.mark(['item-0'], 'read');
    const { readAt } = reader.item('item-0').state;
    clock.advance(1_000);
    expect(writer.mark(['item-0', 'item-1', 'item-1'], 'read').before).toEqual([{ id: 'item-1', value: null }]);
    expect(reader.item('item-0').state.readAt).toBe(readAt);
    expect(writer.mark(['item-0'], 'unstar').before).toEqual([]);
  });

  it('on an id that is not stored holds when the item comes', () => {
    const { writer, reader } = openStore();
    expect(writer.mark(['one'], 'star').before).toHaveLength(1);
    storeListed(writer, [item()]);
    expect(idsOf(reader, STARRED)).toEqual(['one']);
    expect(reader.counts().starred).toEqual({ total: 1, unread: 1 });
  });

  it('outlives a withdrawal', () => {
    const { writer, reader } = openStore();
    storeSnapshot(writer, [item()]);
    writer.mark(['one'], 'read');
    writer.mark(['one'], 'star');
    const before = reader.item('one').state;
    writer.write((write) => {
      write.withdraw('one');
    });
    expect(reader.counts().starred.total).toBe(0);
    storeSnapshot(writer, [item()]);
    expect(reader.item('one').state).toEqual(before);
    expect(reader.counts()).toMatchObject({ starred: { total: 1, unread: 0 }, all: { total: 1, unread: 0 } });
  });

  it('is undone exactly, times included', () => {
    const { writer, reader, clock } = openStore();
    storeListed(writer, items(3));
    writer.mark(['item-0'], 'read');
    writer.mark(['item-1'], 'star');
    const states = () => reader.page(EVERYTHING, undefined, 10, clock.now()).rows.map(({ state }) => state);
    const [before, counts] = [states(), reader.counts()];
    clock.advance(5_000);
    const unread = writer.mark(['item-0', 'item-1'], 'unread');
    const unstar = writer.mark(['item-0', 'item-1'], 'unstar');
    const all = writer.markAllRead(EVERYTHING, writer.sequence);
    expect(states()).not.toEqual(before);
    expect([writer.undo(all), writer.undo(unstar), writer.undo(unread)]).toEqual([3, 1, 1]);
    expect(states()).toEqual(before);
    expect(reader.counts()).toEqual(counts);
  });
});

describe('marking all as read', () => {
  it('keeps to the scope, category, window, state and text of the list', () => {
    const { writer, reader, clock, index } = openStore();
    storeListed(writer, [
      item({ id: 'paper', category: 'paper', title: 'A benchmark' }),
      item({ id: 'tip', category: 'tip', title: 'A benchmark' }),
      item({ id: 'old', category: 'paper', discoveredAt: '2026-01-01T00:00:00Z' }),
    ]);
    storeSnapshot(writer, [item({ id: 'member', category: 'tip' })]);
    writer.mark(['tip'], 'star');
    index();
    const left = (query: Partial<ItemsQuery>): string[] => {
      const undo = writer.markAllRead({ ...EVERYTHING, ...query }, writer.sequence);
      const ids = idsOf(reader, UNREAD, clock.now());
      writer.undo(undo);
      return ids.toSorted();
    };
    expect(left({})).toEqual([]);
    expect(left({ scope: 'selected' })).toEqual(['old', 'paper', 'tip']);
    expect(left({ category: 'paper' })).toEqual(['member', 'tip']);
    expect(left({ category: 'paper', window: '7d' })).toEqual(['member', 'old', 'tip']);
    expect(left({ state: 'starred' })).toEqual(['member', 'old', 'paper']);
    expect(left({ state: 'unread', category: 'tip' })).toEqual(['old', 'paper']);
    expect(left({ text: 'benchmark' })).toEqual(['member', 'old']);
    expect(left({ text: '!!!' })).toEqual(['member', 'old', 'paper', 'tip']);
  });

  it('leaves unread what came after the page was read', () => {
    const { writer, reader, clock } = openStore();
    storeListed(writer, [item({ id: 'seen' })]);
    const { watermark } = reader.page(EVERYTHING, undefined, 10, clock.now());
    storeListed(writer, [item({ id: 'seen', title: 'Revised' }), item({ id: 'unseen' })]);
    writer.markAllRead(EVERYTHING, watermark);
    expect(idsOf(reader, UNREAD)).toEqual(['unseen']);
  });

  it('leaves unread what entered the selected set or the category after the page was read', () => {
    const { writer, reader, clock } = openStore();
    storeSnapshot(writer, [item({ id: 'seen', category: 'paper' })]);
    storeListed(writer, [item({ id: 'joins', category: 'paper' }), item({ id: 'moves', category: 'tip' })]);
    const { watermark } = reader.page({ ...EVERYTHING, scope: 'selected' }, undefined, 10, clock.now());
    writer.write((write) => {
      write.upsert(item({ id: 'joins', category: 'paper' }), SELECTED);
      write.upsert(item({ id: 'moves', category: 'paper' }), LISTED);
    });
    writer.markAllRead({ ...EVERYTHING, scope: 'selected' }, watermark);
    writer.markAllRead({ ...EVERYTHING, category: 'paper' }, watermark);
    expect(idsOf(reader, UNREAD).toSorted()).toEqual(['joins', 'moves']);
  });

  it('marks nothing of a selected set that is not whole, for nothing of it is shown', () => {
    const { writer } = openStore();
    writer.write((write) => {
      write.upsert(item(), SELECTED);
    });
    expect(writer.markAllRead({ ...EVERYTHING, scope: 'selected' }, writer.sequence).before).toEqual([]);
  });
});

describe('a mirror that has not seen every mark', () => {
  interface Shown {
    unread: string[];
    starred: string[];
    counts: unknown;
  }

  function shown(folder: string): Shown {
    const reader = StoreReader.open(folder);
    try {
      const { all, starred } = reader.counts();
      return { unread: idsOf(reader, UNREAD), starred: idsOf(reader, STARRED), counts: { all, starred } };
    } finally {
      reader.close();
    }
  }

  /** Opens the folder, works in it, closes it: what a run of the app is to its files. */
  function run(folder: string, work: (writer: ReturnType<typeof openWriter>) => void = () => undefined): void {
    const store = openStore({ folder });
    work(store.writer);
    store.writer.close();
  }

  /** A folder with three items, one of them read. */
  function someFolder(): string {
    const folder = temporaryFolder();
    run(folder, (writer) => {
      storeListed(writer, items(3));
      writer.mark(['item-0'], 'read');
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
  function markMore(writer: ReturnType<typeof openWriter>): void {
    writer.mark(['item-1'], 'read');
    writer.mark(['item-1'], 'star');
  }

  it('catches up after a crash between the two commits, user.db first', () => {
    const folder = someFolder();
    keep(folder, 'mirror.db');
    run(folder, markMore);
    restore(folder, 'mirror.db');
    run(folder);
    expect(shown(folder)).toEqual(later);
  });

  it('takes back what a crash between the two commits, mirror first, never wrote to user.db', () => {
    const folder = someFolder();
    keep(folder, 'user.db');
    run(folder, markMore);
    restore(folder, 'user.db');
    run(folder);
    expect(shown(folder)).toEqual(earlier);
  });

  it('is corrected where its number says that it missed some', () => {
    const folder = someFolder();
    run(folder, (writer) => {
      markMore(writer);
      writer.database.exec(`
        UPDATE main.property SET value = '0' WHERE name = 'marks_applied';
        UPDATE item_index SET unread = 1, starred = 0;
        UPDATE counter SET unread = total;
        DELETE FROM counter WHERE scope = 'starred';
      `);
    });
    run(folder);
    expect(shown(folder)).toEqual(later);
  });

  it('follows another user.db, and a new one', () => {
    const folder = someFolder();
    const other = temporaryFolder();
    run(other, (writer) => writer.mark(['item-2'], 'star'));
    copyFileSync(join(other, 'user.db'), join(folder, 'user.db'));
    run(folder);
    expect(shown(folder)).toMatchObject({ unread: ['item-0', 'item-1', 'item-2'], starred: ['item-2'] });
    rmSync(join(folder, 'user.db'));
    run(folder);
    expect(shown(folder)).toMatchObject({ unread: ['item-0', 'item-1', 'item-2'], starred: [] });
  });

  it('gets its marks back when it is fetched anew', () => {
    const folder = someFolder();
    run(folder, markMore);
    rmSync(join(folder, 'mirror.db'));
    run(folder, (writer) => {
      storeListed(writer, items(3));
    });
    expect(shown(folder)).toEqual(later);
  });

  it('is not misled by a restored user.db that has since counted past what the mirror knows', () => {
    const folder = someFolder();
    keep(folder, 'user.db');
    run(folder, (writer) => writer.mark(['item-1'], 'read'));
    // While the mirror of another service is in use, the older user.db comes back and goes on counting.
    const away = openWriter({ folder, source: 'https://other.example/' });
    away.close();
    restore(folder, 'user.db');
    const elsewhere = openWriter({ folder, source: 'https://other.example/', clock: fakeClock() });
    for (const mark of ['star', 'unstar', 'star'] as const) elsewhere.mark(['item-2'], mark);
    elsewhere.close();
    run(folder);
    expect(shown(folder)).toMatchObject({ unread: ['item-1', 'item-2'], starred: ['item-2'] });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { ItemRow } from '../../../../src-main/contract/model/item.ts';
import { FeedState } from '../../../../src-renderer/features/feed/feed.svelte.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ALL = { scope: 'all', window: 'any', state: 'any' } as const;
const PAPERS = { ...ALL, category: 'paper' } as const;

const arrival = (n: number): ItemRow => madeUpRow(0, NOW, { id: `new-${n}` });
const rowIndexed = (at: number): string | undefined => feed.list.rows[at]?.id;

let wire: MemoryWire;
let feed: FeedState;

/** Scrolls as the reader does. */
function scroll(row: number): void {
  feed.scrolled = row;
  feed.list.see(Math.floor(row), Math.floor(row) + 8);
}

beforeEach(async () => {
  wire = new MemoryWire(Array.from({ length: 700 }, (_, n) => madeUpRow(n, NOW)));
  feed = new FeedState(wire, () => false);
  await feed.load(ALL, null);
  await settle();
});

describe('the place of a list', () => {
  it('is the same row after another list, with new items above, which are counted', async () => {
    scroll(412.25);
    feed.filter(PAPERS);
    await feed.ready;
    expect(feed.list.start).toEqual({ row: 0 });
    wire.rows = [arrival(1), arrival(2), arrival(3), ...wire.rows];
    feed.filter(ALL);
    await feed.ready;
    expect(feed.list.start).toEqual({ row: 415.25 });
    expect(rowIndexed(415)).toBe('item-412');
    expect(rowIndexed(430)).toBe('item-427');
    expect(feed.list.fresh).toMatchObject({ count: 3, more: false });
    // They are still new after another look at another list.
    feed.filter(PAPERS);
    await feed.ready;
    feed.filter(ALL);
    await feed.ready;
    expect([feed.list.start.row, feed.list.fresh.count]).toEqual([415.25, 3]);
    feed.list.showFresh();
    expect(feed.list.fresh.count).toBe(0);
  });

  it('is the top for a list that was left at its top: what is new there is wanted', async () => {
    feed.filter(PAPERS);
    await feed.ready;
    wire.rows = [arrival(1), ...wire.rows];
    feed.filter(ALL);
    await feed.ready;
    expect(feed.list.start).toEqual({ row: 0 });
    expect(feed.list.fresh.count).toBe(0);
  });

  it('is the next row below one that is gone, and the end of a list that ends above it', async () => {
    scroll(500.5);
    const place = feed.place;
    wire.rows = wire.rows.filter(({ id }) => id !== 'item-500');
    await feed.load(ALL, place);
    expect(feed.list.start).toEqual({ row: 500 });
    expect(rowIndexed(500)).toBe('item-501');
    wire.rows = wire.rows.slice(0, 300);
    await feed.load(ALL, place);
    expect(feed.list.start.row).toBe(300);
    expect(feed.list.rows.length).toBe(300);
  });

  it('is found again in a list that was not loaded anew', async () => {
    scroll(120.5);
    const place = feed.place;
    scroll(3);
    feed.list.scrollTo(place);
    expect(feed.list.start).toEqual({ row: 120.5 });
    feed.list.scrollTo(null);
    expect(feed.list.start).toEqual({ row: 0 });
  });

  it('is the top if it cannot be found', async () => {
    scroll(412);
    wire.failing.set('items.rows', { code: 'internal', message: 'x', retryable: true });
    await feed.load();
    expect([feed.list.phase, feed.list.start.row]).toEqual(['ready', 0]);
  });

  it('is kept when rules were matched again', async () => {
    scroll(90);
    feed.rulesMatched();
    await feed.ready;
    expect(feed.list.start).toEqual({ row: 90 });
  });
});

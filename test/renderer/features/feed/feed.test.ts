import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ItemRow } from '../../../../src-main/contract/model/item.ts';
import { isListOfItems } from '../../../../src-main/contract/location.ts';
import { LiveAnswers } from '../../../../src-renderer/api/live.ts';
import { History } from '../../../../src-renderer/app/history.svelte.ts';
import { TOP } from '../../../../src-renderer/app/scroll.ts';
import { FeedState } from '../../../../src-renderer/features/feed/feed.svelte.ts';
import { NOW, openCore, unreadPicks, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { listed } from '../../support/listed.ts';
import { effect } from '../../support/effects.svelte.ts';
import { settle } from '../../support/settle.ts';

const ALL = { scope: 'all', window: 'any', state: 'any' } as const;
const PAPERS = { ...ALL, category: 'paper' } as const;

const items = unreadPicks(700);
const arrival = (n: number): ItemRow => madeUpRow(0, NOW, { id: `new-${n}` });
const ROW = 94;
const rowIndexed = (at: number): string | undefined => feed.list.at(at)?.id;

let wire: CoreWire;
let feed: FeedState;
let scroller: HTMLElement;

/** Scrolls as the reader does. */
function scroll(row: number): void {
  scroller.scrollTop = row * ROW;
  scroller.dispatchEvent(new Event('scroll'));
  feed.list.see(Math.floor(row), Math.floor(row) + 8);
}

beforeEach(async () => {
  wire = await openCore({ items });
  const history = new History({
    measure: () => ({ ...TOP, row: feed.place }),
    enter: ({ location, scroll }) => {
      if (isListOfItems(location)) feed.enter(location, scroll.row, false);
    },
    show: () => Promise.resolve(),
    save: () => Promise.resolve(true),
  });
  feed = new FeedState(new LiveAnswers(wire), history, {
    current: { foldStories: false, listFilters: {} },
    set: () => undefined,
  });
  scroller = document.createElement('div');
  feed.cursor.shape = () => ({ count: feed.shown.count, rowHeight: ROW });
  effect(() => void feed.cursor.watch(scroller));
  feed.filter(ALL);
  await feed.ready;
  await settle();
});

describe('the place of a list', () => {
  it('is the same row after another list, with new items above, which are counted', async () => {
    scroll(412.25);
    feed.filter(PAPERS);
    await feed.ready;
    expect(feed.cursor.scrolled).toBe(0);
    await wire.arrive([arrival(1), arrival(2), arrival(3)]);
    feed.filter(ALL);
    await feed.ready;
    expect(feed.cursor.scrolled).toBe(415.25);
    expect(rowIndexed(415)).toBe('item-412');
    expect(rowIndexed(430)).toBe('item-427');
    expect(feed.list.fresh).toMatchObject({ count: 3, more: false });
    // They are still new after another look at another list.
    feed.filter(PAPERS);
    await feed.ready;
    feed.filter(ALL);
    await feed.ready;
    expect([feed.cursor.scrolled, feed.list.fresh.count]).toEqual([415.25, 3]);
    await feed.list.showFresh();
    expect(feed.list.fresh.count).toBe(0);
  });

  it('is the top for a list that was left at its top: what is new there is wanted', async () => {
    feed.filter(PAPERS);
    await feed.ready;
    await wire.arrive([arrival(1)]);
    feed.filter(ALL);
    await feed.ready;
    expect(feed.cursor.scrolled).toBe(0);
    expect(feed.list.fresh.count).toBe(0);
  });

  it('is the next row below one that is gone, and the end of a list that ends above it', async () => {
    scroll(500.5);
    const place = feed.place;
    await wire.withdraw('item-500');
    await feed.load(ALL, place);
    expect(feed.cursor.scrolled).toBe(500);
    expect(rowIndexed(500)).toBe('item-501');
    for (const { id } of items.slice(300)) wire.service.withdraw(id);
    await wire.sync();
    await feed.load(ALL, place);
    expect(feed.cursor.scrolled).toBe(300);
    expect(feed.list.count).toBe(300);
  });

  it('is found again in a list that was not loaded anew', async () => {
    scroll(120.5);
    const place = feed.place;
    scroll(3);
    feed.scrollTo(place);
    expect(feed.cursor.scrolled).toBe(120.5);
    feed.scrollTo(null);
    expect(feed.cursor.scrolled).toBe(0);
  });

  it('is kept when rules were matched again', async () => {
    scroll(90);
    feed.rulesMatched();
    await feed.ready;
    expect(feed.cursor.scrolled).toBe(90);
  });
});

describe('another list', () => {
  it('is the one that was chosen last if answers come late', async () => {
    const open = wire.hold();
    feed.filter(PAPERS);
    const first = feed.ready;
    wire.gate = null;
    feed.filter({ ...ALL, category: 'tip' });
    await feed.ready;
    open();
    await first;
    await settle();
    expect(new Set(listed(feed.shown).map((row) => row?.category))).toEqual(new Set(['tip']));
    expect(feed.shown.total?.count).toBe(feed.shown.count);
  });

  it('takes the place of the old rows when it is there, or has taken a while', () => {
    vi.useFakeTimers();
    wire.gate = new Promise(() => {});
    feed.filter(PAPERS);
    vi.advanceTimersByTime(149);
    expect([feed.list.slow, feed.shown.count, feed.list.query.category]).toEqual([false, 700, 'paper']);
    vi.advanceTimersByTime(1);
    expect([feed.list.slow, feed.shown.phase]).toEqual([true, 'loading']);
    vi.useRealTimers();
  });
});

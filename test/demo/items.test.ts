import { describe, expect, it } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { allPages, demo } from './service.ts';

const HOUR = 3_600_000;

describe('GET /items', () => {
  // Holds: news-4.1-mode-default, news-4.1-category-default, news-4.1-window-default, news-4.1-by-default
  // Holds: news-4.1-q-default, news-4.1-limit-default, news-4.1-timeline-order, news-8-items-limit
  it('answers 50 selected items of the last seven days by default, newest first', async () => {
    const { get } = await demo({ content: { selected: 80, days: 6 } });
    const { status, body } = await get('/items');
    expect(status).toBe(200);
    expect(body).toMatchObject({ schemaVersion: 1, page: { count: 50, hasMore: true } });
    expect(body.query).toEqual({
      mode: 'selected',
      category: null,
      window: '7d',
      q: null,
      by: 'timeline',
      ordering: 'timeline_desc',
    });
    expect(body.items.every((item: { selected: boolean }) => item.selected)).toBe(true);
  });

  it('pages through everything exactly once, whatever the limit of each page', async () => {
    const { get, service } = await demo();
    const ids = (await allPages(get, '/items?mode=all&limit=7')).map(({ id }) => id);
    const first = (await get('/items?mode=all&limit=5')).body;
    const rest = (await get(`/items?mode=all&limit=100&cursor=${first.page.nextCursor}`)).body;
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(service.control.allItems().length);
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids);
  });

  // Holds: news-4.1-cursor-bound
  it.each([
    'mode=selected',
    'mode=all&window=24h',
    'mode=all&by=published',
    'mode=all&category=paper',
    'mode=all&q=the',
  ])('refuses the cursor of mode=all to %s: invalid_cursor', async (query) => {
    const { get } = await demo();
    const cursor = (await get('/items?mode=all&limit=5')).body.page.nextCursor;
    const { status, body } = await get(`/items?${query}&cursor=${cursor}`);
    expect([status, body.code]).toEqual([400, 'invalid_cursor']);
  });

  // Holds: news-4.1-cursor-anchor
  it('refuses a cursor whose anchor has left the window: invalid_cursor', async () => {
    const { get, clock } = await demo();
    const { nextCursor } = (await get('/items?mode=all&window=24h&limit=2')).body.page;
    expect((await get(`/items?mode=all&window=24h&limit=2&cursor=${nextCursor}`)).status).toBe(200);
    clock.advance(25 * HOUR);
    expect((await get(`/items?mode=all&window=24h&limit=2&cursor=${nextCursor}`)).body.code).toBe('invalid_cursor');
  });

  it('accepts a cursor after a restart', async () => {
    const clock = fakeClock();
    const before = await demo({ content: 'living', clock });
    const cursor = (await before.get('/items?limit=10')).body.page.nextCursor;
    const expected = (await before.get(`/items?limit=10&cursor=${cursor}`)).body;
    const after = await demo({ content: 'living', clock });
    expect((await after.get(`/items?limit=10&cursor=${cursor}`)).body).toEqual(expected);
  });

  // Holds: news-4.1-seven-days, news-4.1-timeline-order, news-8-items-window
  it('has only items of the window', async () => {
    const { get, clock } = await demo({ content: { selected: 60, days: 30 } });
    const opened = (hours: number) => clock.now() - hours * HOUR;
    const times = async (window: string) =>
      (await allPages(get, `/items?mode=all&window=${window}&limit=100`)).map((item) => Date.parse(item.discoveredAt));
    expect(Math.min(...(await times('7d')))).toBeGreaterThanOrEqual(opened(168));
    expect(Math.min(...(await times('24h')))).toBeGreaterThanOrEqual(opened(24));
    expect((await times('7d')).length).toBeLessThan(60);
  });

  // Holds: news-4.1-published-order, news-4.1-published-unknown
  it('orders by=published by publication, or discovery where that is unknown', async () => {
    const { get, service } = await demo();
    service.control.addItem({ publishedAt: null, title: 'Of unknown age' });
    const items = await allPages(get, '/items?mode=all&by=published&limit=100');
    const times = items.map(({ publishedAt, discoveredAt }) => Date.parse(publishedAt ?? discoveredAt));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(items[0]?.title).toBe('Of unknown age');
  });

  // Holds: news-4.1-q-length
  it('counts code points, not UTF-16 units', async () => {
    const { get } = await demo();
    expect((await get(`/items?q=${encodeURIComponent('🦉')}`)).status).toBe(400);
    expect((await get(`/items?q=${encodeURIComponent('🦉'.repeat(200))}`)).status).toBe(200);
  });
});

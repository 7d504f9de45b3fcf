import { describe, expect, it } from 'vitest';
import type { OnlineSearch } from '../../../src-main/contract/model/item.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

const MINUTE = 60_000;
const ANY: OnlineSearch = { mode: 'all', window: '7d', by: 'timeline' };

const searches = ({ service }: TestApp) => service.requests.filter(({ path }) => path === '/api/v1/items');
const queries = (app: TestApp): string[] => searches(app).map(({ query }) => query);
const openSearch = (options: TestAppOptions = {}) => openTestApp({ content: { selected: 120, days: 5 }, ...options });

describe('a search at the service', () => {
  // Holds: news-4.1-q-trimmed, news-4.1-q-default, news-4.1-category-default
  it('sends the selected parameters and no empty ones', async () => {
    const app = await openSearch();
    app.service.control.addItem({ title: 'A zeppelin over the lake', category: 'paper' });
    const request = { mode: 'selected', window: '24h', by: 'published', category: 'paper', q: '  zeppelin ' } as const;
    const { items, next, restarted } = await app.call('items.searchOnline', { request });
    expect(items.map(({ title }) => title)).toEqual(['A zeppelin over the lake']);
    expect({ next, restarted }).toEqual({ next: null, restarted: false });
    await app.call('items.searchOnline', { request: { ...ANY, q: '   ' } });
    const [first, second] = queries(app).map((query) => Object.fromEntries(new URLSearchParams(query)));
    expect(first).toEqual({ mode: 'selected', window: '24h', by: 'published', category: 'paper', q: 'zeppelin' });
    expect(second).toEqual(ANY);
  });

  // Holds: news-4.1-q-length
  it.each([
    ['one character', 'x'],
    ['one emoji', '🗞'],
    ['201 characters', 'x'.repeat(201)],
  ])('for %s is rejected before anything is sent', async (_, q) => {
    const app = await openSearch();
    const reply = await app.reply('items.searchOnline', { request: { ...ANY, q } });
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_argument' } });
    expect(app.service.requests).toEqual([]);
  });

  it('adds saved statuses to its results and saves nothing', async () => {
    const app = await openSearch();
    await app.call('sync.run', { urgency: 'now' });
    const { id: known } = app.service.control.allItems()[0]!;
    await app.call('items.mark', { ids: [known], mark: 'star' });
    const { id: fresh } = app.service.control.addItem();
    await app.call('items.mark', { ids: [fresh], mark: 'read' });
    app.clock.advance(MINUTE);
    const { items } = await app.call('items.searchOnline', { request: ANY });
    const found = new Map(items.map((item) => [item.id, item]));
    expect(found.get(known)).toMatchObject({ stored: true, state: { starredAt: expect.any(String) as string } });
    expect(found.get(fresh)).toMatchObject({ stored: false, inSelectedSet: false, revisedAt: null });
    expect(found.get(fresh)?.state.readAt).not.toBeNull();
    expect(await app.reply('items.get', { id: fresh })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('sends no request within the lifetime of a response, and revalidates it afterwards', async () => {
    const app = await openSearch();
    const first = await app.call('items.searchOnline', { request: ANY });
    app.clock.advance(59_000);
    const again = await app.call('items.searchOnline', { request: ANY });
    expect(again.items).toEqual(first.items);
    expect(searches(app)).toHaveLength(1);
    app.clock.advance(2_000);
    await app.call('items.searchOnline', { request: ANY });
    expect(searches(app).map(({ status }) => status)).toEqual([200, 304]);
  });

  // Holds: news-4.1-cursor-anchor, news-4.1-cursor-restart
  it('restarts, and says so, when the service no longer accepts its cursor', async () => {
    const app = await openSearch({ content: { selected: 120, days: 1 } });
    const request = { ...ANY, window: '24h' } as const;
    const { next } = await app.call('items.searchOnline', { request });
    app.clock.advance(15 * 60 * MINUTE);
    const page = await app.call('items.searchOnline', { request, cursor: next! });
    expect(page.restarted).toBe(true);
    const served = await app.call('items.searchOnline', { request });
    expect(page.items).toEqual(served.items);
  });

  // Holds: news-4.1-cursor-days
  it('does not use a cursor on another day', async () => {
    const app = await openSearch();
    const { next } = await app.call('items.searchOnline', { request: ANY });
    app.clock.advance(10 * 60 * MINUTE);
    expect(await app.call('items.searchOnline', { request: ANY, cursor: next! })).toMatchObject({ restarted: true });
    expect(queries(app).filter((query) => query.includes('cursor='))).toEqual([]);
  });

  // Holds: news-4.1-cursor-no-timer
  it('uses a cursor for hours, as long as the day lasts', async () => {
    const app = await openSearch();
    const { next } = await app.call('items.searchOnline', { request: ANY });
    app.clock.advance(9 * 60 * MINUTE);
    const page = await app.call('items.searchOnline', { request: ANY, cursor: next! });
    expect(page).toMatchObject({ restarted: false });
    expect(page.items[0]?.id).toBe(app.service.control.allItems()[50]?.id);
    expect(queries(app).at(-1)).toMatch(/cursor=[^&]+/);
  });

  // Holds: news-4.1-cursor-days
  it('does not use a cursor in another run', async () => {
    const app = await openSearch({ folder: 'temporary' });
    const { next } = await app.call('items.searchOnline', { request: ANY });
    await app.reopen();
    expect(await app.call('items.searchOnline', { request: ANY, cursor: next! })).toMatchObject({ restarted: true });
    expect(queries(app).filter((query) => query.includes('cursor='))).toEqual([]);
  });

  // Holds: news-4.1-cursor-bound
  it('rejects a cursor of another search', async () => {
    const app = await openSearch();
    const { next } = await app.call('items.searchOnline', { request: ANY });
    const reply = await app.reply('items.searchOnline', { request: { ...ANY, by: 'published' }, cursor: next! });
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_argument' } });
    expect(searches(app)).toHaveLength(1);
  });

  it('is not logged', async () => {
    const app = await openSearch();
    await app.call('items.searchOnline', { request: { ...ANY, q: 'a private matter' } });
    expect(JSON.stringify(app.log)).not.toContain('private');
  });
});

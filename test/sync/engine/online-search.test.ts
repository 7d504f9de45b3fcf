import { describe, expect, it } from 'vitest';
import type { OnlineSearch } from '../../../src-main/contract/model/visit.ts';
import { openHouse, type House, type HouseOptions } from '../../support/test-app.ts';

const MINUTE = 60_000;
const ANY: OnlineSearch = { mode: 'all', window: '7d', by: 'timeline' };

const searches = ({ service }: House) => service.requests.filter(({ path }) => path === '/api/v1/items');
const queries = (house: House): string[] => searches(house).map(({ query }) => query);
const openSearch = (options: HouseOptions = {}) => openHouse({ content: { selected: 120, days: 5 }, ...options });

describe('a search at the service', { timeout: 60_000 }, () => {
  it('sends what was chosen and nothing that is empty', async () => {
    const house = await openSearch();
    house.service.control.addItem({ title: 'A zeppelin over the lake', category: 'paper' });
    const request = { mode: 'selected', window: '24h', by: 'published', category: 'paper', q: '  zeppelin ' } as const;
    const { items, next, restarted } = await house.call('items.searchOnline', { request });
    expect(items.map(({ title }) => title)).toEqual(['A zeppelin over the lake']);
    expect({ next, restarted }).toEqual({ next: null, restarted: false });
    await house.call('items.searchOnline', { request: { ...ANY, q: '   ' } });
    const [first, second] = queries(house).map((query) => Object.fromEntries(new URLSearchParams(query)));
    expect(first).toEqual({ mode: 'selected', window: '24h', by: 'published', category: 'paper', q: 'zeppelin' });
    expect(second).toEqual(ANY);
  });

  it.each([
    ['one character', 'x'],
    ['one emoji', '🗞'],
    ['201 characters', 'x'.repeat(201)],
  ])('for %s is refused before anything is sent', async (_, q) => {
    const house = await openSearch();
    const reply = await house.reply('items.searchOnline', { request: { ...ANY, q } });
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_argument' } });
    expect(house.service.requests).toEqual([]);
  });

  it('pages to the end by places of its own', async () => {
    const house = await openSearch();
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { id: string }[]; next: string | null } = await house.call('items.searchOnline', {
        request: ANY,
        ...(cursor !== null && { cursor }),
      });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null);
    expect(ids).toEqual(house.service.control.allItems().map(({ id }) => id));
  });

  it('tells what is stored of what it finds, and stores nothing itself', async () => {
    const house = await openSearch();
    await house.call('sync.run', { urgency: 'now' });
    const { id: known } = house.service.control.allItems()[0]!;
    await house.call('items.mark', { ids: [known], mark: 'star' });
    const { id: fresh } = house.service.control.addItem();
    await house.call('items.mark', { ids: [fresh], mark: 'read' });
    house.clock.advance(MINUTE);
    const { items } = await house.call('items.searchOnline', { request: ANY });
    const found = new Map(items.map((item) => [item.id, item]));
    expect(found.get(known)).toMatchObject({ stored: true, state: { starredAt: expect.any(String) as string } });
    expect(found.get(fresh)).toMatchObject({ stored: false, inSelectedSet: false, revisedAt: null });
    expect(found.get(fresh)?.state.readAt).not.toBeNull();
    expect(await house.reply('items.get', { id: fresh })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('does not ask again within the lifetime of an answer, and only whether it changed after it', async () => {
    const house = await openSearch();
    const first = await house.call('items.searchOnline', { request: ANY });
    house.clock.advance(59_000);
    const again = await house.call('items.searchOnline', { request: ANY });
    expect(again.items).toEqual(first.items);
    expect(searches(house)).toHaveLength(1);
    house.clock.advance(2_000);
    await house.call('items.searchOnline', { request: ANY });
    expect(searches(house).map(({ status }) => status)).toEqual([200, 304]);
  });

  it('begins anew, and says so, when the service no longer takes its cursor', async () => {
    const house = await openSearch({ content: { selected: 120, days: 1 } });
    const request = { ...ANY, window: '24h' } as const;
    const { next } = await house.call('items.searchOnline', { request });
    house.clock.advance(15 * 60 * MINUTE);
    const page = await house.call('items.searchOnline', { request, cursor: next! });
    expect(page.restarted).toBe(true);
    const served = await house.call('items.searchOnline', { request });
    expect(page.items).toEqual(served.items);
  });

  it('takes no cursor into another day', async () => {
    const house = await openSearch();
    const { next } = await house.call('items.searchOnline', { request: ANY });
    house.clock.advance(10 * 60 * MINUTE);
    expect(await house.call('items.searchOnline', { request: ANY, cursor: next! })).toMatchObject({ restarted: true });
    expect(queries(house).filter((query) => query.includes('cursor='))).toEqual([]);
  });

  it('takes no cursor into another run', async () => {
    const house = await openSearch({ folder: 'temporary' });
    const { next } = await house.call('items.searchOnline', { request: ANY });
    await house.reopen();
    expect(await house.call('items.searchOnline', { request: ANY, cursor: next! })).toMatchObject({ restarted: true });
    expect(queries(house).filter((query) => query.includes('cursor='))).toEqual([]);
  });

  it('refuses a cursor of another search', async () => {
    const house = await openSearch();
    const { next } = await house.call('items.searchOnline', { request: ANY });
    const reply = await house.reply('items.searchOnline', { request: { ...ANY, by: 'published' }, cursor: next! });
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_argument' } });
    expect(searches(house)).toHaveLength(1);
  });

  it('keeps the pause that the service asked for, whoever was told of it', async () => {
    let busy = true;
    const house = await openSearch({
      intercept: (_request, response) => {
        if (busy) response.writeHead(429, { 'retry-after': '90' }).end();
        return busy;
      },
    });
    expect(await house.reply('items.searchOnline', { request: ANY })).toMatchObject({
      error: { code: 'rate_limited' },
    });
    busy = false;
    expect(await house.reply('items.searchOnline', { request: ANY })).toMatchObject({
      error: { code: 'rate_limited', message: 'The service wants a pause. Try again in 90 s.', retryable: true },
    });
    house.clock.advance(90_000);
    expect(await house.reply('items.searchOnline', { request: ANY })).toMatchObject({ ok: true });
    busy = true;
    await house.call('sync.run', { urgency: 'now', resources: ['items'] });
    busy = false;
    const sent = house.service.requests.length;
    expect(await house.reply('items.searchOnline', { request: { ...ANY, by: 'published' } })).toMatchObject({
      error: { code: 'rate_limited' },
    });
    expect(house.service.requests).toHaveLength(sent);
  });

  it('says that the service cannot be reached, and leaves what is stored alone', async () => {
    const house = await openSearch();
    await house.call('sync.run', { urgency: 'now' });
    await house.service.close();
    const reply = await house.reply('items.searchOnline', { request: { ...ANY, q: 'anything' } });
    expect(reply).toMatchObject({ ok: false, error: { code: 'unreachable', retryable: true } });
    expect((await house.call('counts.get', {})).all.total).toBeGreaterThan(0);
  });

  it('leaves no word of it in the log', async () => {
    const house = await openSearch();
    await house.call('items.searchOnline', { request: { ...ANY, q: 'a private matter' } });
    expect(JSON.stringify(house.log)).not.toContain('private');
  });
});

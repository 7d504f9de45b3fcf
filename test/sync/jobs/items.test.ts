import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { EVERYTHING, rowsOf } from '../../support/selected-set.ts';
import { servedList } from '../../support/served-list.ts';

const MINUTE = 60_000;
const PAGE = 100;

function syncItems({ call }: TestApp) {
  return call('sync.run', { urgency: 'now', resources: ['items'] }).then(({ resources }) => resources.items);
}

const idsOf = async (app: TestApp): Promise<string[]> => (await rowsOf(app, EVERYTHING)).map(({ id }) => id).sort();
const servedIds = ({ service }: TestApp): string[] =>
  service.control
    .allItems()
    .map(({ id }) => id)
    .sort();

describe('recent items', () => {
  it('stay up to date above a page that fails for hours, and are complete once it works', async () => {
    let page = 0;
    let isBroken = true;
    const app = await openTestApp({
      content: { selected: 500, days: 5 },
      intercept: (request, response) => {
        if (!/\/items\?.*mode=all/.test(request.url ?? '')) return false;
        page = request.url?.includes('cursor=') ? page + 1 : 1;
        if (page < 3 || !isBroken) return false;
        response.writeHead(500).end();
        return true;
      },
    });
    const sync = async () => (await app.call('sync.run', { urgency: 'due', resources: ['items'] })).resources.items;
    expect(await sync()).toMatchObject({ status: 'ok', added: 2 * PAGE, requests: 3, skipped: 1 });
    let whole = 0;
    for (let n = 0; n < 80; n += 1) {
      app.clock.advance(6 * MINUTE);
      const added = n % 10 === 0 ? [app.service.control.addItem({ title: `New ${n}` })] : [];
      const { requests, ...result } = await sync();
      expect(result).toMatchObject({
        status: added.length > 0 || requests > 1 ? 'ok' : 'notModified',
        added: added.length,
      });
      whole += requests > 1 ? 1 : 0;
    }
    // A few times more at first, then every half hour.
    expect(whole).toBeGreaterThanOrEqual(15);
    expect(whole).toBeLessThanOrEqual(21);
    isBroken = false;
    app.clock.advance(32 * MINUTE);
    expect(await sync()).toMatchObject({ status: 'ok', skipped: 0 });
    expect(await idsOf(app)).toEqual(servedIds(app));
    app.clock.advance(6 * MINUTE);
    expect(await sync()).toMatchObject({ status: 'notModified', requests: 1 });
  });

  // Holds: news-4.1-cursor-restart
  it('restart when a cursor is no longer accepted, past what this pass saved', async () => {
    let refuseAt = 4;
    const app = await openTestApp({
      content: { selected: 500, days: 5 },
      intercept: (request, response) => {
        if (!request.url?.includes('/items') || (refuseAt -= 1) !== 0) return false;
        response.writeHead(400, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify({ status: 400, code: 'invalid_cursor' }));
        return true;
      },
    });
    expect(await syncItems(app)).toMatchObject({ status: 'ok', requests: 4 + 7, added: 625 });
    expect(await idsOf(app)).toEqual(servedIds(app));
  });

  it('are searched again for an item that was withdrawn during the pass', async () => {
    let held: ServerResponse | undefined;
    let isHeld: (() => void) | undefined;
    const holding = new Promise<void>((resolve) => (isHeld = resolve));
    const app = await openTestApp({
      content: { selected: 120, unselected: 0, days: 5 },
      intercept: (request, response) => {
        if (held || !request.url?.includes('cursor=') || !request.url.includes('/items')) return false;
        held = response;
        isHeld?.();
        return true;
      },
    });
    await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    const walk = syncItems(app);
    await holding;
    const { id } = app.service.control.allItems()[0]!;
    app.service.control.withdraw(id);
    await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    held!.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[],"page":{"hasMore":false}}');
    expect(await walk).toMatchObject({ status: 'ok' });
    const asked = app.service.requests.length;
    await syncItems(app);
    expect(app.service.requests[asked]).toMatchObject({ path: '/api/v1/items', status: 200 });
    expect(app.service.requests[asked]!.headers).toHaveProperty('ifNoneMatch');
    expect(await app.reply('items.get', { id })).toMatchObject({ error: { code: 'not_found' } });
  });

  // Holds: news-4.1-rows-leave
  it('lose nothing if rows leave the window between two pages', async () => {
    let leaveAt = 0;
    const app = await openTestApp({
      content: { selected: 500, days: 6 },
      intercept: (request) => {
        if (request.url?.includes('/items') && (leaveAt -= 1) === 0) app.clock.advance(6 * 60 * MINUTE);
        return false;
      },
    });
    await syncItems(app);
    const saved = await idsOf(app);
    const wasListed = servedIds(app).length;
    // Once a day the list is compared as a whole.
    app.clock.advance(24 * 60 * MINUTE);
    app.service.control.addItem({ title: 'Came in between' });
    leaveAt = 2;
    const from = app.service.requests.length;
    expect(await syncItems(app)).toMatchObject({ status: 'ok', added: 1, withdrawn: 0 });
    expect(app.service.requests.length - from).toBeGreaterThan(3);
    const { pages } = await servedList(app.service);
    const served = new Set(pages.flat().map(({ id }) => id));
    expect(saved.filter((id) => !served.has(id)).length).toBeGreaterThan(10);
    expect((await idsOf(app)).filter((id) => saved.includes(id))).toHaveLength(wasListed);
  });

  it('report their progress', async () => {
    const app: TestApp = await openTestApp({
      content: { selected: 120, unselected: 0, days: 5 },
      // Progress is published a few times a second.
      intercept: () => {
        app.clock.advance(1_000);
        return false;
      },
    });
    await syncItems(app);
    const progress = app
      .heard('sync.changed')
      .flatMap(({ resources }) => resources.find(({ name }) => name === 'items')?.progress ?? []);
    expect(progress).toContainEqual({ stored: 100, expected: null, pages: 1 });
    expect(progress).toContainEqual({ stored: 120, expected: null, pages: 2 });
    const { resources } = await app.call('sync.status', {});
    expect(resources[0]).toMatchObject({ name: 'items', running: false, progress: null });
  });
});

import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { SELECTED, EVERYTHING, rowsOf } from '../../support/selected-set.ts';
import { openTestApp, saveApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const JSON_TYPE = { 'content-type': 'application/json' };
/** Many unselected items, and some selected ones among them. */
const CONTENT = { selected: 20, unselected: 480, days: 5 };

const sync = async ({ call }: TestApp, urgency: 'due' | 'now' | 'all' = 'now') =>
  (await call('sync.run', { urgency, resources: ['items', 'selected'] })).resources;
const idsOf = async (app: TestApp, query: ItemsQuery) => (await rowsOf(app, query)).map(({ id }) => id);
const requestsOf = ({ service }: TestApp, mode: string): number =>
  service.requests.filter(({ path, query }) => path === '/api/v1/items' && query.includes(`mode=${mode}`)).length;

async function fill(app: TestApp): Promise<void> {
  await sync(app);
  await app.call('visits.end', {});
}

const savedApp = saveApp({ content: CONTENT }, fill);

async function syncedApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await savedApp(options);
  app.clock.advance(2 * MINUTE);
  return app;
}

describe('an item that leaves the selected set', () => {
  it('stays with a star or a note if it fell out of the list before anyone looked', async () => {
    const app = await syncedApp();
    const { control } = app.service;
    const [starred, noted, plain] = control
      .selectedItems()
      .sort((a, b) => (a.discoveredAt < b.discoveredAt ? -1 : 1))
      .map(({ id }) => id) as [string, string, string];
    await app.call('items.mark', { ids: [starred], mark: 'star' });
    await app.call('notes.set', { kind: 'item', id: noted, text: 'Mine' });
    for (const id of [starred, noted, plain]) control.leaveSet(id);
    await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    app.clock.advance(4 * DAY);
    expect(await sync(app)).toMatchObject({ items: { status: 'ok', withdrawn: 1 } });
    for (const id of [starred, noted])
      expect(await app.call('items.get', { id })).toMatchObject({ inSelectedSet: false, withdrawnAt: null });
    expect(await app.reply('items.get', { id: plain })).toMatchObject({ error: { code: 'not_found' } });
    // It can't be looked up later either.
    app.clock.advance(2 * MINUTE);
    expect(await sync(app)).toMatchObject({ items: { status: 'notModified', requests: 1 } });
  });
});

describe('the list of all items', () => {
  // Holds: news-4.1-silent-end, news-4.1-no-complete-copy
  it('keeps what fell out of its seven days', async () => {
    const app = await syncedApp();
    const ids = await idsOf(app, EVERYTHING);
    for (let day = 0; day < 9; day += 1) {
      app.clock.advance(DAY);
      app.service.control.addItem({ selected: false });
      expect(await sync(app, 'due')).toMatchObject({ items: { status: 'ok', withdrawn: 0 } });
    }
    expect((await idsOf(app, EVERYTHING)).filter((id) => ids.includes(id))).toEqual(ids);
  });

  async function openEmptying() {
    const list = { empty: false };
    const app = await syncedApp({
      intercept: (request, response) => {
        if (!list.empty || !request.url?.includes('/items')) return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[],"page":{"hasMore":false}}');
        return true;
      },
    });
    const confirming = async () => (await app.call('sync.status', {})).resources[0]?.confirming;
    return { app, list, confirming };
  }

  it('that lacks much removes nothing, however often it comes, and the status says so until it has the items again', async () => {
    const { app, list, confirming } = await openEmptying();
    const ids = await idsOf(app, EVERYTHING);
    list.empty = true;
    // One that left the selected set waits with the others, and is not looked for each time.
    app.service.control.leaveSet(app.service.control.selectedItems()[0]!.id);
    expect(await sync(app, 'all')).toMatchObject({ items: { status: 'ok', withdrawn: 0 } });
    const since = new Date(app.clock.now()).toISOString();
    expect(await confirming()).toEqual({ since, stored: 481, received: 0, acceptable: true });
    const before = requestsOf(app, 'all');
    for (let hours = 0; hours < 24; hours += 1) {
      app.clock.advance(HOUR);
      expect(await sync(app, 'due')).toMatchObject({ items: { withdrawn: 0 } });
      expect(await idsOf(app, EVERYTHING)).toEqual(ids);
    }
    expect(await confirming()).toMatchObject({ since });
    expect(requestsOf(app, 'all') - before).toBeLessThanOrEqual(24);
    list.empty = false;
    await sync(app, 'all');
    expect(await confirming()).toBeNull();
    expect(await idsOf(app, EVERYTHING)).toEqual(ids);
  });

  it('that lacks much is not believed about the last few items of its seven days, which move on without an answer', async () => {
    const { app, list, confirming } = await openEmptying();
    const ids = await idsOf(app, EVERYTHING);
    list.empty = true;
    for (let hours = 0; hours < 8 * 24; hours += 3) {
      expect(await sync(app, hours % 24 === 0 ? 'all' : 'due')).toMatchObject({ items: { withdrawn: 0 } });
      app.clock.advance(3 * HOUR);
    }
    await sync(app, 'all');
    expect(await idsOf(app, EVERYTHING)).toEqual(ids);
    expect(await confirming()).toBeNull();
  });

  it('that lacks much is believed if the reader accepts it', async () => {
    const { app, list, confirming } = await openEmptying();
    list.empty = true;
    await sync(app, 'all');
    await app.call('sync.accept', { resource: 'items' });
    expect(await confirming()).toBeNull();
    expect(await idsOf(app, EVERYTHING)).toEqual(await idsOf(app, SELECTED));
    expect((await app.call('counts.get', {})).all.total).toBe(20);
  });

  it.each([
    ['a 500', (response: ServerResponse) => void response.writeHead(500).end()],
    ['broken JSON', (response: ServerResponse) => void response.writeHead(200, JSON_TYPE).end('{"items": [')],
  ])('is saved although the request for reasons fails with %s, which is sent again', async (_, fail) => {
    let isBroken = true;
    const app = await syncedApp({
      intercept: ({ url = '' }, response) => {
        if (!isBroken || !/\/items\?.*mode=selected/.test(url)) return false;
        fail(response);
        return true;
      },
    });
    const { control } = app.service;
    const promoted = control.allItems().filter(({ selected }) => !selected)[200]!;
    control.editItem(promoted.id, { selected: true, reason: 'Because it matters' });
    await sync(app);
    app.clock.advance(2 * MINUTE);
    const { id } = control.addItem({ selected: false });
    expect(await sync(app)).toMatchObject({ items: { status: 'ok', added: 1, skipped: 1 } });
    expect(await app.call('items.get', { id })).toMatchObject({ id });
    expect(await app.call('items.get', { id: promoted.id })).toMatchObject({ reason: null });
    isBroken = false;
    app.clock.advance(2 * MINUTE);
    await sync(app);
    expect(await app.call('items.get', { id: promoted.id })).toMatchObject({ reason: 'Because it matters' });
  });

  // Holds: news-4.1-timeline-representative
  it('gives the reason of items that were promoted below the known ones', async () => {
    const app = await syncedApp();
    const { control } = app.service;
    const promoted = control.allItems().filter(({ selected }) => !selected)[200]!;
    control.editItem(promoted.id, { selected: true, reason: 'Because it matters' });
    expect(await sync(app)).toMatchObject({ selected: { status: 'ok' } });
    expect(await app.call('items.get', { id: promoted.id })).toMatchObject({ inSelectedSet: true, reason: null });
    app.clock.advance(2 * MINUTE);
    await sync(app);
    expect(await app.call('items.get', { id: promoted.id })).toMatchObject({ reason: 'Because it matters' });
    expect(requestsOf(app, 'selected')).toBe(1);
    app.clock.advance(10 * MINUTE);
    await sync(app);
    expect(requestsOf(app, 'selected')).toBe(1);
  });

  // Holds: news-1-always-conditional
  it('asks for reasons with the ETag of the list, and below an unchanged first page', async () => {
    const app = await openTestApp({ content: { selected: 240, unselected: 240, days: 5 } });
    await fill(app);
    app.clock.advance(2 * MINUTE);
    const { control } = app.service;
    const [first, second] = control
      .allItems()
      .filter(({ selected }) => !selected)
      .slice(200);
    for (const { id } of [first!, second!]) {
      control.editItem(id, { selected: true, reason: 'Because it matters' });
      await sync(app);
      app.clock.advance(2 * MINUTE);
      await sync(app);
      expect(await app.call('items.get', { id })).toMatchObject({ reason: 'Because it matters' });
    }
    const answers = app.service.requests.filter(({ query }) => query.includes('mode=selected'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 304, 200, 200]);
  });

  it('gives the reason of an item that the list had before its change was read', async () => {
    let backfilled: string | undefined;
    const app: TestApp = await syncedApp({
      intercept: ({ url = '' }) => {
        if (!/\/items\?.*mode=selected/.test(url)) return false;
        const { discoveredAt, publishedAt } = app.service.control.allItems()[200]!;
        const fields = { discoveredAt, publishedAt, selected: true, reason: 'Because it matters' };
        backfilled ??= app.service.control.addItem(fields).id;
        return false;
      },
    });
    const { control } = app.service;
    const promoted = control.allItems().filter(({ selected }) => !selected)[200]!;
    control.editItem(promoted.id, { selected: true, reason: 'Because it is read' });
    for (let round = 0; round < 4; round += 1) {
      await sync(app);
      app.clock.advance(2 * MINUTE);
    }
    const stored = await app.call('items.get', { id: backfilled! });
    expect(stored).toMatchObject({ inSelectedSet: true, reason: 'Because it matters' });
  });
});

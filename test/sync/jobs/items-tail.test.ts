import { describe, expect, it } from 'vitest';
import { openTestApp, saveApp, type TestApp } from '../../support/test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WINDOW = 7 * DAY;
/** More than a week, in 10 pages a week. */
const CONTENT = { selected: 10, unselected: 1300, days: 9 };

async function sync(app: TestApp, urgency: 'due' | 'now' = 'now') {
  return (await app.call('sync.run', { urgency, resources: ['selected', 'items'] })).resources.items;
}

const syncedApp = saveApp({ content: CONTENT }, (app) => sync(app));

const requestsOf = ({ service }: TestApp) =>
  service.requests.filter(({ path, query }) => path === '/api/v1/items' && query.includes('mode=all'));

const isSaved = async (app: TestApp, id: string): Promise<boolean> => (await app.reply('items.get', { id })).ok;

/** The unselected item whose earlier time is closest to being so old, of those that were published shortly before. */
function itemOf({ service, clock }: TestApp, age: number) {
  const found = service.control.allItems().flatMap((item) => {
    const [discovered, published] = [item.discoveredAt, item.publishedAt ?? item.discoveredAt].map(Date.parse);
    const isOrdinary = !item.selected && discovered! - published! < 2 * HOUR;
    return isOrdinary ? [{ ...item, distance: Math.abs(clock.now() - published! - age) }] : [];
  });
  return found.sort((a, b) => a.distance - b.distance)[0]!;
}

describe('an unselected item that is withdrawn', () => {
  it.each([4, 12])('at any age within the window is gone with the next sync, every %i hours', async (hours) => {
    const app = await syncedApp();
    for (let round = 0; round < 2; round += 1) {
      app.clock.advance(hours * HOUR - (round % 3) * MINUTE);
      app.service.control.addItem({ selected: false });
      // It leaves the window before the next sync.
      const last = itemOf(app, WINDOW - 2 * HOUR);
      app.service.control.withdraw(last.id);
      const public_ = itemOf(app, WINDOW - 3 * HOUR);
      await sync(app);
      expect([await isSaved(app, last.id), await isSaved(app, public_.id)], `round ${String(round)}`).toEqual([
        false,
        true,
      ]);
    }
  });

  it('stays when its absence no longer says anything', async () => {
    const app = await syncedApp();
    app.clock.advance(4 * HOUR);
    const { id } = itemOf(app, WINDOW - 5 * MINUTE);
    app.service.control.withdraw(id);
    await sync(app);
    expect(await isSaved(app, id)).toBe(true);
  });
});

describe('the end of the list', () => {
  it('is looked at every few hours, with few requests', async () => {
    const app = await syncedApp();
    const looks = 31;
    let [most, total] = [0, 0];
    for (let n = 0; n < looks; n += 1) {
      app.clock.advance(40 * MINUTE);
      const before = requestsOf(app).length;
      expect(await sync(app, 'due')).toMatchObject({ withdrawn: 0 });
      const requests = requestsOf(app).length - before;
      total += requests;
      most = Math.max(most, requests);
    }
    expect(most).toBeLessThanOrEqual(5);
    expect(total - looks).toBeLessThanOrEqual(7 * 4);
    app.clock.advance(80 * MINUTE);
    const before = requestsOf(app).length;
    await sync(app, 'due');
    expect(requestsOf(app).length - before).toBeGreaterThanOrEqual(9);
  });

  it.each([
    ['the same sync searches the list for an item that left the selection', true],
    ['it lacks an item', false],
  ])('is not read twice when %s', async (_, leaves) => {
    const app = await syncedApp();
    app.clock.advance(4 * HOUR);
    const start = app.clock.now() - WINDOW + 8 * HOUR;
    const oldest = app.service.control
      .allItems()
      .filter(({ selected, discoveredAt }) => selected && Date.parse(discoveredAt) > start)
      .sort((a, b) => a.discoveredAt.localeCompare(b.discoveredAt))[0]!;
    if (leaves) app.service.control.leaveSet(oldest.id);
    else app.service.control.withdraw(itemOf(app, WINDOW - 2 * HOUR).id);
    if (leaves) await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    const before = requestsOf(app).length;
    await app.call('sync.run', { urgency: 'now', resources: ['items'] });
    const queries = requestsOf(app)
      .slice(before)
      .map(({ query }) => query);
    expect(queries.length).toBeGreaterThanOrEqual(9);
    expect(queries).toEqual([...new Set(queries)]);
  });

  it('brings corrections, and asks for no whole pass if it fails', async () => {
    let failing = false;
    const app = await syncedApp({
      intercept: (request, response) => {
        if (!failing || !/\/items\?.*cursor=/.test(request.url ?? '')) return false;
        response.writeHead(500).end();
        return true;
      },
    });
    app.clock.advance(4 * HOUR);
    const { id } = itemOf(app, WINDOW - 8 * HOUR);
    app.service.control.editItem(id, { title: 'Put right' });
    failing = true;
    const before = requestsOf(app).length;
    expect(await sync(app)).toMatchObject({ status: 'notModified', withdrawn: 0, skipped: 1 });
    expect(requestsOf(app).length - before).toBe(2);
    failing = false;
    app.clock.advance(4 * HOUR);
    await sync(app);
    expect(await app.call('items.get', { id })).toMatchObject({ title: 'Put right' });
  });

  // Holds: news-4.1-cursor-restart
  it('leads to a whole pass if its cursor is no longer accepted', async () => {
    let refusals = 0;
    const app = await syncedApp({
      intercept: (request, response) => {
        if (refusals === 0 || !/\/items\?.*cursor=/.test(request.url ?? '')) return false;
        refusals -= 1;
        response.writeHead(400, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify({ status: 400, code: 'invalid_cursor' }));
        return true;
      },
    });
    const { id } = itemOf(app, 3 * DAY);
    app.service.control.withdraw(id);
    app.clock.advance(4 * HOUR);
    refusals = 1;
    expect(await sync(app)).toMatchObject({ status: 'ok', withdrawn: 1 });
    expect(await isSaved(app, id)).toBe(false);
  });
});

// Holds: news-1-always-conditional
it('every first page after the first one is a conditional request, also of a whole pass that finds it unchanged', async () => {
  const app = await openTestApp({ content: { selected: 40, unselected: 400, days: 5 } });
  await sync(app);
  const { control } = app.service;
  const listed = control.allItems().filter(({ selected }) => !selected);
  for (const [n, { id }] of listed.slice(150, 160).entries()) {
    app.clock.advance(n === 5 ? DAY : 2 * MINUTE);
    control.withdraw(id);
    if (n % 3 === 0) control.leaveSet(control.selectedItems()[n]!.id);
    await app.call('sync.run', { urgency: n % 2 === 0 ? 'all' : 'now', resources: ['selected', 'items'] });
  }
  const firstPages = requestsOf(app).filter(({ query }) => !query.includes('cursor='));
  expect(firstPages.slice(1).filter(({ headers }) => headers.ifNoneMatch === undefined)).toEqual([]);
  expect(firstPages.filter(({ status }) => status === 304).length).toBeGreaterThan(3);
  for (const { id } of listed.slice(150, 159)) expect(await isSaved(app, id)).toBe(false);
});

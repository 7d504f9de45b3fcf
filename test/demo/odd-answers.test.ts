import { describe, expect, it } from 'vitest';
import { DEMO_KEY } from '../../src-main/contract/model/model.ts';
import type { DemoOptions } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { allPages, demo, wholeSnapshot } from './service.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** A Thursday. */
const START = '2026-03-12T06:30:00Z';

const harsh = (options: Partial<DemoOptions> = {}) =>
  demo({ content: 'living', harsh: true, clock: fakeClock(START), ...options });

describe('Reports of the harsh service', () => {
  it.each([
    ['dailies', 'date', '9999-12-31'],
    ['weeklies', 'week', '9999-W52'],
    ['monthlies', 'month', '9999-12'],
  ])('%s list a %s far in the future first, and serve it', async (resource, unit, label) => {
    const { get } = await harsh();
    const { items } = (await get(`/${resource}`)).body;
    expect(items[0]).toMatchObject({ [unit]: label });
    expect(items[1]).not.toMatchObject({ [unit]: label });
    expect((await get(`/${resource}/${label}`)).body.report).toMatchObject({ [unit]: label });
    expect((await get(`/${resource}/latest`)).body.report).not.toMatchObject({ [unit]: label });
  });

  it('often have a lead in the index only, and repeat it in the first item', async () => {
    const { get, service } = await harsh();
    const { items } = (await get('/dailies')).body;
    const [first, second, third] = items.slice(1, 4).map(({ date }) => date) as [string, string, string];
    const leads: unknown[] = [];
    for (const date of [first, second, third]) {
      service.control.failAt(`/api/v1/dailies/${date}`, null);
      const { report } = (await get(`/dailies/${date}`)).body;
      leads.push(report.lead);
      const listed = items.find((item) => item.date === date);
      expect(listed?.leadTitle).toBe(report.sections[0]?.items[0]?.title);
    }
    expect(leads.filter((lead) => lead === null)).toHaveLength(1);
  });

  it.each(['weeklies', 'monthlies'])('%s credit a source in the index', async (resource) => {
    const { get } = await harsh();
    expect((await get(`/${resource}`)).body.items[1]?.attribution).toMatchObject({ name: 'Broadsheet demo' });
  });
});

describe('Stories of the harsh service', () => {
  it('have up to 86 reports and list the newest 50', async () => {
    const { get, service } = await harsh();
    const counts: [count: number, listed: number][] = [];
    for (const { links } of (await get('/hot-topics')).body.items) {
      const id = links.story?.split('/').at(-1);
      if (id === undefined) continue;
      service.control.failAt(`/api/v1/stories/${id}`, null);
      const { story } = (await get(`/stories/${id}`)).body;
      if (!story) continue;
      counts.push([story.reportCount, story.reports.length]);
      const times = story.reports.map(({ publishedAt }) => publishedAt ?? '');
      expect(times).toEqual(times.toSorted().reverse());
      expect(new Set(story.reports.map((report) => report.id)).size).toBe(story.reports.length);
    }
    expect(counts).toContainEqual([86, 50]);
    expect(counts.some(([count, listed]) => count === listed)).toBe(true);
  });
});

describe('At fixed times the harsh service', () => {
  it('rebuilds its ledger: 409, then nothing, then a third, then everything; the models, too', async () => {
    const { get, clock } = await harsh({ clock: fakeClock('2026-03-17T23:50:00Z') });
    const headers = { authorization: `Bearer ${DEMO_KEY}` };
    const models = async () => (await get('/models/user', { headers })).body.data.length;
    const before = await wholeSnapshot(get, 1000);
    const all = await models();
    clock.advance(21 * MINUTE);
    expect((await get(`/selected/changes?cursor=${before.cursor}`)).status).toBe(409);
    expect((await wholeSnapshot(get, 1000)).items).toEqual([]);
    expect(await models()).toBe(0);
    clock.advance(10 * MINUTE);
    const { length } = (await wholeSnapshot(get, 1000)).items;
    expect(length).toBeGreaterThan(before.items.length * 0.3);
    expect(length).toBeLessThan(before.items.length * 0.4);
    expect(await models()).toBe(Math.floor(all / 3));
    clock.advance(10 * MINUTE);
    expect((await wholeSnapshot(get, 1000)).items.length).toBeGreaterThanOrEqual(before.items.length);
    expect(await models()).toBeGreaterThan(all * 0.9);
  });

  it('has too many requests for four minutes a day, on every news path but no model path', async () => {
    const { get } = await harsh({ clock: fakeClock('2026-03-12T20:01:00Z') });
    for (const path of ['/items', '/hot-topics', '/dailies', '/selected/snapshot']) {
      const { status, headers, body } = await get(path);
      expect([status, headers.get('retry-after'), body.code]).toEqual([429, '180', 'too_many_requests']);
    }
    expect((await get('/embeddings/models')).status).toBe(200);
  });

  it('answers as usual at other times', async () => {
    const { get, clock } = await harsh({ clock: fakeClock('2026-03-12T20:04:00Z') });
    expect((await get('/items')).status).toBe(200);
    clock.advance(DAY - 5 * MINUTE);
    expect((await get('/items')).status).toBe(200);
  });
});

describe('On demand the service', () => {
  it('has an empty snapshot, once or more often', async () => {
    const { get, service } = await demo();
    service.control.shrinkSnapshots(0, 2);
    for (const count of [0, 0, 30]) expect((await wholeSnapshot(get, 10)).items).toHaveLength(count);
  });

  it('has a share of the set in all pages of a snapshot', async () => {
    const { get, service } = await demo();
    service.control.shrinkSnapshots(0.5);
    expect((await wholeSnapshot(get, 10)).items).toEqual(service.control.selectedItems().slice(0, 15));
    expect((await wholeSnapshot(get, 10)).items).toHaveLength(30);
  });

  it('miscounts a snapshot page', async () => {
    const { get, service } = await demo();
    service.control.miscountSnapshots();
    const { count, items } = (await get('/selected/snapshot?limit=20')).body;
    expect([count, items.length]).toEqual([20, 10]);
    expect((await wholeSnapshot(get, 20)).items).toHaveLength(30);
  });

  it.each([
    ['embeddings', '/embeddings/models', 17],
    ['models', '/models/user', 120],
  ] as const)('has an empty list of %s, or half of it', async (list, path, count) => {
    const { get, service } = await demo();
    const listed = async () => (await get(path, { headers: { authorization: `Bearer ${DEMO_KEY}` } })).body;
    service.control.shrinkModels(list, 0);
    expect(await listed()).toMatchObject({ data: [], total_count: 0 });
    service.control.shrinkModels(list, 0.5);
    expect((await listed()).data).toHaveLength(Math.floor(count / 2));
    expect((await listed()).data).toHaveLength(count);
  });

  it.each([429, 503] as const)('refuses the next requests with %i and a Retry-After', async (status) => {
    const { get, service } = await demo();
    service.control.refuse({ status, retryAfter: 90 }, 2);
    for (const path of ['/items', '/hot-topics']) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '90']);
    }
    expect((await get('/items')).status).toBe(200);
  });

  it('lets a page weigh more than a client takes, each of its items little', async () => {
    const { get, service } = await demo();
    service.control.weighDown(20, 4_000_000);
    const page = await get('/items?mode=all&limit=100');
    expect(page.text.length).toBeGreaterThan(4_000_000);
    expect((await allPages(get, '/items?mode=all&limit=1')).length).toBe(page.body.items.length);
    expect((await get('/items?mode=all&limit=1')).text.length).toBeLessThan(300_000);
  });

  it('redirects to another address, with path and query', async () => {
    const { get, service } = await demo();
    service.control.redirect('https://news.example');
    const { status, headers } = await get('/items?limit=5');
    expect([status, headers.get('location')]).toEqual([301, 'https://news.example/api/v1/items?limit=5']);
    service.control.redirect(null);
    expect((await get('/items?limit=5')).status).toBe(200);
  });
});

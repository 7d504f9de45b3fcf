import { describe, expect, it } from 'vitest';
import { DEMO_KEY } from '../../src-main/contract/model/model.ts';
import type { DemoOptions, ServedItem } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { allPages, demo, wholeSnapshot, type Body, standingDemo } from './service.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** A Thursday. */
const START = '2026-03-12T06:30:00Z';

const harsh = (options: Partial<DemoOptions> = {}) =>
  demo({ content: 'living', harsh: true, clock: fakeClock(START), ...options });
const standing = standingDemo({ content: 'living', harsh: true, clock: fakeClock(START) });

const lateBy = ({ publishedAt, discoveredAt }: ServedItem | Body): number =>
  publishedAt === null ? 0 : Date.parse(discoveredAt) - Date.parse(publishedAt);

describe('The harsh service', () => {
  it('is the same after a restart, at any later moment', async () => {
    const [early, late] = [fakeClock(START), fakeClock(START)];
    const first = await harsh({ clock: early });
    await first.get('/items');
    for (const clock of [early, late]) clock.advance(7 * DAY);
    const second = await harsh({ clock: late });
    expect(second.service.control.allItems()).toEqual(first.service.control.allItems());
    expect(second.service.control.selectedItems()).toEqual(first.service.control.selectedItems());
  });

  it('has about 968 items a week, of which about 22 are selected', async () => {
    const { service } = standing();
    const week = service.control
      .allItems()
      .filter((item) => Date.parse(item.discoveredAt) > Date.parse(START) - 7 * DAY && lateBy(item) < 3 * DAY);
    const seats = new Set(service.control.selectedItems().map(({ id }) => id));
    const share = week.filter(({ id }) => seats.has(id)).length;
    expect(week.length).toBeGreaterThan(900);
    expect(week.length).toBeLessThan(980);
    expect(share).toBeGreaterThan(10);
    expect(share).toBeLessThan(40);
  });

  it('removes the older report of an event from the set when a better one comes; it stays public, usually marked', async () => {
    // Between a rebuild and a move, so that the cursor stays good.
    const { get, clock, service } = await harsh({ clock: fakeClock('2026-03-11T06:30:00Z') });
    const { cursor } = await wholeSnapshot(get, 1000);
    clock.advance(3.5 * DAY);
    const removed: string[] = [];
    for (let at = cursor, hasMore = true; hasMore;) {
      const { body } = await get(`/selected/changes?cursor=${at}`);
      removed.push(...body.changes.filter(({ op }) => op === 'remove').map(({ id }) => id));
      ({ cursor: at, hasMore } = body);
    }
    const listed = await allPages(get, '/items?mode=all&limit=100');
    const removedItems = listed.filter(({ id }) => removed.includes(id));
    expect(removedItems.length).toBeGreaterThan(2);
    const marked = removedItems.filter(({ selected }) => selected).length;
    expect(marked).toBeGreaterThan(removedItems.length / 2);
    const seats = new Set(service.control.selectedItems().map(({ id }) => id));
    expect(removedItems.some(({ id }) => seats.has(id))).toBe(false);
  });

  it('finds texts years after their publication, singly and in batches', async () => {
    const { service } = standing();
    const late = service.control.allItems().filter((item) => lateBy(item) > 30 * DAY);
    expect(late.some(({ publishedAt }) => publishedAt?.startsWith('2017'))).toBe(true);
    const together = Map.groupBy(late, ({ discoveredAt }) => discoveredAt);
    expect(Math.max(...[...together.values()].map((batch) => batch.length))).toBeGreaterThan(30);
  });

  it('lists some late texts below newer ones, some at the moment they were found, some not at all', async () => {
    const { get, service } = standing();
    const listed = await allPages(get, '/items?mode=all&limit=100');
    const ids = new Set(listed.map(({ id }) => id));
    const recent = service.control
      .allItems()
      .filter(({ discoveredAt }) => Date.parse(discoveredAt) > Date.parse(START) - 6 * DAY);
    const late = listed.filter((item) => lateBy(item) > 3 * DAY);
    expect(late.some((item) => lateBy(item) > 30 * DAY)).toBe(true);
    expect(late.some((item) => lateBy(item) < 7 * DAY)).toBe(true);
    expect(recent.filter((item) => lateBy(item) > 30 * DAY).some(({ id }) => !ids.has(id))).toBe(true);
  });

  it('moves in the middle of a month: every page and credit is elsewhere, and earlier cursors get a 409', async () => {
    const { get, clock } = await harsh();
    const before = await wholeSnapshot(get, 1000);
    clock.advance(4 * DAY);
    expect((await get(`/selected/changes?cursor=${before.cursor}`)).status).toBe(409);
    const after = await wholeSnapshot(get, 1000);
    const hosts = (items: Body[]) => [...new Set(items.map(({ links }) => new URL(links.aihot ?? '').hostname))];
    expect(hosts(before.items)).toHaveLength(1);
    expect(hosts(after.items)).toHaveLength(1);
    expect(hosts(after.items)).not.toEqual(hosts(before.items));
  });
});

describe('Single stories and reports of the harsh service', () => {
  it('fail each in their own way, and stay so', async () => {
    const { get } = standing();
    const { body } = await get('/dailies?limit=180');
    const outcome = async (date: string): Promise<string> => {
      try {
        const { status, headers, text } = await get(`/dailies/${date}`, { signal: AbortSignal.timeout(150) });
        const type = headers.get('content-type') ?? 'none';
        const isWhole = status === 200 && text.endsWith('}');
        return isWhole ? 'well' : `${status} ${type.split(';')[0]}`;
      } catch (error) {
        return (error as Error).name === 'TimeoutError' ? 'silent' : 'cut short';
      }
    };
    const dates = body.items.map(({ date }) => date).filter((date) => date < '9999');
    const outcomes: string[] = [];
    for (const date of dates) outcomes.push(await outcome(date));
    expect(outcomes.filter((one) => one === 'well').length).toBeGreaterThan(dates.length * 0.8);
    const failed = dates.filter((_, index) => outcomes[index] !== 'well');
    expect(new Set(outcomes).size).toBeGreaterThan(5);
    const date = failed.find((_, index) => outcomes.filter((one) => one !== 'well')[index] !== 'silent') ?? '';
    expect(await outcome(date)).toBe(outcomes[dates.indexOf(date)]);
  });
});

describe('Reports of the harsh service', () => {
  it.each([
    ['dailies', 'date', '9999-12-31'],
    ['weeklies', 'week', '9999-W52'],
    ['monthlies', 'month', '9999-12'],
  ])('%s list a %s far in the future first, and serve it', async (resource, unit, label) => {
    const { get } = standing();
    const { items } = (await get(`/${resource}`)).body;
    expect(items[0]).toMatchObject({ [unit]: label });
    expect(items[1]).not.toMatchObject({ [unit]: label });
    expect((await get(`/${resource}/${label}`)).body.report).toMatchObject({ [unit]: label });
    expect((await get(`/${resource}/latest`)).body.report).not.toMatchObject({ [unit]: label });
  });

  it('often have a lead in the index only, and repeat it in the first item', async () => {
    const { get, service } = standing();
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
});

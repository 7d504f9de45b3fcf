import { describe, expect, it } from 'vitest';
import type { DemoOptions, ServedItem } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { allPages, demo, wholeSnapshot, type Body, standingDemo } from './service.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
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

  it('orders its snapshot by ids that are random in time, and has more than one page of them', async () => {
    const { get } = standing();
    const { items } = await wholeSnapshot(get, 1000);
    expect(items.length).toBeGreaterThan(1000);
    const times = items.map(({ discoveredAt }) => Date.parse(discoveredAt));
    const rising = times.filter((time, index) => index > 0 && time > (times[index - 1] ?? 0)).length;
    expect(rising / times.length).toBeGreaterThan(0.4);
    expect(rising / times.length).toBeLessThan(0.6);
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

  it('gives an event one seat at most', async () => {
    const { service } = await harsh();
    const stories = new Map<string, number>();
    const seats = new Set(service.control.selectedItems().map(({ id }) => id));
    const topics = (await (await fetch(`${service.newsAddress}/api/v1/hot-topics`)).json()) as Body;
    for (const { links } of topics.items) {
      const id = links.story?.split('/').at(-1);
      if (id === undefined) continue;
      service.control.failAt(`/api/v1/stories/${id}`, null);
      const answer = (await (await fetch(`${service.newsAddress}/api/v1/stories/${id}`)).json()) as Body;
      const members = answer.story?.reports.filter((report) => seats.has(report.id)).length ?? 0;
      stories.set(id, members);
    }
    expect(stories.size).toBeGreaterThan(2);
    expect(Math.max(...stories.values())).toBe(1);
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

  it('gives raw source names, and credits itself on every item', async () => {
    const { service } = standing();
    const items = service.control.allItems();
    const names = [...new Set(items.map(({ source }) => source.name))];
    expect(names.some((name) => /^X：.+ \(@\w+\)$/u.test(name))).toBe(true);
    expect(names.some((name) => /^[^：]+：.+（.+）$/u.test(name))).toBe(true);
    expect(names.some((name) => /^[^（]+（.+）$/u.test(name))).toBe(true);
    expect(items.every(({ attribution }) => attribution?.url.startsWith('https://') === true)).toBe(true);
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

  it.each([
    ['forbidden', 403],
    ['broken', 500],
    ['htmlPage', 200],
    ['redirectLoop', 308],
    ['notFound', 404],
  ] as const)('can fail on demand: %s answers %i', async (failure, status) => {
    const { get, service } = await demo();
    service.control.failAt('/api/v1/dailies/2026-03-17', failure);
    const answer = await get('/dailies/2026-03-17');
    expect(answer.status).toBe(status);
    expect(answer.body.report).toBeUndefined();
    service.control.failAt('/api/v1/dailies/2026-03-17', null);
    expect((await get('/dailies/2026-03-17')).body.report.date).toBe('2026-03-17');
  });

  it('can be cut short and silent on demand', async () => {
    const { get, service } = await demo();
    service.control.failAt('/api/v1/dailies/2026-03-17', 'cutShort');
    await expect(get('/dailies/2026-03-17')).rejects.toThrow();
    service.control.failAt('/api/v1/dailies/2026-03-17', 'silent');
    const signal = AbortSignal.timeout(50);
    await expect(get('/dailies/2026-03-17', { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('The control of the harsh service', () => {
  it.each([true, false])('takes an item out of the set while it stays public, marked: %s', async (marked) => {
    const { get, service } = await demo();
    const { control } = service;
    const { cursor } = await wholeSnapshot(get, 100);
    const id = (await get('/items?limit=1')).body.items[0]?.id ?? '';
    expect(control.leaveSet(id, marked).selected).toBe(marked);
    expect((await get(`/selected/changes?cursor=${cursor}`)).body.changes).toMatchObject([{ op: 'remove', id }]);
    const listed = (await allPages(get, '/items?mode=all')).find((item) => item.id === id);
    expect(listed?.selected).toBe(marked);
    expect((await allPages(get, '/items')).some((item) => item.id === id)).toBe(false);
    expect(control.selectedItems().some((item) => item.id === id)).toBe(false);
  });

  it('finds old items now, one in three selected', async () => {
    const { get, service, clock } = await demo();
    const { cursor } = await wholeSnapshot(get, 100);
    const found = service.control.backfill(30);
    expect(found).toHaveLength(30);
    expect(found.every(({ discoveredAt }) => Date.parse(discoveredAt) === clock.now())).toBe(true);
    expect(found.every((item) => lateBy(item) > 3 * DAY)).toBe(true);
    expect((await get(`/selected/changes?cursor=${cursor}`)).body.count).toBe(10);
  });

  it('moves the pages at once', async () => {
    const { get, service } = await demo();
    const { cursor } = await wholeSnapshot(get, 100);
    service.control.movePages('https://elsewhere.broadsheet.example');
    expect((await get(`/selected/changes?cursor=${cursor}`)).status).toBe(409);
    const { items } = await wholeSnapshot(get, 100);
    expect(items.every(({ links }) => links.aihot?.startsWith('https://elsewhere.') === true)).toBe(true);
  });
});

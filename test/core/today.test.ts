import { describe, expect, it } from 'vitest';
import { FRONT_LIMITS } from '../../src-main/contract/model/today.ts';
import { reportLength } from '../../src-main/common/readable-report.ts';
import { openTestApp, saveApp, type TestApp } from '../support/test-app.ts';
import { notifiedStories, report, topic } from '../support/told-stories.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = ({ clock }: TestApp): string => new Date(clock.now()).toISOString();
const today = (app: TestApp) => app.call('today.get', {});
const sync = (app: TestApp) => app.call('sync.run', { urgency: 'now' });

const savedApp = saveApp({ content: { selected: 200, days: 6 } }, sync);

describe('Today', () => {
  it('of an empty mirror says what is missing, and fails at nothing', async () => {
    const app = await openTestApp();
    expect(await today(app)).toEqual({
      daily: null,
      alsoNew: [],
      topics: [],
      stories: [],
      quiet: { count: 0, stories: [] },
      picks: { since: null, added: 0, rows: [] },
      away: null,
    });
  });

  it('has the newest daily with its lead, its length and the first story of each section', async () => {
    const app = await savedApp();
    const { lines } = await app.call('reports.index', { kind: 'daily' });
    const stored = await app.call('reports.get', { kind: 'daily', label: lines[0]!.label });
    const { daily } = await today(app);
    expect(daily).toMatchObject({ kind: 'daily', label: lines[0]!.label, ...reportLength(stored) });
    expect(daily!.minutes).toBeGreaterThan(0);
    // Nothing is read: it leads with its own headline.
    expect([daily!.next, daily!.headline]).toEqual([null, stored.headline]);
    expect(daily!.toGo).toHaveLength(FRONT_LIMITS.toGo);
    const labels = stored.sections.map(({ label }) => label);
    expect(new Set(daily!.toGo.map(({ section }) => section))).toEqual(new Set(labels.slice(0, FRONT_LIMITS.toGo)));
  });

  it('leads a daily that was begun with its first unread story, and has unread ones only', async () => {
    const app = await savedApp();
    const { label } = (await today(app)).daily!;
    const stored = await app.call('reports.get', { kind: 'daily', label });
    const parts = [...stored.sections.map(({ items }) => items), stored.flashes];
    const keys = parts.flatMap((items) => items.flatMap(({ key }) => key ?? []));
    const mark = (some: string[]) => app.call('reports.markCitations', { keys: some, read: true });
    await mark([keys[0]!, keys[2]!]);
    const { daily } = await today(app);
    expect(daily!.next!.key).toBe(keys[1]);
    const places = daily!.toGo.map(({ key }) => keys.indexOf(key!));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(2);
    expect(daily!.more + daily!.toGo.length + 1).toBe(daily!.unread);
    await mark(keys);
    expect((await today(app)).daily).toMatchObject({ unread: 0, next: null, toGo: [], more: 0 });
  });

  it('names the newest weekly and monthly while they are new and unread', async () => {
    const app = await openTestApp({ content: { selected: 300, days: 40 } });
    await app.call('sync.run', { urgency: 'all' });
    const { alsoNew } = await today(app);
    expect(alsoNew.map(({ kind }) => kind)).toContain('weekly');
    for (const { kind, label } of alsoNew) await app.call('reports.mark', { kind, label, read: true });
    expect((await today(app)).alsoNew).toEqual([]);
  });

  it('has the three hottest topics', async () => {
    const told = notifiedStories();
    const app = await openTestApp({ content: { selected: 1 }, intercept: told.intercept });
    told.rank(['a', 'b', 'c', 'd'].map((id, index) => topic(index + 1, id)));
    await sync(app);
    const { topics } = await today(app);
    expect(topics.map(({ rank, id }) => [rank, id])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  it('has followed stories with news only', async () => {
    const told = notifiedStories();
    const app = await openTestApp({ content: { selected: 1 }, intercept: told.intercept });
    const ids = ['a', 'b', 'c'];
    ids.forEach((id) => told.tell(id));
    told.rank(ids.map((id, index) => topic(index + 1, `item-${id}`, { story: id })));
    await sync(app);
    for (const publicId of ['a', 'b']) await app.call('stories.follow', { publicId, follow: true });
    const before = await today(app);
    expect([before.stories, before.quiet.count]).toEqual([[], 2]);
    expect(before.quiet.stories.map(({ publicId }) => publicId).sort()).toEqual(['a', 'b']);
    told.tell('a', { reports: [report('a-2'), report('a-1')] });
    app.clock.advance(HOUR);
    await sync(app);
    const after = await today(app);
    expect(after.stories).toMatchObject([{ publicId: 'a', freshReports: 1 }]);
    expect(after.quiet).toMatchObject({ count: 1, stories: [{ publicId: 'b' }] });
    const { stories } = await app.call('stories.list', { which: 'followed' });
    expect(stories.map(({ publicId }) => publicId).sort()).toEqual(['a', 'b']);
  });

  it('has the newest picks since the last visit, and how many there are', async () => {
    const app = await openTestApp({ content: { selected: 20, days: 2 } });
    await sync(app);
    app.clock.advance(HOUR);
    await app.call('visits.end', {});
    expect((await today(app)).picks).toEqual({ since: at(app), added: 0, rows: [] });
    const { control } = app.service;
    const ids = Array.from({ length: 4 }, () => {
      app.clock.advance(MINUTE);
      return control.addItem({ selected: true, discoveredAt: at(app) }).id;
    });
    await sync(app);
    const { picks } = await today(app);
    expect([picks.added, picks.rows.map(({ id }) => id)]).toEqual([4, ids.toReversed().slice(0, 3)]);
  });
});

describe('after a holiday', () => {
  /** A reader who was here, and then not for some days in which the service went on. */
  async function backAfter(days: number): Promise<TestApp> {
    const app = await openTestApp({ content: 'living', days: 1 });
    await sync(app);
    await app.call('visits.begin', {});
    app.clock.leap(days * DAY);
    await app.call('sync.run', { urgency: 'all' });
    return app;
  }

  it('of three days or more it has what was missed, already before the page says that the reader is back, who may start fresh', async () => {
    const app = await backAfter(6);
    const { away, daily } = await today(app);
    expect(away!.since).toBe(new Date(app.clock.now() - 6 * DAY).toISOString());
    expect(away!.reports.length).toBeGreaterThan(0);
    expect(away!.reports.every(({ kind, headline }) => kind === 'weekly' && headline !== null)).toBe(true);
    expect(away!.top).toHaveLength(FRONT_LIMITS.top);
    expect(daily!.unread).toBeGreaterThan(0);
    await app.call('visits.begin', {});
    const before = await today(app);
    expect(before.away).toEqual(away);

    // Starting fresh marks what is older than today as read, except what today’s daily tells of, and can be undone.
    const { count, below, watermark } = before.away!.older;
    const { all } = await app.call('counts.get', {});
    expect(count).toBeGreaterThan(0);
    const query = { scope: 'all', window: 'any', state: 'any' } as const;
    const { changed, undo } = await app.call('items.markAllRead', { query, below, watermark });
    await app.call('visits.begin', { fresh: true });
    expect(app.heard('visits.changed').length).toBeGreaterThan(0);
    expect(changed).toBe(count);
    expect((await app.call('counts.get', {})).all.unread).toBe(all.unread - count);
    const after = await today(app);
    expect([after.away, after.daily!.unread]).toEqual([null, before.daily!.unread]);
    await app.call('items.undoMark', { undo: undo! });
    await app.call('visits.begin', { fresh: false });
    expect(await today(app)).toEqual(before);
  });

  it('without a weekly in between it has the dailies, except today’s', async () => {
    const app = await backAfter(3);
    const { away, daily } = await today(app);
    expect(daily!.label).toBe('2026-03-21');
    expect(away!.reports.map(({ kind, label }) => [kind, label])).toEqual([
      ['daily', '2026-03-20'],
      ['daily', '2026-03-19'],
    ]);
  });

  it.each([
    ['two days and 23 hours are none', 3 * DAY - HOUR],
    ['a weekend is none', 62 * HOUR],
  ])('%s', async (_, ms) => {
    const app = await openTestApp();
    await app.call('visits.begin', {});
    app.clock.advance(ms);
    expect((await today(app)).away).toBeNull();
    await app.call('visits.begin', {});
    expect((await today(app)).away).toBeNull();
  });

  it('it stays until the next day', async () => {
    const app = await openTestApp({ start: '2026-03-18T06:30:00Z' });
    await app.call('visits.begin', {});
    app.clock.advance(5 * DAY);
    const since = (): Promise<unknown> => today(app).then(({ away }) => away?.since);
    await app.call('visits.begin', {});
    app.clock.advance(2 * HOUR);
    await app.call('visits.begin', {});
    expect(await since()).toBe('2026-03-18T06:30:00.000Z');
    app.clock.advance(DAY);
    await app.call('visits.begin', {});
    expect(await since()).toBeUndefined();
  });
});

describe('the hottest of a holiday', () => {
  it('are the topics that were first, those with the most days first', async () => {
    const told = notifiedStories();
    const app = await openTestApp({ content: { selected: 1 }, intercept: told.intercept });
    for (const id of ['a', 'b']) told.tell(id, { title: `Story ${id}` });
    const rank = async (ids: string[]): Promise<void> => {
      told.rank(ids.map((id, index) => topic(index + 1, `item-${id}`, { story: id })));
      await sync(app);
    };
    await rank(['b', 'a']);
    await app.call('visits.begin', {});
    for (const ids of [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
    ]) {
      app.clock.advance(DAY);
      await rank(ids);
    }
    app.clock.advance(DAY);
    const { away } = await today(app);
    expect(away!.top.slice(0, 2).map(({ ref, title, first }) => [ref, title, first?.days])).toEqual([
      [{ view: 'story', publicId: 'a' }, 'Story a', 3],
      [{ view: 'story', publicId: 'b' }, 'Story b', 2],
    ]);
  });
});

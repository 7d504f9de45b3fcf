import { describe, expect, it } from 'vitest';
import { FRONT_LIMITS } from '../../src-main/contract/model/today.ts';
import { reportLength } from '../../src-main/common/readable-report.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';
import { notifiedStories, report, topic } from '../support/told-stories.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const today = (app: TestApp) => app.call('today.get', {});
const sync = (app: TestApp) => app.call('sync.run', { urgency: 'now' });

describe('the front page', { timeout: 60_000 }, () => {
  it('of an empty mirror says what is missing, and fails at nothing', async () => {
    const app = await openTestApp();
    expect(await today(app)).toEqual({
      daily: null,
      alsoNew: [],
      topics: { top: [], since: null, compared: false, unseen: 0 },
      stories: { lines: [], withNews: 0, followed: 0 },
      models: null,
    });
  });

  it('has the newest daily with its lead, its length and the first story of each section', async () => {
    const app = await openTestApp({ content: { selected: 200, days: 6 } });
    await sync(app);
    const { lines } = await app.call('reports.index', { kind: 'daily' });
    const stored = await app.call('reports.get', { kind: 'daily', label: lines[0]!.label });
    const { daily } = await today(app);
    expect(daily).toMatchObject({ kind: 'daily', label: lines[0]!.label, readAt: null, ...reportLength(stored) });
    expect(daily!.stories).toBeGreaterThan(0);
    expect(daily!.minutes).toBeGreaterThan(0);
    expect(daily!.firstStories.length).toBeGreaterThan(0);
    expect(daily!.firstStories.length).toBeLessThanOrEqual(FRONT_LIMITS.sections);
    const labels = stored.sections.map(({ label }) => label);
    expect(daily!.firstStories.every(({ section }) => labels.includes(section))).toBe(true);
  });

  it('counts what was read in the feed as read in the daily', async () => {
    const app = await openTestApp({ content: { selected: 200, days: 6 } });
    await sync(app);
    const before = (await today(app)).daily!;
    const stored = await app.call('reports.get', { kind: 'daily', label: before.label });
    const ids = stored.sections.flatMap(({ items }) => items.flatMap(({ itemId }) => itemId ?? [])).slice(0, 2);
    await app.call('items.mark', { ids, mark: 'read' });
    const after = (await today(app)).daily!;
    expect(after.read).toBe(before.read + ids.length);
    expect(after.unread).toBe(before.unread - ids.length);
  });

  it('names the newest weekly and monthly while they are new and unread', async () => {
    const app = await openTestApp({ content: { selected: 300, days: 40 } });
    await app.call('sync.run', { urgency: 'all' });
    const { alsoNew } = await today(app);
    expect(alsoNew.map(({ kind }) => kind)).toContain('weekly');
    for (const { kind, label } of alsoNew) await app.call('reports.mark', { kind, label, read: true });
    expect((await today(app)).alsoNew).toEqual([]);
  });

  it('has the five hottest topics with the way of their ranks, and counts those not opened', async () => {
    const told = notifiedStories();
    const app = await openTestApp({ content: { selected: 1 }, intercept: told.intercept });
    const ranked = (ids: string[]) => told.rank(ids.map((id, index) => topic(index + 1, id)));
    ranked(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    await sync(app);
    app.clock.advance(6 * MINUTE);
    ranked(['b', 'a', 'c', 'd', 'e', 'f', 'g']);
    await sync(app);
    await app.call('items.mark', { ids: ['b', 'g'], mark: 'read' });
    const { topics } = await today(app);
    expect(topics.top.map(({ id, moved }) => [id, moved])).toEqual([
      ['b', 1],
      ['a', -1],
      ['c', 0],
      ['d', 0],
      ['e', 0],
    ]);
    expect(topics.top[0]!.history.points.map(({ rank }) => rank)).toEqual([2, 1]);
    expect(topics).toMatchObject({ compared: true, unseen: 5 });
  });

  it('has followed stories with news only, and counts the others', async () => {
    const told = notifiedStories();
    const app = await openTestApp({ content: { selected: 1 }, intercept: told.intercept });
    const ids = ['a', 'b', 'c'];
    ids.forEach((id) => told.tell(id));
    told.rank(ids.map((id, index) => topic(index + 1, `item-${id}`, { story: id })));
    await sync(app);
    for (const publicId of ['a', 'b']) await app.call('stories.follow', { publicId, follow: true });
    expect((await today(app)).stories).toEqual({ lines: [], withNews: 0, followed: 2 });
    told.tell('a', { reports: [report('a-2'), report('a-1')] });
    app.clock.advance(HOUR);
    await sync(app);
    expect((await today(app)).stories).toMatchObject({
      lines: [{ publicId: 'a', freshReports: 1 }],
      withNews: 1,
      followed: 2,
    });
    const { stories } = await app.call('stories.list', { which: 'followed' });
    expect(stories.map(({ publicId }) => publicId).sort()).toEqual(['a', 'b']);
  });

  it('has what changed in the model lists since the last visit', async () => {
    const app = await openTestApp({
      content: { selected: 5, days: 2 },
      gateway: ({ modelsAddress }) => ({ address: modelsAddress, demo: true, from: 'demo' }),
    });
    await sync(app);
    expect((await today(app)).models).toBeNull();
    app.clock.advance(24 * HOUR);
    await app.call('visits.end', {});
    app.clock.advance(24 * HOUR);
    const { control } = app.service;
    const added = Array.from({ length: 9 }, () => control.addModel('models').id);
    const other = control.models('models').find(({ id }) => !added.includes(id))!;
    control.editModel('models', other.id, { name: 'Another name', context_length: 12_345 });
    await sync(app);
    const { models } = await today(app);
    const counts = Object.fromEntries(models!.counts.map(({ field, count }) => [field, count]));
    expect(counts).toMatchObject({ added: 9, name: 1, context: 1 });
    expect(models!.models).toHaveLength(FRONT_LIMITS.models);
    expect(models!.models.every(({ fields }) => fields.includes('added'))).toBe(true);
    app.clock.advance(MINUTE);
    await app.call('visits.end', {});
    expect((await today(app)).models).toBeNull();
  });
});

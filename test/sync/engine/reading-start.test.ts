import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const DAY = 24 * 3_600_000;
const ALL: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };

const unread = async ({ call }: TestApp): Promise<number> => (await call('counts.get', {})).all.unread;

/** The number of items that are at most `days` old at `now`. */
async function younger({ call }: TestApp, days: number, now: number): Promise<number> {
  const { rows, next } = await call('items.page', { query: ALL, limit: 500 });
  expect(next).toBeNull();
  return rows.filter(({ effectiveAt }) => Date.parse(effectiveAt) >= now - days * DAY).length;
}

const choose = (app: TestApp, unreadAtFirst: 'day' | 'week' | 'everything') =>
  app.call('settings.set', { patch: { unreadAtFirst } });

describe('a first download', () => {
  it('leaves the chosen time unread, also if it is chosen afterwards', async () => {
    const app = await openTestApp();
    await choose(app, 'day');
    const now = app.clock.now();
    await app.call('sync.run', { urgency: 'due' });
    const day = await younger(app, 1, now);
    expect(day).toBeGreaterThan(0);
    expect(await unread(app)).toBe(day);
    const { total } = (await app.call('counts.get', {})).all;
    expect(total).toBeGreaterThan(day);

    await choose(app, 'week');
    expect(await unread(app)).toBe(await younger(app, 7, now));
    expect(app.heard('counts.changed').at(-1)?.all.unread).toBe(await unread(app));
    expect(app.heard('marks.changed').at(-1)).toEqual({ ids: null });
    await choose(app, 'everything');
    expect(await unread(app)).toBe(total);
  });

  it('is told by the setting of a later start, too', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    await choose(app, 'day');
    const now = app.clock.now();
    await app.call('sync.run', { urgency: 'due' });
    const day = await unread(app);
    await app.reopen();
    expect(await unread(app)).toBe(day);
    app.clock.advance(3 * DAY);
    await app.call('data.rebuildMirror', {});
    await app.call('sync.run', { urgency: 'all' });
    expect(await unread(app)).toBe(await younger(app, 1, now));
  });
});

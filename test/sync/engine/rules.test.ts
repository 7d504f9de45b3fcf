import { describe, expect, it } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const ALL: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };

/** Ends when all saved items are matched. */
async function matched(app: TestApp): Promise<void> {
  await expect.poll(async () => (await app.call('mutes.list', {})).progress).toBeNull();
}

const count = async ({ call }: TestApp, query: Partial<ItemsQuery>): Promise<number> =>
  (await call('items.count', { query: { ...ALL, ...query } })).count;

describe('mute rules and saved searches of an engine', () => {
  it('match in the background, with events, and survive a restart and a rebuild', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    await app.call('sync.run', { urgency: 'due' });
    const before = (await app.call('counts.get', {})).all.total;
    const papers = await count(app, { category: 'paper' });
    expect(papers).toBeGreaterThan(0);
    const { id, rules } = await app.call('mutes.add', { query: 'category:paper' });
    expect(rules).toMatchObject([{ id, query: 'category:paper' }]);
    const { id: search } = await app.call('saved.add', { name: 'Models', query: 'category:ai-models' });
    await matched(app);
    const counts = await app.call('counts.get', {});
    expect(counts).toMatchObject({ all: { total: before - papers }, muted: { total: papers } });
    // Another connection reads the rows before the event arrives.
    await expect.poll(() => app.heard('rules.changed').at(-1)).toEqual({ progress: null });
    expect(app.heard('counts.changed').at(-1)).toEqual(counts);
    // The counts come first.
    const told = app.events.flatMap(({ event }) =>
      event === 'counts.changed' || event === 'rules.changed' ? [event] : [],
    );
    expect(told.slice(-2)).toEqual(['counts.changed', 'rules.changed']);
    const models = await count(app, { category: 'ai-models' });
    expect(await count(app, { saved: search })).toBe(models);
    expect(await count(app, { saved: search, state: 'unread' })).toBe(counts.saved[0]?.unread);

    await app.reopen();
    expect(await app.call('counts.get', {})).toEqual(counts);
    await app.call('data.rebuildMirror', {});
    await app.call('sync.run', { urgency: 'all' });
    await matched(app);
    expect(await app.call('counts.get', {})).toEqual(counts);

    await app.call('mutes.remove', { id });
    await matched(app);
    expect((await app.call('counts.get', {})).all.total).toBe(before);
    // The undo.
    expect((await app.call('mutes.add', { query: 'category:paper', was: id })).id).toBe(id);
    await matched(app);
    expect((await app.call('counts.get', {})).muted.total).toBe(papers);
  });

  it('that are being matched when the mirror is rebuilt are matched with what comes again', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    await app.call('sync.run', { urgency: 'due' });
    const papers = await count(app, { category: 'paper' });
    await app.call('mutes.add', { query: 'category:paper' });
    const { id: search } = await app.call('saved.add', { name: 'Models', query: 'category:ai-models' });
    expect(app.heard('rules.changed').at(-1)?.progress).not.toBeNull();
    expect((await app.call('counts.get', {})).muted.total).toBe(0);
    await app.call('data.rebuildMirror', {});
    await app.call('sync.run', { urgency: 'all' });
    await matched(app);
    expect((await app.call('counts.get', {})).muted.total).toBe(papers);
    expect(await count(app, { category: 'paper' })).toBe(0);
    expect(await count(app, { saved: search })).toBe(await count(app, { category: 'ai-models' }));
  });
});

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ItemRow } from '../../src-main/contract/model/item.ts';
import { EVERYTHING, expectEqualSets, rowsOf } from '../support/selected-set.ts';
import { openTestApp, saveApp, type TestApp } from '../support/test-app.ts';

const DAY = 86_400_000;

const syncAll = ({ call }: Pick<TestApp, 'call'>) => call('sync.run', { urgency: 'now' });
const starred = (app: TestApp) => rowsOf(app, { ...EVERYTHING, state: 'starred' });

/** Leaves out the mentions of models, which follow in the background. */
function shown({ models: _, ...row }: ItemRow): Omit<ItemRow, 'models'> {
  return row;
}

/** Everything that is saved, as the page shows it. */
async function everything(app: TestApp) {
  return {
    rows: (await rowsOf(app, EVERYTHING)).map(shown),
    counts: await app.call('counts.get', {}),
    dailies: (await app.call('reports.index', { kind: 'daily' })).lines,
    stories: (await app.call('stories.list', { which: 'all' })).stories,
  };
}

const savedApp = saveApp({}, syncAll);

/** A mirror of a service that can be made to fail. */
async function openScene() {
  const state: { answer: 'all' | 'nothing' | 'wait' | 'half' } = { answer: 'all' };
  let requests = 0;
  const app = await savedApp({
    intercept: (request, response) => {
      const isNews = request.url?.startsWith('/api') ?? false;
      requests += 1;
      if (state.answer === 'nothing' || (state.answer === 'half' && isNews && request.url?.includes('/items'))) {
        response.destroy();
        return true;
      }
      if (state.answer === 'wait') response.writeHead(503, { 'retry-after': '600' }).end();
      return state.answer === 'wait';
    },
  });
  return { app, state, count: () => requests };
}

describe('a rebuild', () => {
  it('tells how far it is, and that it has ended', async () => {
    const { app } = await openScene();
    const { length } = app.events;
    await app.call('data.rebuildMirror', {});
    const progress = (name: string) =>
      app.events
        .slice(length)
        .flatMap(({ event, payload }) => (event === 'sync.changed' ? payload.resources : []))
        .filter((resource) => resource.name === name)
        .map((resource) => resource.progress);
    const { selected } = await app.call('counts.get', {});
    expect(progress('selected')).toContainEqual(
      expect.objectContaining({ stored: selected.total, expected: selected.total }),
    );
    expect([progress('selected').at(-1), progress('items').at(-1)]).toEqual([null, null]);
  });

  it.each([
    ['the service is down', 'nothing', 'unreachable'],
    ['the service asks to wait', 'wait', 'rate_limited'],
    ['the download stops halfway', 'half', 'unreachable'],
  ] as const)('changes nothing and says so if %s', async (_, answer, code) => {
    const { app, state } = await openScene();
    const before = await everything(app);
    const files = readdirSync(app.folder);
    state.answer = answer;
    const reply = await app.reply('data.rebuildMirror', {});
    expect(reply).toMatchObject({ ok: false, error: { code } });
    expect(reply.ok ? '' : reply.error.message).toContain('what is saved is unchanged');
    expect(await everything(app)).toEqual(before);
    expect(readdirSync(app.folder)).toEqual(files);
    await app.reopen();
    expect(await everything(app)).toEqual(before);
  });

  it('sends nothing while the service asks to wait, and says until when', async () => {
    const { app, state, count } = await openScene();
    state.answer = 'wait';
    await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    state.answer = 'all';
    const before = count();
    const until = new Date(app.clock.now() + 600_000).toISOString();
    expect(await app.reply('data.rebuildMirror', {})).toMatchObject({
      ok: false,
      error: { code: 'rate_limited', message: expect.stringContaining(until) as string },
    });
    expect(count()).toBe(before);
    await app.reopen();
    expect((await app.call('sync.run', { urgency: 'now', resources: ['selected'] })).resources.selected).toMatchObject({
      status: 'notDue',
      requests: 0,
    });
  });

  it('believes no service that has lost much of what is saved', async () => {
    const { app } = await openScene();
    const before = await everything(app);
    app.service.control.shrinkSnapshots(0.3);
    const reply = await app.reply('data.rebuildMirror', {});
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_body' } });
    expect(await everything(app)).toEqual(before);
  });

  it('needs no changes: those that can never be read are for the next sync', async () => {
    let isBroken = false;
    const app = await openTestApp({
      folder: 'temporary',
      intercept: ({ url = '' }, response) => {
        if (!isBroken || !url.includes('/selected/changes')) return false;
        response
          .writeHead(400, { 'content-type': 'application/problem+json' })
          .end('{"status":400,"code":"invalid_cursor"}');
        return true;
      },
    });
    await syncAll(app);
    isBroken = true;
    app.service.control.addItem({ title: 'Just in' });
    expect(await app.reply('data.rebuildMirror', {})).toMatchObject({ ok: true });
    await expectEqualSets(app, app.service.control);
  });

  it('brings what the service has, and keeps what it no longer sends and the reader marked', async () => {
    const { app } = await openScene();
    const { control } = app.service;
    const [old, noted] = control.allItems().filter(({ selected }) => !selected);
    await app.call('items.mark', { ids: [old?.id ?? ''], mark: 'star' });
    await app.call('notes.set', { kind: 'item', id: noted?.id ?? '', text: 'Compare with the paper' });
    const [edited, gone] = control.selectedItems();
    control.editItem(edited?.id ?? '', { title: 'Another title' });
    await syncAll(app);
    const stories = (await app.call('stories.list', { which: 'all' })).stories;
    const dailies = (await app.call('reports.index', { kind: 'daily' })).lines;
    const { revisedAt } = await app.call('items.get', { id: edited?.id ?? '' });
    const [star] = await starred(app);
    // The list of all items goes back seven days.
    app.clock.advance(20 * DAY);
    control.withdraw(gone?.id ?? '');
    await app.call('data.rebuildMirror', {});

    await expectEqualSets(app, control);
    expect((await starred(app)).map(shown)).toEqual([star && shown(star)]);
    expect(star).toMatchObject({ title: old?.title, links: old?.links, publishedAt: old?.publishedAt });
    expect(await app.call('items.get', { id: noted?.id ?? '' })).toMatchObject({ title: noted?.title });
    expect((await app.call('stories.list', { which: 'all' })).stories).toEqual(stories);
    expect((await app.call('reports.index', { kind: 'daily' })).lines).toEqual(dailies);
    expect(await app.call('items.get', { id: edited?.id ?? '' })).toMatchObject({
      title: 'Another title',
      revisedAt,
    });
    expect(readdirSync(app.folder).filter((name) => /next|unfinished/.test(name))).toEqual([]);
    expect((await app.call('health.check', {})).integrity).toMatchObject({ sound: true });
    // The rest is synced again, from the beginning.
    expect(await syncAll(app)).toMatchObject({ ok: true });
    await expectEqualSets(app, control);
  });
});

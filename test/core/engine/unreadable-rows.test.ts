import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createReadingCore } from '../../../src-main/core/core.ts';
import { EVERYTHING, rowsOf } from '../../support/selected-set.ts';
import { saveApp, type TestApp } from '../../support/test-app.ts';

/** For tests that hang. */
const PATIENCE = { timeout: 30_000 };

const savedApp = saveApp(
  {
    content: { selected: 60, unselected: 20, days: 5 },
    gateway: ({ modelsAddress }) => ({ address: modelsAddress, demo: true, from: 'demo' }),
  },
  async (app) => {
    await app.call('sync.run', { urgency: 'now' });
    const [first] = await rowsOf(app, EVERYTHING);
    await app.call('items.mark', { ids: [first?.id ?? ''], mark: 'star' });
  },
);

/** Changes a closed file behind the app's back. */
function tamper(app: TestApp, sql: string, file = 'mirror.db'): void {
  const database = new Database(join(app.folder, file));
  database.exec(sql);
  database.close();
}

/** All that lists show. */
async function seen(app: TestApp) {
  const reports = await Promise.all(
    (['daily', 'weekly', 'monthly'] as const).map(async (kind) => (await app.call('reports.index', { kind })).lines),
  );
  return {
    items: (await rowsOf(app, EVERYTHING)).map(({ attribution, ...row }) => ({
      ...row,
      by: attribution?.['name'] ?? null,
    })),
    stories: await app.call('stories.list', { which: 'all' }),
    topics: (await app.call('hotTopics.list', {})).topics.map(({ id }) => id),
    reports: reports.flat().map(({ label, headline, stored }) => ({ label, headline, stored })),
    counts: await app.call('counts.get', {}),
  };
}

/** All that lists and searches show of models. */
async function seenOfModels(app: TestApp) {
  const { lines } = await app.call('models.list', { modelList: 'models' });
  for (const { id } of lines) await app.call('models.get', { modelList: 'models', id });
  return {
    lines,
    refreshes: (await app.call('models.changes', { limit: 10 })).refreshes,
    items: await rowsOf(app, EVERYTHING),
    found: (await rowsOf(app, { ...EVERYTHING, text: 'model' })).map(({ id }) => id),
  };
}

/** The next idle moment checks the files, opens them again and repairs them. */
async function repaired(app: TestApp): Promise<void> {
  app.events.length = 0;
  app.clock.advance(60_000);
  await app.call('sync.run', { urgency: 'due' });
  await vi.waitUntil(() => app.heard('data.replaced').length > 0, PATIENCE);
}

describe('a row that cannot be read', () => {
  it('is skipped, and fetched again, whatever it is of', async () => {
    const app = await savedApp();
    const before = await seen(app);
    await app.core.close();
    tamper(
      app,
      `UPDATE item SET attribution = '{"name": "A' WHERE arrival = 3;
       UPDATE item SET unknown = '{{' WHERE arrival IN (2, 5);
       UPDATE document SET body = substr(body, 1, 100) WHERE kind = 'story';
       UPDATE document SET head = '{' WHERE kind = 'daily';
       UPDATE document SET body = 'x' || body WHERE kind = 'weekly';
       UPDATE document SET body = replace(body, '"sections"', '"sektions"') WHERE kind = 'monthly';
       UPDATE document SET body = '' WHERE kind = 'hotTopics'`,
    );
    await app.reopen();
    const now = await seen(app);
    expect(now.items).toHaveLength(before.items.length - 3);
    expect(now.topics).toEqual([]);
    expect(now.stories.stories).toHaveLength(before.stories.stories.length);
    for (const { publicId } of before.stories.stories)
      expect((await app.reply('stories.get', { publicId })).ok || 'not_found').toBeTruthy();
    const isDaily = ({ label }: { label: string }): boolean => label.length === 10;
    expect(now.reports.filter(isDaily).length).toBeLessThan(before.reports.filter(isDaily).length);
    const others = before.reports.filter((report) => !isDaily(report));
    expect(now.reports.filter((report) => !isDaily(report))).toHaveLength(others.length);
    for (const { label } of others.filter(({ stored }) => stored)) {
      const kind = label.includes('W') ? 'weekly' : 'monthly';
      const reply = await app.reply('reports.get', { kind, label });
      expect(reply.ok ? '' : reply.error.code).toMatch(/^(not_found)?$/);
    }
    expect(existsSync(join(app.folder, 'mirror.db-check'))).toBe(true);

    // Then the rest is fetched.
    await repaired(app);
    expect(await app.call('sync.run', { urgency: 'all' })).toMatchObject({ ok: true });
    expect(await seen(app)).toEqual(before);
    expect(existsSync(join(app.folder, 'mirror.db-check'))).toBe(false);
    expect((await app.call('health.check', {})).integrity).toMatchObject({ sound: true, messages: [] });
    // Nothing was set aside for it.
    expect((await app.call('sync.status', {})).storageWarnings).toEqual([]);
  });

  it('does not stop a sync that fetches its item again', async () => {
    const app = await savedApp();
    const before = await seen(app);
    await app.core.close();
    tamper(
      app,
      `UPDATE item SET attribution = '{'; UPDATE fetch SET etag = NULL; DELETE FROM property WHERE name = 'set_cursor'`,
    );
    await app.reopen();
    expect(await app.call('sync.run', { urgency: 'all' })).toMatchObject({ ok: true });
    expect(await seen(app)).toEqual(before);
  });

  it('is skipped by a process that only reads, which leaves the mark for the next sync', async () => {
    const app = await savedApp();
    await app.core.close();
    tamper(app, `UPDATE item SET attribution = '' WHERE arrival < 10`);
    const reading = await createReadingCore(app.ports);
    const page = await reading.wire.call('items.page', { query: EVERYTHING, limit: 500 });
    expect(page).toMatchObject({ ok: true });
    await reading.close();
    expect(existsSync(join(app.folder, 'mirror.db-check'))).toBe(true);
  });

  it('costs no model its place, its changes or the items that name it, and is fetched again', async () => {
    const app = await savedApp();
    await app.core.close();
    tamper(
      app,
      `INSERT INTO refresh (id, owner, model_list, at, other_key) SELECT 1, owner, model_list, stored_at, 0 FROM model_list WHERE model_list = 'models';
       INSERT INTO change (refresh, model, name, field, before, after)
         SELECT 1, id, id, 'context', '1000', '2000' FROM model ORDER BY rowid LIMIT 3`,
      'user.db',
    );
    await app.reopen();
    const before = await seenOfModels(app);
    expect(before.items.flatMap(({ models }) => models)).not.toEqual([]);
    expect(before.refreshes.map(({ changes }) => changes.length)).toEqual([3]);
    await app.core.close();
    tamper(
      app,
      `UPDATE model SET body = '{' || body; UPDATE change SET after = '{' WHERE rowid = 1; UPDATE change SET field = '' WHERE rowid = 2`,
      'user.db',
    );
    await app.reopen();
    const now = await seenOfModels(app);
    expect(now.lines.map(({ id }) => id)).toEqual(before.lines.map(({ id }) => id));
    expect(now.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id));
    expect(now.found).toEqual(before.found);
    expect(now.refreshes.map(({ changes }) => changes.length)).toEqual([1]);

    await repaired(app);
    expect(await app.call('sync.run', { urgency: 'all' })).toMatchObject({ ok: true });
    // A change that can't be read is known nowhere else; what was fetched again counts as none.
    expect(await seenOfModels(app)).toEqual({ ...before, refreshes: now.refreshes });
    expect((await app.call('health.check', {})).integrity).toMatchObject({ sound: true, messages: [] });
    expect((await app.call('sync.status', {})).storageWarnings).toEqual([]);
  });

  it('costs no other notification', async () => {
    const app = await savedApp();
    await app.core.close();
    tamper(
      app,
      `ATTACH '${join(app.folder, 'mirror.db')}' AS mirror;
       INSERT INTO notification (key, mirror, kind, at, count, target, items, state)
         SELECT column1, value, 'items', 0, 1, column2, '[]', 'silent' FROM mirror.property, (VALUES
           ('one', '{"view":"feed"}'), ('two', '{"view"'), ('three', 'null')) WHERE mirror.property.name = 'source'`,
      'user.db',
    );
    await app.reopen();
    const listed = async () =>
      (await app.call('notifications.list', { limit: 10 })).notifications.map(({ kind }) => kind);
    expect(await listed()).toEqual(['items']);
    await repaired(app);
    expect(await listed()).toEqual(['items']);
    expect((await app.call('health.check', {})).integrity).toMatchObject({ sound: true, messages: [] });
  });
});

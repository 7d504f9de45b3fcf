import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const UNUSABLE = ['', 'x', '7', 'null', '[]', '{}', '{"since":"a","until":1}', '{"at":1e99,"sound":1}', '\u0000'];
const YEAR = 365.25 * 86_400_000;

async function openScene(): Promise<TestApp> {
  const app = await openTestApp({ folder: 'temporary', content: { selected: 5, unselected: 2, days: 2 } });
  await app.call('sync.run', { urgency: 'all' });
  return app;
}

/** Changes a closed file, and opens the app again. */
async function change(app: TestApp, file: string, sql: string, ...values: (string | number)[]): Promise<void> {
  await app.core.close();
  const database = new Database(join(app.folder, file));
  database.prepare(sql).run(...values);
  database.close();
  await app.reopen();
}

const setProperty = (app: TestApp, file: string, name: string, value: string) =>
  change(app, file, 'INSERT OR REPLACE INTO property (name, value) VALUES (?, ?)', name, value);

async function expectWorking(app: TestApp): Promise<void> {
  expect(await app.call('sync.status', {})).toMatchObject({ selectedComplete: true });
  expect(await app.call('health.get', {})).toMatchObject({ problems: [] });
  expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
  expect(await app.call('items.mark', { ids: ['a'], mark: 'read' })).toBeDefined();
  expect(app.log.filter(({ fields }) => 'trace' in fields)).toEqual([]);
}

describe('a saved value that is unusable', () => {
  it.each([
    ['user.db', 'pause'],
    ['mirror.db', 'integrity'],
    ['mirror.db', 'check_due_at'],
    ['mirror.db', 'set_snapshot'],
  ])('counts as none: %s, %s', async (file, name) => {
    const app = await openScene();
    for (const value of UNUSABLE) await setProperty(app, file, name, value);
    await expectWorking(app);
    expect(await app.call('sync.status', {})).toMatchObject({ pause: null });
  });

  it('counts as none in the fetch log', async () => {
    const app = await openScene();
    await change(app, 'mirror.db', `UPDATE fetch SET failure = '{"code":"unknown"', doubt = '[]', failures = 1`);
    await change(app, 'mirror.db', `UPDATE run SET failure = '[]', skipped_reasons = '{}'`);
    await change(app, 'mirror.db', 'UPDATE fetch SET due = ?, answered = ?', 2 ** 53, -(2 ** 53));
    await expectWorking(app);
  });
});

describe('sync.pause', () => {
  it('accepts ten years, and refuses more', async () => {
    const app = await openScene();
    const now = app.clock.now();
    for (const untilMs of [now + 10.1 * YEAR, 253_402_300_799_000, 8.64e15, Number.MAX_SAFE_INTEGER]) {
      expect(await app.reply('sync.pause', { untilMs: Math.round(untilMs) })).toMatchObject({
        ok: false,
        error: { code: 'invalid_argument' },
      });
    }
    const { pause } = await app.call('sync.pause', { untilMs: now + 9 * YEAR });
    expect(pause?.until).toMatch(/^2035-/);
    await app.reopen();
    expect(await app.call('sync.status', {})).toMatchObject({ pause });
  });
});

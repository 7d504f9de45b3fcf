import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { pagesOf } from '../../support/database-pages.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { casesOf } from '../../support/proofs.ts';
import { EVERYTHING, SELECTED, rowsOf } from '../../support/selected-set.ts';
import { openTestApp, saveApp, type TestApp } from '../../support/test-app.ts';

const PAGE = 4_096;
/** For tests that hang. */
const PATIENCE = { timeout: 30_000 };
const SELECTED_ITEMS = 120;
const STARRED_ITEMS = 40;
const SCENE = { content: { selected: SELECTED_ITEMS, unselected: 30, days: 3 }, days: 3 };
const WEEK = 7 * 24 * 3_600_000;

/** An app with read and starred items, indexed. */
const savedApp = saveApp(SCENE, async (app) => {
  await app.call('sync.run', { urgency: 'now' });
  const ids = (await rowsOf(app, SELECTED)).map(({ id }) => id);
  await app.call('items.mark', { ids: ids.slice(0, STARRED_ITEMS), mark: 'star' });
  await app.call('items.mark', { ids: ids.slice(20, 80), mark: 'read' });
});

/** All that lists, searches and counters show, apart from texts. */
async function seen(app: TestApp) {
  const listed = async (query: object) =>
    (await rowsOf(app, { ...EVERYTHING, ...query })).map(({ id, category, state }) => ({ id, category, state }));
  return {
    all: await listed({}),
    selected: await listed({ scope: 'selected' }),
    unread: await listed({ state: 'unread' }),
    starred: await listed({ state: 'starred' }),
    papers: await listed({ category: 'paper' }),
    found: await listed({ text: 'model' }),
    counts: await app.call('counts.get', {}),
  };
}

function replace(folder: string, copy: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  cpSync(copy, folder, { recursive: true });
}

/** Changes a closed mirror behind the app's back. */
function tamper(app: TestApp, sql: string, file = 'mirror.db'): void {
  const database = new Database(join(app.folder, file));
  // The tables of FTS5, too.
  database.unsafeMode().exec(sql);
  database.close();
}

const TAMPERED = [
  ['statuses', 'UPDATE item_index SET starred = 0; UPDATE item_index SET unread = 1', 'mirror.db'],
  ['counters', 'UPDATE counter SET n = n + 3', 'mirror.db'],
  ['a lost counter', 'DELETE FROM counter', 'mirror.db'],
  ['membership', 'UPDATE item_index SET generation = 0 WHERE key % 2 = 0', 'mirror.db'],
  ['the category', "UPDATE item_index SET category = 'other'", 'mirror.db'],
  ['missing rows of the index', 'DELETE FROM item_index WHERE key % 3 = 0', 'mirror.db'],
  ['missing entries of the search index', 'DELETE FROM item_text WHERE rowid % 2 = 0', 'search.db'],
] as const;

describe.each([
  ['this thread', {}, casesOf(TAMPERED, [0, 1, 5])],
  ['a thread of its own', { thread: true }, casesOf(TAMPERED, [6])],
] as const)('with the engine in %s, a check', (_, options, cases) => {
  it.each(cases)('repairs %s', async (_name, sql, file) => {
    const app = await savedApp(options);
    const before = await seen(app);
    await app.core.close();
    tamper(app, sql, file);
    await app.reopen();
    expect(await seen(app)).not.toEqual(before);
    expect(await app.call('health.check', {})).toMatchObject({ integrity: { sound: false } });
    await vi.waitUntil(() => app.heard('data.replaced').length > 0, PATIENCE);
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    expect(await seen(app)).toEqual(before);
    expect(await app.call('health.check', {})).toMatchObject({ integrity: { sound: true, messages: [] } });
    expect(existsSync(join(app.folder, 'mirror.db-check'))).toBe(false);
  });
});

const searched = async (app: TestApp) => (await rowsOf(app, { ...EVERYTHING, text: 'model' })).map(({ id }) => id);

/** Changes one byte in the SQL of a table, as in a file that was copied badly. */
function changeSchema(app: TestApp): void {
  const file = join(app.folder, 'search.db');
  const bytes = readFileSync(file);
  const at = bytes.indexOf("tokenize='ascii'");
  bytes.write('X', at);
  writeFileSync(file, bytes);
}

describe('a search index that SQLite can not use', () => {
  it.each([
    ['a sync', (app: TestApp) => app.reply('sync.run', { urgency: 'now' })],
    ['a mark', (app: TestApp) => app.reply('items.mark', { ids: ['an item'], mark: 'star' })],
    ['a search', (app: TestApp) => app.reply('items.page', { query: { ...EVERYTHING, text: 'model' }, limit: 5 })],
    ['a check', (app: TestApp) => app.reply('health.check', {})],
    ['a backup', (app: TestApp) => app.reply('data.backUp', {})],
    ['a rebuild', (app: TestApp) => app.reply('data.rebuildMirror', {})],
  ])('is told and built again by a start: %s goes on', async (_, work) => {
    const app = await savedApp();
    const before = await searched(app);
    await app.core.close();
    changeSchema(app);
    await app.reopen();
    expect(await work(app)).toMatchObject({ ok: true });
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    expect(await searched(app)).toEqual(before);
    expect((await app.call('sync.status', {})).storageWarnings).toMatchObject([
      { file: 'search.db', reason: 'damaged' },
    ]);
  });

  it.each([
    [
      'a search',
      // Makes open connections read it again.
      "UPDATE item_text_data SET block = CAST(x'0000004D' || substr(block, 5) AS BLOB) WHERE id = 10",
      (app: TestApp) => app.reply('items.page', { query: { ...EVERYTHING, text: 'model' }, limit: 5 }),
    ],
    ['its update', 'UPDATE derived SET at = 0', (app: TestApp) => app.reply('sync.run', { urgency: 'now' })],
  ])('is named and built again without a restart after %s has failed', async (by, also, work) => {
    const app = await savedApp();
    // FTS5 then reports a mistake in the statement, no corruption.
    tamper(app, `UPDATE item_text_config SET v = 77 WHERE k = 'version'; ${also}`, 'search.db');
    const reply = JSON.stringify(await work(app));
    if (by === 'a search') expect(reply).toMatch(/data_unreadable.*search\.db/);
    await vi.waitUntil(() => app.heard('data.replaced').length > 0, PATIENCE);
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    expect((await searched(app)).length).toBeGreaterThan(0);
    expect((await app.call('sync.status', {})).storageWarnings).toMatchObject([{ file: 'search.db' }]);
  });
});

describe('the databases', () => {
  const checkedAt = async (app: TestApp) => (await app.call('health.get', {})).integrity?.at ?? null;

  it('are checked once a week, after a sync', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    await app.call('sync.run', { urgency: 'now' });
    expect(await checkedAt(app)).toBeNull();
    app.clock.advance(WEEK + 1);
    await app.call('sync.run', { urgency: 'now' });
    const first = await checkedAt(app);
    expect(first).not.toBeNull();
    app.clock.advance(WEEK / 2);
    await app.call('sync.run', { urgency: 'now' });
    expect(await checkedAt(app)).toBe(first);
    app.clock.advance(WEEK / 2);
    await app.call('sync.run', { urgency: 'now' });
    expect(await checkedAt(app)).not.toBe(first);
  });

  it('are checked after they were not closed', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    await app.call('sync.run', { urgency: 'now' });
    await app.call('items.mark', { ids: ['an item'], mark: 'star' });
    // As after a kill: the logs are still there.
    const copy = temporaryFolder();
    cpSync(app.folder, copy, { recursive: true });
    await app.core.close();
    replace(app.folder, copy);
    await app.reopen();
    await app.call('sync.run', { urgency: 'due' });
    expect(await checkedAt(app)).not.toBeNull();
  });

  /** So much that any list meets it. */
  function spoil(folder: string): void {
    const file = join(folder, 'mirror.db');
    const bytes = readFileSync(file);
    for (const page of pagesOf('item', file)) bytes.fill(0xff, (page - 1) * PAGE, (page - 1) * PAGE + 200);
    writeFileSync(file, bytes);
  }

  it('are opened again when a call finds damage, and ten minutes later if it comes back at once', async () => {
    const app = await savedApp();
    const unreadable = { ok: false, error: { code: 'data_unreadable' } };
    const replaced = () => app.heard('data.replaced').length;
    const look = () => app.reply('items.page', { query: EVERYTHING, limit: 100 });
    await app.core.close();
    spoil(app.folder);
    await app.reopen();
    app.events.length = 0;
    expect(await look()).toMatchObject(unreadable);
    await vi.waitUntil(() => replaced() === 1, PATIENCE);
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    expect((await app.call('sync.status', {})).storageWarnings).toMatchObject([{ file: 'mirror.db' }]);
    spoil(app.folder);
    expect(await look()).toMatchObject(unreadable);
    expect(await look()).toMatchObject(unreadable);
    app.clock.advance(9 * 60_000);
    await app.reply('counts.get', {});
    expect(replaced()).toBe(1);
    app.clock.advance(60_000);
    await vi.waitUntil(() => replaced() === 2, PATIENCE);
    expect(await app.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    expect(await app.call('counts.get', {})).toMatchObject({
      selected: { total: SELECTED_ITEMS },
      starred: { total: STARRED_ITEMS },
    });
  });
});

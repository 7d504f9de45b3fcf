import Database from 'better-sqlite3';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import type { UserDataFile } from '../../src-main/contract/user-data.ts';
import { createReadingCore } from '../../src-main/core/core.ts';
import { FOREIGN_KEY, KEY } from '../support/gateway.ts';
import { openTestApp, saveApp, type TestApp } from '../support/test-app.ts';
import { EVERYTHING, rowsOf, SELECTED } from '../support/selected-set.ts';
import { idsIn, recordsOf } from '../support/user-data.ts';

/** In this thread; test/hosts/behaviour.test.ts does the same in others and through each host. */
const IN_FOLDER = { folder: 'temporary' } as const;
const syncNow = ({ call }: Pick<TestApp, 'call'>) => call('sync.run', { urgency: 'now' });
const WORKLOAD = { name: 'Chat', tokensIn: 1000, tokensOut: 1, tokensCached: 0, requestsAMonth: 30 };
const ALIASES = ['A word of mine', 'Another'];

/** A month of user activity, through the API of the page. */
async function liveIn(app: TestApp): Promise<void> {
  const { call } = app;
  await syncNow(app);
  const rows = await rowsOf(app, SELECTED);
  const ids = rows.map(({ id }) => id);
  const [first, second, third, oldest] = [...ids.slice(0, 3), ids.at(-1)] as [string, string, string, string];
  // An item that is starred is withdrawn only if the list must still have it, by both of its times.
  const yesterday = app.clock.now() - 86_400_000;
  const isRecent = (time: string | null): boolean => time !== null && Date.parse(time) > yesterday;
  const withdrawn = rows.slice(3).find((row) => isRecent(row.publishedAt) && isRecent(row.discoveredAt))!.id;
  await call('items.mark', { ids: [first, 'long gone'], mark: 'read' });
  for (const mark of ['read', 'unread'] as const) await call('items.mark', { ids: [oldest], mark });
  await call('items.mark', { ids: [second, third], mark: 'star' });
  await call('items.mark', { ids: [third], mark: 'unstar' });
  await call('items.mark', { ids: [withdrawn], mark: 'star' });
  app.service.control.withdraw(withdrawn);
  await syncNow(app);
  const [story, other] = (await call('stories.list', { which: 'all' })).stories.map(({ publicId }) => publicId);
  if (story !== undefined) await call('stories.follow', { publicId: story, follow: true });
  if (other !== undefined) await call('stories.star', { publicId: other, star: true });
  const [daily] = (await call('reports.index', { kind: 'daily' })).lines;
  if (daily) await call('reports.mark', { kind: 'daily', label: daily.label, read: true });
  await call('notes.set', { kind: 'item', id: first, text: 'Compare with the paper' });
  await call('saved.add', { name: 'Papers on agents', query: 'category:paper agents', notify: true });
  await call('mutes.add', { query: '"sponsored by"' });
  await call('reports.markCitations', { keys: ['https://somewhere.example/1'], read: true });
  await call('models.favourite', { id: 'vendor/model', favourite: true });
  await call('models.setAliases', { id: 'vendor/model', aliases: ALIASES });
  await call('workloads.save', { workload: WORKLOAD });
  await call('settings.set', {
    patch: {
      theme: 'dark',
      keepDays: 3000,
      shortcuts: { next: 'n' },
      quietHours: { on: true, from: '23:00', to: '06:30' },
    },
  });
}

const livedIn = saveApp(IN_FOLDER, liveIn);

async function exportOf({ call }: Pick<TestApp, 'call'>): Promise<UserDataFile> {
  return JSON.parse((await call('data.export', {})).text) as UserDataFile;
}

/** An export without its time, and without those of the first copies. */
async function timeless(app: Pick<TestApp, 'call'>): Promise<Omit<UserDataFile, 'exportedAt'>> {
  const { exportedAt: _, records, ...rest } = await exportOf(app);
  return { ...rest, records: records.map((one) => (one.kind === 'start' ? { ...one, value: 0 } : one)) };
}

function fileOf(changes: object): string {
  const file = { format: 'broadsheet-user-data', version: 1, exportedAt: '', settings: DEFAULT_SETTINGS, records: [] };
  return JSON.stringify({ ...file, ...changes });
}

describe('user data', () => {
  it('is the same in a new profile after an import', async () => {
    const app = await openTestApp(IN_FOLDER);
    await liveIn(app);
    const { name, text } = await app.call('data.export', {});
    expect(name).toMatch(/^broadsheet-\d{4}-\d\d-\d\d\.json$/);
    expect(idsIn((await exportOf(app)).records, 'withdrawn')).toHaveLength(1);

    // Statuses belong to their service.
    const fresh = await openTestApp({ ...IN_FOLDER, address: () => app.service.newsAddress });
    await syncNow(fresh);
    fresh.events.length = 0;
    const report = await fresh.call('data.import', { text });
    // The earlier of the two first copies counts; only that one may have been here.
    expect(report).toMatchObject({ skipped: 0, settings: true });
    expect(report.unchanged).toBeLessThanOrEqual(1);
    expect(await timeless(fresh)).toEqual(await timeless(app));
    expect(await fresh.call('settings.get', {})).toEqual(await app.call('settings.get', {}));
    expect(await fresh.call('workloads.list', {})).toMatchObject({ workloads: [WORKLOAD] });
    expect(await fresh.call('data.import', { text })).toMatchObject({
      taken: 0,
      unchanged: report.taken + report.unchanged,
    });

    // An open page shows it without a restart.
    expect(fresh.heard('settings.changed')).toMatchObject([{ theme: 'dark' }]);
    // Once: the second import changed nothing.
    expect(fresh.heard('data.replaced')).toEqual([{}]);
    expect(await fresh.call('counts.get', {})).toMatchObject({ starred: { total: 2 } });
  });
});

describe('an export', () => {
  it('contains no key, no data folder, and of the service only ids, addresses and titles of what was starred or noted', async () => {
    const app = await livedIn();
    for (const key of [KEY, FOREIGN_KEY]) await app.keys.save({ key, origin: 'https://gateway.example' });
    const { text } = await app.call('data.export', {});
    for (const secret of [KEY, FOREIGN_KEY, app.folder, 'gateway.example']) expect(text).not.toContain(secret);
    const { notes } = await app.call('notes.list', { limit: 100, offset: 0 });
    const noted = notes.map((note) => note.id);
    for (const { id, title, summary, state } of await rowsOf(app, EVERYTHING)) {
      if (state.starredAt === null && !noted.includes(id)) expect(text).not.toContain(title);
      if (summary) expect(text).not.toContain(summary);
    }
  });
});

describe('an import', () => {
  it('may start with a byte order mark, and have no settings', async () => {
    const app = await openTestApp();
    const records = recordsOf('favourite', '', { 'a/b': 1 });
    const text = `\uFEFF${fileOf({ settings: undefined, records })}`;
    expect(await app.call('data.import', { text })).toEqual({ taken: 1, unchanged: 0, skipped: 0, settings: false });
    expect(app.heard('settings.changed')).toEqual([]);
  });
  it('whose settings cannot be saved changes nothing', async () => {
    const app = await openTestApp();
    const before = await timeless(app);
    app.ports.settings.set = () => {
      throw new BroadsheetError('disk_full', 'Set by a test.');
    };
    const records = recordsOf('favourite', '', { 'a/b': 1 });
    const text = fileOf({ settings: { theme: 'dark' }, records });
    expect(await app.reply('data.import', { text })).toMatchObject({ ok: false, error: { code: 'disk_full' } });
    expect(await timeless(app)).toEqual(before);
  });

  it('whose data cannot be saved leaves the settings as they were', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    const before = await timeless(app);
    const other = new Database(join(app.folder, 'user.db'));
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    const records = recordsOf('favourite', '', { 'a/b': 1 });
    const text = fileOf({ settings: { theme: 'dark', density: 'compact' }, records });
    expect(await app.reply('data.import', { text })).toMatchObject({ ok: false });
    other.exec('ROLLBACK');
    expect(await timeless(app)).toEqual(before);
  });
});

describe('a data folder', () => {
  it('a backup that does not open is undone, and the data stays as it was', async () => {
    const app = await livedIn();
    const { backups } = await app.call('data.backUp', {});
    const name = backups[0]?.name ?? '';
    // Sound, with all tables, but opening an older copy of user.db writes its new name.
    const copy = new Database(join(app.folder, 'backups', name));
    copy.exec("CREATE TRIGGER never BEFORE INSERT ON property BEGIN SELECT RAISE(ABORT, 'never'); END");
    copy.close();
    const ids = (await rowsOf(app, SELECTED)).map(({ id }) => id);
    await app.call('items.mark', { ids: ids.slice(3, 5), mark: 'star' });
    const before = await timeless(app);
    const reply = await app.reply('data.restore', { name });
    expect(reply).toMatchObject({ ok: false, error: { code: 'data_unreadable' } });
    expect(reply.ok ? '' : reply.error.message).toContain('your data is unchanged');
    expect(await timeless(app)).toEqual(before);
    expect(readdirSync(app.folder).filter((file) => /replaced|restored/.test(file))).toEqual([]);
    expect(await syncNow(app)).toMatchObject({ ok: true });
    await app.reopen();
    expect(await timeless(app)).toEqual(before);
  });

  it('a warning about user.db is told by every core until the backup is restored', async () => {
    const app = await livedIn();
    const { records } = await timeless(app);
    const { backups } = await app.call('data.backUp', {});
    const name = backups[0]?.name ?? '';
    await app.core.close();
    app.clock.advance(1_000);
    writeFileSync(join(app.folder, 'user.db'), 'No database. '.repeat(100));
    const warnings = async () => (await app.call('sync.status', {})).storageWarnings;
    await app.reopen();
    const [warning] = await warnings();
    expect(warning).toMatchObject({ file: 'user.db', reason: 'damaged', backup: name });
    await app.reopen();
    expect(await warnings()).toEqual([warning]);
    const reading = await createReadingCore(app.ports);
    expect(await reading.wire.call('sync.status', {})).toMatchObject({ value: { storageWarnings: [warning] } });
    const id = warning?.setAsideAs ?? '';
    expect(await reading.wire.call('data.dismissWarning', { id })).toMatchObject({ error: { code: 'data_in_use' } });
    await reading.close();
    expect(await app.reply('data.dismissWarning', { id: 'nothing' })).toMatchObject({ error: { code: 'not_found' } });
    await app.call('data.restore', { name });
    expect(await warnings()).toEqual([]);
    expect((await timeless(app)).records).toEqual(records);
    await app.reopen();
    expect(await warnings()).toEqual([]);
  });
});

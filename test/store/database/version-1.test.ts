import Database from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { KIND_NAMES } from '../../../src-main/contract/records.ts';
import { openSettingsStore } from '../../../src-main/node/settings-store.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { EVERYTHING, rowsOf } from '../../support/selected-set.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { exportedIn } from '../../support/user-data.ts';

/** Packed files of a data folder, as version 1 left them, and `seen.json`: what it showed. None ever changes. */
const VERSION_1 = 'test/store/version-1';
const NAMES = ['mirror.db', 'user.db', 'settings.json'];
const HOUR = 3_600_000;

/** The app on such a folder, with a file of settings, and without a sync. */
async function open(folder: string): Promise<TestApp> {
  const app = await openTestApp({
    folder: { path: folder },
    builtIn: true,
    content: { selected: 40, unselected: 4, days: 3 },
    models: 4,
    gateway: ({ modelsAddress }) => ({ address: modelsAddress, demo: true, from: 'demo' }),
  });
  Object.assign(app.ports, { settings: openSettingsStore({ folder, clock: app.clock, log: app.ports.log }) });
  await app.reopen();
  return app;
}

const packed = (name: string): string => join(VERSION_1, `${name}.gz`);
const unpack = (name: string): Buffer => gunzipSync(readFileSync(packed(name)));
const pack = (name: string, content: Buffer | string): void =>
  writeFileSync(packed(name), gzipSync(content, { level: 9 }));

function unpacked(): string {
  const folder = temporaryFolder();
  for (const name of NAMES) writeFileSync(join(folder, name), unpack(name));
  return folder;
}

/** All that a reader would miss. */
async function seen({ call, ...app }: TestApp) {
  const items = await rowsOf({ call, ...app }, EVERYTHING);
  const { lines } = await call('reports.index', { kind: 'daily' });
  const { stories } = await call('stories.list', { which: 'all' });
  return {
    records: exportedIn((await call('data.export', {})).text),
    settings: await call('settings.get', {}),
    items,
    counts: await call('counts.get', {}),
    revisions: await Promise.all(items.map(({ id }) => call('items.revisions', { id }))),
    daily: lines,
    reports: await Promise.all(lines.map(({ label }) => call('reports.get', { kind: 'daily', label }))),
    stories: await Promise.all(stories.map(({ publicId }) => call('stories.get', { publicId }))),
    hotTopics: await call('hotTopics.list', {}),
    models: await call('models.list', { modelList: 'models' }),
    changes: await call('models.changes', { limit: 100 }),
    searches: await call('saved.list', {}),
    mutes: await call('mutes.list', {}),
    notes: await call('notes.list', { limit: 100, offset: 0 }),
    workloads: await call('workloads.list', {}),
    notifications: await call('notifications.list', { limit: 100 }),
  };
}

function emptyTables(database: Database.Database): string[] {
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all();
  return tables.filter((table) => database.prepare(`SELECT 1 FROM ${table}`).get() === undefined);
}

/** A few days of a reader with the built-in service. */
async function use(app: TestApp): Promise<void> {
  const { call, clock, service } = app;
  const sync = () => call('sync.run', { urgency: 'now' });
  await call('settings.set', { patch: { theme: 'dark' } });
  await sync();
  const ids = (await rowsOf(app, EVERYTHING)).map(({ id }) => id);
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids;
  await call('saved.add', { name: 'Models', query: 'model OR 模型', notify: true });
  await call('mutes.add', { query: 'sponsored' });
  await call('items.mark', { ids: ids.slice(0, 6), mark: 'read' });
  await call('items.mark', { ids: [first, second, fourth], mark: 'star' });
  await call('items.mark', { ids: [third], mark: 'unread' });
  await call('notes.set', { kind: 'item', id: first, text: 'A thought.\nAnother one.' });
  const { topics } = await call('hotTopics.list', {});
  const story = topics.find(({ storyId }) => storyId !== null)?.storyId ?? '';
  await call('stories.open', { publicId: story });
  await call('stories.follow', { publicId: story, follow: true });
  await call('stories.star', { publicId: story, star: true });
  const [daily] = (await call('reports.index', { kind: 'daily' })).lines;
  await call('reports.mark', { kind: 'daily', label: daily?.label ?? '', read: true });
  const [model, other] = (await call('models.list', { modelList: 'models' })).lines;
  await call('models.favourite', { id: model?.id ?? '', favourite: true });
  await call('models.setAliases', { id: model?.id ?? '', aliases: ['model'] });
  await call('workloads.save', {
    workload: { name: 'Chat', tokensIn: 900, tokensOut: 300, tokensCached: 0, requestsAMonth: 1_000 },
  });
  await call('visits.end', {});
  clock.advance(HOUR);
  service.control.editItem(second, { title: 'A better title', titleZh: '更好的标题' });
  service.control.withdraw(fourth);
  service.control.leaveSet(fifth);
  service.control.removeModel('models', other?.id ?? '');
  service.control.editModel('models', model?.id ?? '', { context_length: 1_234_567 });
  service.control.correctDaily(daily?.label ?? '', { lead: 'A corrected lead.' });
  await sync();
  clock.advance(30 * HOUR);
  await sync();
  await call('reports.open', { kind: 'daily', label: daily?.label ?? '' });
}

/** Rows that the built-in service never causes. */
const REST: Record<string, string> = {
  'mirror.db': `INSERT INTO story_alias VALUES ('merged-story', 'another-story');
    INSERT INTO parked_item VALUES ('parked', 'listed');`,
  'user.db': `INSERT INTO device (name, records, bytes) VALUES ('A1B2C3D4E5F6G7H8', 2, 200);
    INSERT INTO record (service, kind, id, value, made, device) VALUES (0, 'setting', 'density', '"compact"', 5, 1),
      (0, 'address', 'https://paper.example/one', 5, 5, 1);
    INSERT INTO notification VALUES (9, 'daily demo 2026-03-17', 'demo', 'daily', 5, 1,
      '{"view":"report","kind":"daily","label":"2026-03-17"}', '[]', 'shown', 6);
    INSERT INTO notification_progress VALUES ('demo', 'daily', '2026-03-17');`,
};

function withDatabase<T>(file: string, work: (database: Database.Database) => T): T {
  const database = new Database(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

async function writeFolder(): Promise<void> {
  const app = await open(temporaryFolder());
  await use(app);
  await app.core.close();
  for (const [name, sql] of Object.entries(REST))
    withDatabase(join(app.folder, name), (database) => database.exec(`${sql} VACUUM`));
  for (const name of NAMES) pack(name, readFileSync(join(app.folder, name)));
  const again = await open(unpacked());
  pack('seen.json', JSON.stringify(await seen(again)));
}

describe('a folder of version 1', () => {
  it.runIf(process.env['BROADSHEET_WRITE_FOLDER'])('is written', writeFolder);

  it('has something of each kind', () => {
    const folder = unpacked();
    expect(['mirror.db', 'user.db'].flatMap((name) => withDatabase(join(folder, name), emptyTables))).toEqual([]);
    const kinds = withDatabase(join(folder, 'user.db'), (user) =>
      user.prepare<[], string>('SELECT DISTINCT kind FROM record').pluck().all(),
    );
    expect(kinds.toSorted()).toEqual(KIND_NAMES.toSorted());
  });

  it('is opened with all that it showed', async () => {
    const folder = unpacked();
    const app = await open(folder);
    expect(await seen(app)).toMatchObject(JSON.parse(unpack('seen.json').toString()) as object);
    expect((await app.call('sync.status', {})).storageWarnings).toEqual([]);
    await app.reopen();
    expect((await app.call('sync.status', {})).storageWarnings).toEqual([]);
  });
});

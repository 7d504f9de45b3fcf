import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSettingsStore } from '../../../src-main/node/settings-store.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { EVERYTHING, rowsOf } from '../../support/selected-set.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { exportedIn } from '../../support/user-data.ts';

/** Packed files of a data folder, as version 1 left them, with a row in each table and a record of each kind, and `seen.json`: what it showed. None ever changes. */
const VERSION_1 = 'test/store/version-1';
const NAMES = ['mirror.db', 'user.db', 'settings.json'];

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

const unpack = (name: string): Buffer => gunzipSync(readFileSync(join(VERSION_1, `${name}.gz`)));

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

describe('a folder of version 1', () => {
  it('is opened with all that it showed', async () => {
    const folder = unpacked();
    const app = await open(folder);
    expect(await seen(app)).toMatchObject(JSON.parse(unpack('seen.json').toString()) as object);
    expect((await app.call('sync.status', {})).storageWarnings).toEqual([]);
    await app.reopen();
    expect((await app.call('sync.status', {})).storageWarnings).toEqual([]);
  });
});

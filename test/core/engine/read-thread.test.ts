import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { createReadThread } from '../../../src-main/core/engine/read-thread.ts';
import { readHere, type ReadContext, type RunRead } from '../../../src-main/core/reads.ts';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import { openQueries } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { openStoreScene, storeListed } from '../../support/store.ts';
import { openTestApp } from '../../support/test-app.ts';
import { ENGINE_MODULE } from '../../support/built-node.ts';

const ALL: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };

const contextAt = (now: number): ReadContext => ({
  now,
  owner: '',
  service: 'https://news.example',
  locale: 'en',
  version: '1.2.3',
  settings: DEFAULT_SETTINGS,
});

/** A thread for long reads, ready, and how many reads ran in this thread instead. */
async function openScene() {
  const folder = temporaryFolder();
  const { store, clock, index } = openStoreScene({ folder });
  storeListed(store, items(5));
  index();
  const queries = openQueries(folder);
  let here = 0;
  const readsHere: RunRead = (method, args, context) => {
    here += 1;
    return readHere(queries)(method, args, context);
  };
  const log: string[] = [];
  const thread = createReadThread(ENGINE_MODULE, folder, {
    here: readsHere,
    log: (_, message) => void log.push(message),
  });
  onTestFinished(async () => {
    await thread.stop();
    queries.close();
  });
  const args = { query: { ...ALL, text: 'title' }, limit: 3 };
  const context = contextAt(clock.now());
  for (let before = -1; before !== here;) {
    before = here;
    expect((await thread.read('items.page', args, context))?.rows).toHaveLength(3);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { thread, queries, store, folder, args, context, log, here: () => here };
}

describe('a thread for long reads', () => {
  it('answers like a connection of this thread, and sees every commit', async () => {
    const { thread, queries, store, args, context, here } = await openScene();
    const before = here();
    const there = await thread.read('items.page', args, context);
    expect(there).toEqual(await readHere(queries)('items.page', args, context));
    storeListed(store, items(9));
    expect(await thread.read('items.count', { query: ALL }, context)).toEqual({ count: 9 });
    expect(await thread.read('stories.list', { which: 'all' }, context)).toEqual({ stories: [] });
    expect(here()).toBe(before);
  });

  it('passes on failures', async () => {
    const { thread, args, context } = await openScene();
    const read = thread.read('items.page', { ...args, cursor: 'x' }, context);
    await expect(read).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('is replaced by this thread once it is stopped', async () => {
    const { thread, args, context, here } = await openScene();
    const before = here();
    await thread.stop();
    expect((await thread.read('items.page', args, context))?.rows).toHaveLength(3);
    expect(here()).toBe(before + 1);
  });

  it('does what only prepares it in the thread, also while that is starting', async () => {
    const folder = temporaryFolder();
    const { store, clock, index } = openStoreScene({ folder });
    storeListed(store, items(5));
    index();
    const readsHere: string[] = [];
    const here: RunRead = (method) => {
      readsHere.push(method);
      return Promise.reject(new Error('here'));
    };
    const thread = createReadThread(ENGINE_MODULE, folder, { here, log: () => undefined });
    onTestFinished(() => thread.stop());
    const context = contextAt(clock.now());
    const nothing = { text: '', limit: 5 };
    expect(await thread.read('search.find', nothing, context)).toMatchObject({ problems: [] });
    const found = await thread.read('search.find', { ...nothing, text: 'title' }, context);
    expect(found?.groups[0]).toMatchObject({ kind: 'items', count: 5 });
    expect(readsHere).toEqual([]);
  });

  it('closes its connection, so that the last writer leaves no log behind', async () => {
    const { thread, queries, store, folder } = await openScene();
    await thread.stop();
    queries.close();
    store.close();
    expect(existsSync(join(folder, 'mirror.db-wal'))).toBe(false);
  });
});

it('an app with threads answers long reads and exports like one without', async () => {
  const answers: unknown[] = [];
  for (const thread of [false, true]) {
    const app = await openTestApp({ folder: 'temporary', thread, start: '2026-03-18T06:30:00Z' });
    await app.call('sync.run', { urgency: 'now', resources: ['selected', 'dailies', 'hotTopics'] });
    const { rows } = await app.call('items.page', { query: { ...ALL, text: 'model' }, limit: 9 });
    await app.call('items.mark', { ids: rows.map(({ id }) => id), mark: 'star' });
    const { lines } = await app.call('reports.index', { kind: 'daily' });
    const { text } = await app.call('data.export', {});
    const tables = Object.keys((JSON.parse(text) as { tables: object }).tables);
    answers.push([
      rows.map(({ id }) => id),
      lines.map(({ label }) => label),
      tables,
      text.match(/starred_at/g)?.length,
    ]);
  }
  expect(answers[1]).toEqual(answers[0]);
});

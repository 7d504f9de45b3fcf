import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { startSearchThread } from '../../../src-main/core/engine/search-thread.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { SyncEngine } from '../../../src-main/sync/engine/engine.ts';
import { engineSettings } from '../../../src-main/sync/engine/engine-settings.ts';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { openStoreScene, storeListed } from '../../support/store.ts';
import { openTestApp } from '../../support/test-app.ts';
import { CLI, ENGINE_MODULE } from '../../support/built-node.ts';

const ALL: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };
const content = { selected: 2100, days: 30 };
const NOBODY = 65_534;

/** An engine in this thread with its search index in another, and how often that was started. */
async function openScene(start = () => startSearchThread(ENGINE_MODULE, folder, () => undefined)) {
  const clock = fakeClock();
  const service = await startDemoService({ clock, content });
  onTestFinished(() => service.close());
  const source = { address: service.newsAddress, demo: false, from: 'option' } as const;
  const log: string[] = [];
  let started = 0;
  const engine = new SyncEngine(
    { dataFolder: folder, source, gateway: null, version: '1.2.3', settings: engineSettings(DEFAULT_SETTINGS) },
    {
      clock,
      log: (level, message) => void log.push(`${level}: ${message}`),
      emit: () => undefined,
      startSearchThread: () => {
        started += 1;
        return start();
      },
    },
  );
  onTestFinished(() => engine.close());
  const search = (text: string): number => engine.store.queries.items.count({ ...ALL, text }, clock.now()).count;
  return { engine, service, clock, log, search, started: () => started };
}
let folder = '';

/** Of the threads of this process: above 0 is below the usual one. */
function priorities(): Map<string, number> {
  const found = new Map<string, number>();
  for (const thread of readdirSync('/proc/self/task')) {
    const file = `/proc/self/task/${thread}/stat`;
    // One may have ended meanwhile.
    const stat = existsSync(file) ? readFileSync(file, 'utf8') : '';
    // The name in brackets may contain spaces.
    found.set(thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
  }
  return found;
}

describe('the search index in a thread', { timeout: 60_000 }, () => {
  it('is complete when the sync that brought the items ends', async () => {
    folder = temporaryFolder();
    const { engine, service, search, started, log, clock } = await openScene();
    await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(started()).toBe(1);
    const { title } = service.control.selectedItems()[2000]!;
    expect(search(`"${title}"`)).toBeGreaterThanOrEqual(1);
    // Merging may go on.
    await vi.waitFor(() => {
      expect(engine.store.searchIndexer().lag(1)).toBe('none');
    });
    // A few changes are not worth a thread, but this one still runs.
    service.control.editItem(service.control.selectedItems()[0]!.id, { title: 'Zyzzyva' });
    clock.advance(600_000);
    await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(search('zyzzyva')).toBe(1);
    expect(log.filter((line) => /^(warn|error)/.test(line))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('leaves the processor to the other threads', async () => {
    folder = temporaryFolder();
    const before = priorities();
    const { engine } = await openScene();
    await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    const started = [...priorities()].filter(([thread]) => !before.has(thread));
    expect(started.map(([, priority]) => priority)).toContain(10);
    for (const [thread, priority] of before) expect(priorities().get(thread) ?? priority).toBe(priority);
  });

  it.runIf(process.platform === 'linux')('works for an ordinary user who started it with a low priority', () => {
    folder = temporaryFolder();
    const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    if ('uid' in as) chownSync(folder, NOBODY, NOBODY);
    const run = (...args: string[]) =>
      spawnSync('nice', ['-n', '15', process.execPath, CLI, ...args, '--data', folder, '--demo', 'standard'], {
        ...as,
        env: { PATH: process.env['PATH'] },
        encoding: 'utf8',
      });
    expect(run('sync')).toMatchObject({ status: 0, stderr: '' });
    expect(run('search', 'model', '--json').stdout).toContain('"kind":"items"');
  });

  it('stops between two steps, and goes on after the next start', async () => {
    folder = temporaryFolder();
    const { store, queries, clock } = openStoreScene({ folder });
    const all = items(6_000);
    for (let from = 0; from < all.length; from += 500) storeListed(store, all.slice(from, from + 500));
    const first = startSearchThread(ENGINE_MODULE, folder, () => undefined);
    const caughtUp = first.catchUp(false).catch(() => undefined);
    await first.stop();
    await caughtUp;
    const last = { ...ALL, text: `"${all.at(-1)!.title}"` };
    expect(queries.items.count(last, clock.now()).count).toBe(0);
    const second = startSearchThread(ENGINE_MODULE, folder, () => undefined);
    await second.catchUp(false);
    expect(queries.items.count(last, clock.now()).count).toBe(1);
    await second.stop();
  });

  it('is ended if it does not stop', async () => {
    const thread = startSearchThread(new URL('data:text/javascript,while(true);'), folder, () => undefined);
    const ended = expect(thread.catchUp(false)).rejects.toMatchObject({ code: 'closed' });
    await thread.stop();
    await ended;
  });

  it('closes in the middle of a load, and goes on after the next start', async () => {
    folder = temporaryFolder();
    const first = await openScene();
    const load = first.engine.call('sync.run', { urgency: 'now', resources: ['selected'] }).catch(() => undefined);
    while (first.service.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await first.engine.close();
    await load;
    const second = await openScene();
    await second.engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    await vi.waitFor(() => {
      expect(second.engine.store.searchIndexer().lag(1)).toBe('none');
    });
    expect(second.engine.store.queries.items.counts().selected.total).toBe(2100);
  });

  it('failing once is logged once, and the next sync makes up for it', async () => {
    folder = temporaryFolder();
    let fails = true;
    const { engine, log, search, service, clock } = await openScene(() => {
      if (!fails) return startSearchThread(ENGINE_MODULE, folder, () => undefined);
      fails = false;
      return { catchUp: () => Promise.reject(new Error('no thread')), stop: () => Promise.resolve() };
    });
    await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    clock.advance(600_000);
    await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(search(`"${service.control.selectedItems()[2000]!.title}"`)).toBeGreaterThanOrEqual(1);
    expect(log.filter((line) => line.startsWith('warn'))).toEqual(['warn: Updating the search index failed']);
  });

  it('failing three times is given up, and the engine indexes by itself', async () => {
    folder = temporaryFolder();
    const { engine, log, search, service, clock, started } = await openScene(() => ({
      catchUp: () => Promise.reject(new Error('no thread')),
      stop: () => Promise.resolve(),
    }));
    for (let sync = 0; sync < 5; sync += 1) {
      await engine.call('sync.run', { urgency: 'now', resources: ['selected'] });
      expect(engine.store.searchIndexer().lag(1)).toBe('none');
      clock.advance(600_000);
      // In one write, so that they are worth a thread.
      const { control } = service;
      for (const { id } of control.selectedItems().slice(0, 600)) control.editItem(id, { title: `Zyzzyva ${sync}` });
      control.requireSnapshot();
    }
    expect(started()).toBe(3);
    expect(search('"Zyzzyva 3"')).toBe(600);
    expect(new Set(log.filter((line) => line.startsWith('warn')))).toEqual(
      new Set(['warn: Updating the search index failed']),
    );
  });

  it('runs beside an engine in a thread, too', async () => {
    const app = await openTestApp({ content, thread: true });
    await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    const { title } = app.service.control.selectedItems()[2000]!;
    expect((await app.call('items.count', { query: { ...ALL, text: `"${title}"` } })).count).toBeGreaterThanOrEqual(1);
  });
});

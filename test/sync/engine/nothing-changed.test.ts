import Database from 'better-sqlite3';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEWS_RESOURCES } from '../../../src-main/contract/model/resource.ts';
import { type DemoOptions, type DemoService } from '../../../src-main/demo/service.ts';
import { type FakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openServedEngine, openTestEngine, type TestEngine } from '../../support/test-engine.ts';

const MINUTE = 60_000;
const FILES = ['mirror.db', 'user.db', 'search.db'];

interface Scene extends TestEngine {
  folder: string;
  service: DemoService;
  clock: FakeClock;
}

/** An engine in a folder, after a sync of everything and one that found nothing new. */
async function openScene(intercept?: DemoOptions['intercept']): Promise<Scene> {
  const folder = temporaryFolder();
  const demo = { content: { selected: 40, days: 5 }, ...(intercept && { intercept }) };
  const opened = await openServedEngine(demo, { folder });
  await round(opened);
  opened.clock.advance(6 * MINUTE);
  await round(opened);
  return { ...opened, folder };
}

function round({ call }: Pick<TestEngine, 'call'>) {
  return call('sync.run', { urgency: 'now' });
}

/** Size and time of every file, without the shared memory of SQLite, which readers change too. */
function filesIn(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
    .map((entry) => {
      const { size, mtimeNs } = statSync(join(entry.parentPath, entry.name), { bigint: true });
      return { name: entry.name, size, mtimeNs };
    });
}

/** A number of each database that another connection's commit changes. */
function watchCommits(folder: string): () => unknown[] {
  const watches = FILES.map((name) => new Database(join(folder, name), { readonly: true }));
  onTestFinished(() => {
    for (const watch of watches) watch.close();
  });
  return () => watches.map((watch) => watch.pragma('data_version', { simple: true }));
}

describe('syncs that find nothing new', () => {
  it.each(['now', 'due'] as const)('(%s) touch no file', async (urgency) => {
    const scene = await openScene();
    const commits = watchCommits(scene.folder);
    const [files, versions] = [filesIn(scene.folder), commits()];
    const first = scene.service.requests.length;
    for (let n = 0; n < 3; n += 1) {
      scene.clock.advance(2 * MINUTE);
      const resources = NEWS_RESOURCES.filter((name) => name !== 'hotTopics' || urgency === 'due');
      const done = await scene.call('sync.run', { urgency, resources });
      const { items } = done.resources;
      expect(items.status).toBe(urgency === 'now' || n === 2 ? 'notModified' : 'notDue');
    }
    expect(new Set(scene.service.requests.slice(first).map(({ status }) => status))).toEqual(new Set([304]));
    expect(commits()).toEqual(versions);
    expect(filesIn(scene.folder)).toEqual(files);
  });

  it('send one status event when they start, however many resources they concern', async () => {
    const scene = await openScene();
    scene.clock.advance(2 * MINUTE);
    scene.events.length = 0;
    await round(scene);
    const statuses = scene.events.flatMap(({ event, payload }) => (event === 'sync.changed' ? [payload] : []));
    // One more for each resource that ends in a turn of its own, the progress of hot topics, and one at the end.
    expect(statuses.length).toBeLessThanOrEqual(1 + NEWS_RESOURCES.length + 2);
    // Items wait for the selected set, and stories for hot topics.
    expect(statuses[0]?.resources.filter(({ running }) => running).length).toBeGreaterThanOrEqual(5);
    expect(statuses.at(-1)?.resources.some(({ running }) => running)).toBe(false);
    expect(statuses.at(-1)).toEqual(await scene.call('sync.status', {}));
  });

  it('are saved when the engine closes, so that the next start requests nothing too early', async () => {
    const scene = await openScene();
    scene.clock.advance(10 * MINUTE);
    await round(scene);
    const state = scene.queries.schedule.state('items');
    const report = scene.queries.reports.allFacts('daily')[0];
    expect(report?.requestedAt).toBe(scene.clock.now());
    await scene.engine.close();
    const again = openTestEngine({ address: scene.service.newsAddress, clock: scene.clock, folder: scene.folder });
    expect(state?.requestedAt).toBe(scene.clock.now());
    expect(again.queries.schedule.state('items')).toEqual(state);
    expect(again.queries.reports.allFacts('daily')[0]).toEqual(report);
    expect(again.queries.reports.lastIndexFetch('daily')?.at).toBe(scene.clock.now());
    expect(again.queries.schedule.runs('items', 5)).toMatchObject([
      { status: 'notModified', requests: 2, endedAt: scene.clock.now() },
      { status: 'ok' },
    ]);
  });

  it('are saved after a while, and together with a later change', async () => {
    const scene = await openScene();
    const stored = new Database(join(scene.folder, 'mirror.db'), { readonly: true });
    onTestFinished(() => void stored.close());
    const saved = (): unknown => stored.prepare("SELECT asked FROM fetch WHERE name = 'items'").pluck().get();
    scene.clock.advance(2 * MINUTE);
    await round(scene);
    expect(saved()).toBeLessThan(scene.clock.now());
    scene.service.control.editItem(scene.service.control.selectedItems()[0]!.id, { title: 'Edited' });
    scene.clock.advance(2 * MINUTE);
    await scene.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(saved()).toBe(scene.clock.now() - 2 * MINUTE);
    for (let n = 0; n < 6; n += 1) {
      scene.clock.advance(3 * MINUTE);
      await scene.call('sync.run', { urgency: 'now', resources: ['items'] });
    }
    expect(saved()).toBeGreaterThan(scene.clock.now() - 15 * MINUTE);
  });
});

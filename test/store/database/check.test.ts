import Database from 'better-sqlite3';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkMarker } from '../../../src-main/store/database/files.ts';
import type { Queries } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { openStoreScene, storeListed, type StoreScene } from '../../support/store.ts';

const DAY = 24 * 3_600_000;

function someScene(): StoreScene & { folder: string } {
  const folder = temporaryFolder();
  const scene = openStoreScene({ folder });
  storeListed(scene.store, items(50));
  scene.index();
  return { ...scene, folder };
}

/** Checks until `steps` are done; all of them by default. */
async function check({ health }: Queries, skip: readonly string[] = [], steps = Infinity) {
  const stopping = new AbortController();
  const done: string[] = [];
  const onStep = (name: string): void => {
    done.push(name);
    if (done.length >= steps) stopping.abort();
  };
  const result = await health.check(0, { skip, onStep, signal: stopping.signal });
  return { result, done };
}

describe('a check', () => {
  it('covers each table of each database, and each comparison', async () => {
    const { queries } = someScene();
    const { result, done } = await check(queries);
    expect(result).toMatchObject({ sound: true, messages: [] });
    for (const name of ['mirror.db: item', 'user.db: record', 'search.db: item_text', 'user.db: model'])
      expect(done).toContain(name);
    expect(done.filter((name) => name.startsWith('agrees: ')).length).toBeGreaterThan(8);
    expect(new Set(done).size).toBe(done.length);
  });

  it('stops after the present step, and goes on after the steps that are done', async () => {
    const { queries } = someScene();
    const all = (await check(queries)).done;
    let done: string[] = [];
    for (const steps of [1, 3, 10]) {
      const stopped = await check(queries, done, steps);
      expect(stopped.result).toBeNull();
      expect(stopped.done).toHaveLength(steps);
      done = [...done, ...stopped.done];
    }
    const rest = await check(queries, done);
    expect(rest.result).toMatchObject({ sound: true });
    expect([...done, ...rest.done]).toEqual(all);
  });

  it('remembers what it has done for a day, unless the files were not closed', () => {
    const clock = fakeClock();
    const { store, queries } = openStoreScene({ clock });
    expect(queries.health.checkProgress(clock.now())).toEqual([]);
    store.transaction(({ health, now }) => {
      health.setCheckProgress(now, ['one', 'two']);
    });
    expect(queries.health.checkProgress(clock.now() + DAY)).toEqual(['one', 'two']);
    expect(queries.health.checkProgress(clock.now() + DAY + 1)).toEqual([]);
    expect(queries.health.checkProgress(clock.now() - 2 * DAY)).toEqual([]);
    store.transaction(({ health, now }) => {
      health.noteOpening(true, now);
    });
    expect(queries.health.checkProgress(clock.now())).toEqual([]);
  });

  it('is due for a marked mirror, once', async () => {
    const { queries, clock, folder } = someScene();
    expect(queries.health.isCheckDue(clock.now())).toBe(false);
    writeFileSync(checkMarker(join(folder, 'mirror.db')), '');
    expect(queries.health.isCheckDue(clock.now())).toBe(true);
    expect((await check(queries, [], 2)).result).toBeNull();
    expect(queries.health.isCheckDue(clock.now())).toBe(true);
    await check(queries);
    expect(queries.health.isCheckDue(clock.now())).toBe(false);
  });

  it('finds every disagreement, not only the first', async () => {
    const { store, folder } = someScene();
    store.close();
    const mirror = new Database(join(folder, 'mirror.db'));
    mirror.pragma('foreign_keys = OFF');
    mirror.exec(
      "UPDATE counter SET n = 7; INSERT INTO mention VALUES (1, 'a/b'); UPDATE item SET unknown = '{' WHERE arrival = 1",
    );
    mirror.close();
    const { result } = await check(openStoreScene({ folder }).queries);
    expect(result?.messages.map((message) => message.replace(/\d+ /, '')).toSorted()).toEqual([
      'mirror.db: counters that do not match',
      'mirror.db: rows without their item',
      'mirror.db: unreadable items',
    ]);
  });

  it('goes on after a story whose head is no JSON', async () => {
    const { store, folder } = someScene();
    saveStory(store, storyOf('s', [report('r')]));
    store.close();
    const mirror = new Database(join(folder, 'mirror.db'));
    mirror.exec("UPDATE document SET head = '[' WHERE kind = 'story' AND id = 's'");
    mirror.close();
    const { result } = await check(openStoreScene({ folder }).queries);
    expect(result?.messages).toContain('mirror.db: 1 unreadable stories');
  });

  it.each(['{"name', '{"name":"One"}'])('tells of the unreadable record %s, and leaves it', async (value) => {
    const { store, folder } = someScene();
    store.close();
    const user = new Database(join(folder, 'user.db'));
    user.prepare(`INSERT INTO record (service, kind, id, value, made) VALUES (0, 'workload', 'one', ?, 1)`).run(value);
    const before = user.prepare('SELECT * FROM record').all();
    const { result } = await check(openStoreScene({ folder }).queries);
    expect(result).toMatchObject({
      sound: false,
      messages: ['user.db: 1 unreadable records of what you did'],
      needsRepair: false,
    });
    expect(user.prepare('SELECT * FROM record').all()).toEqual(before);
    user.close();
  });
});

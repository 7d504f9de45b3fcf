import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { startCli } from '../../node/child.ts';
import { pick, seededRandom } from '../../store/search/search-items.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { noteFigures } from '../../support/figures.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { expectSoundFiles } from '../../support/killed-sync.ts';
import { isWhole, SEED } from '../../support/proofs.ts';
import { EVERYTHING, expectEqualSets, rowsOf } from '../../support/selected-set.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';

const KILLS = isWhole ? 60 : 2;
/** In ms after the first request: a run takes about as long, the first one of a mirror or a later one. */
const LONGEST = { first: 1_000, later: 250 };
/** Some processes end before they are killed. */
const MOST_RUNS = 4 * KILLS;
/** So that nothing that a cache could still have stands in the way of the next sync. */
const BEYOND_CACHES = 61_000;
/** Minimum time until another snapshot withdraws an item that it lacks, too (docs/decisions/144). */
const BETWEEN_SNAPSHOTS = 3_600_000;
/** Every third process begins with an empty mirror. */
const FRESH_EVERY = 3;
/** Unselected items are all within the window of the list, so every mirror should have them. */
const content = { selected: 1_500, unselected: 250, days: 6 };

interface Scene {
  service: DemoService;
  clock: FakeClock;
  random: () => number;
  /** Resolves when the service gets its next request. */
  nextRequest(): Promise<void>;
}

/** A service for the life of one mirror: the killed processes have the real clock, so theirs may not run far ahead. */
async function openScene(random: () => number): Promise<Scene> {
  const clock = fakeClock(Date.now());
  let waiting: (() => void)[] = [];
  const service = await startDemoService({
    clock,
    content,
    intercept: () => {
      for (const resolve of waiting.splice(0)) resolve();
      return false;
    },
  });
  onTestFinished(() => service.close());
  const nextRequest = (): Promise<void> => new Promise((resolve) => (waiting = [...waiting, resolve]));
  return { service, clock, random, nextRequest };
}

/**
 * Runs `broadsheet sync` with all its threads and kills it. Resolves with when, in ms after its first request; null
 * if it had ended by then.
 */
async function killSync(
  { service, random, nextRequest }: Scene,
  folder: string,
  longest: number,
): Promise<number | null> {
  const asked = nextRequest();
  const { child, ended } = startCli(['sync', '--all', '--data', folder, '--news', service.newsAddress]);
  await Promise.race([asked, ended]);
  const ms = Math.floor(random() * longest);
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const { code } = await ended;
  clearTimeout(timer);
  return code === null ? ms : null;
}

/**
 * Makes a few dozen changes of every kind. Returns the ids of the withdrawn items of which no change tells, because a
 * snapshot is required.
 */
function stir({ service: { control }, random }: Scene): string[] {
  const members = control.selectedItems();
  for (let n = 0; n < 30; n += 1) control.editItem(pick(random, members).id, { title: `Edited ${String(random())}` });
  const withdrawn = Array.from({ length: 8 }, () => pick(random, members).id);
  for (const id of withdrawn) control.withdraw(id);
  for (let n = 0; n < 8; n += 1) control.leaveSet(pick(random, control.selectedItems()).id);
  for (let n = 0; n < 10; n += 1) control.addItem({ selected: random() < 0.5 });
  if (random() >= 0.3) return [];
  control.requireSnapshot();
  return withdrawn;
}

/** Returns a mirror's content of the service, in order of the ids, and the number of items that a search finds. */
async function contentOf(room: TestEngine) {
  const rows = await rowsOf(room, EVERYTHING);
  const items = rows.map(({ id, title, category, inSelectedSet, reason }) => [
    id,
    title,
    category,
    inSelectedSet,
    reason,
  ]);
  const count = (text: string) => room.queries.items.count({ ...EVERYTHING, text }, room.clock.now());
  return { items: items.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)), found: [count('model'), count('模型')] };
}

describe('a sync that is killed at random moments', () => {
  it(`leaves a mirror that the next one makes equal to a new mirror (${String(KILLS)} kills)`, async () => {
    const random = seededRandom(SEED);
    let scene: Scene | null = null;
    let folder = '';
    let starred: string[] = [];
    const moments: number[] = [];
    for (let run = 0; moments.length < KILLS; run += 1) {
      expect(run).toBeLessThan(MOST_RUNS);
      const isFirst = run % FRESH_EVERY === 0;
      if (scene === null || isFirst) [scene, folder, starred] = [await openScene(random), temporaryFolder(), []];
      const untold = isFirst ? [] : stir(scene);
      const { service, clock } = scene;
      clock.advance(BEYOND_CACHES);
      const killedAt = await killSync(scene, folder, isFirst ? LONGEST.first : LONGEST.later);
      if (killedAt !== null) moments.push(killedAt);

      const room = openTestEngine({ address: service.newsAddress, clock, folder });
      const status = await room.call('sync.status', {});
      expect(status.storageWarnings).toEqual([]);
      clock.advance(BEYOND_CACHES);
      expect(await room.call('sync.run', { urgency: 'all', resources: ['selected', 'items'] })).toMatchObject({
        ok: true,
      });
      await expectEqualSets(room, service.control);
      const fresh = openTestEngine({ address: service.newsAddress, clock });
      await fresh.call('sync.run', { urgency: 'all', resources: ['selected', 'items'] });
      const expected = await contentOf(fresh);
      // The list alone withdraws none of what a single snapshot lacked.
      const waiting = new Set(untold.filter((id) => room.queries.items.parkingOf(id) === 'left'));
      const { items } = await contentOf(room);
      expect(items.filter(([id]) => !waiting.has(String(id)))).toEqual(expected.items);
      if (waiting.size > 0) {
        clock.advance(BETWEEN_SNAPSHOTS);
        expect(await room.call('sync.run', { urgency: 'all', resources: ['selected', 'items'] })).toMatchObject({
          ok: true,
        });
      }
      expect(await contentOf(room)).toEqual(expected);
      await fresh.engine.close();
      // Actions of a reader survive every kill, also for items that are gone.
      const rows = await rowsOf(room, { ...EVERYTHING, state: 'starred' });
      expect(rows.map(({ id }) => id).sort()).toEqual(starred.toSorted());
      const { id } = pick(random, service.control.selectedItems());
      await room.call('items.mark', { ids: [id], mark: 'star' });
      starred = [...new Set([...starred, id])];
      await room.engine.close();
      expectSoundFiles(folder);
    }
    // A loss would have failed above.
    const counts = { 'lost user rows': 0, 'unequal mirrors': 0, 'damaged files': 0 };
    if (isWhole) noteFigures({ what: 'kills of a sync from the command line', amount: moments.length, counts });
  });
});

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Args, MethodName, Result } from '../../src-main/contract/methods.ts';
import { fromFailure } from '../../src-main/contract/errors.ts';
import type { ItemsQuery } from '../../src-main/contract/model/item.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { createCore } from '../../src-main/core/core.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { DERIVED_NAMES } from '../../src-main/store/index.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/folders.ts';
import { item } from '../support/items.ts';
import { plainPorts } from '../support/plain-ports.ts';
import { isWhole } from '../support/proofs.ts';
import { rowsOf } from '../support/selected-set.ts';
import { EVERYTHING, openTestStore, stepIndex, storeListed } from '../support/store.ts';
import { ENGINE_MODULE } from '../support/built-node.ts';
import { isTimed } from '../support/timed.ts';

const ITEMS = isWhole ? 100_000 : 1_200;
/** Items that one step matches at most, and the most steps between two progress events. */
const A_STEP = 300;
const STEPS_A_MESSAGE = 20;
/**
 * In ms, for a page of a list or a mark meanwhile. The service, the page and this test share a thread, so that a busy
 * computer takes several times as long as an idle one; a call that has to wait for the rules takes seconds.
 */
const MOST_A_CALL = 500;
const MINUTE = 60_000;
const HIDDEN: ItemsQuery = { ...EVERYTHING, muted: true };

/** A rule, and the same condition as a plain look at a title. */
const FIRST = { query: '"title of item 7" OR source:"No such source"', hides: /^Title of item 7\b/ };
const SECOND = { query: '"title of item" -"of item 7" -"of item 8"', hides: /^Title of item [0-69]\b/ };

/** A folder with many items, all of whose other derived data is there. */
function filledFolder(source: string): string {
  const [folder, now] = [temporaryFolder(), systemClock.now()];
  const store = openTestStore({ folder, source, clock: fakeClock(new Date(now).toISOString()) });
  const newest = now - MINUTE;
  const all = Array.from({ length: ITEMS }, (_, at) =>
    item({
      id: `item-${String(at)}`,
      title: `Title of item ${String(at % 10)}, ${String(at)}`,
      discoveredAt: new Date(newest - at * MINUTE).toISOString(),
    }),
  );
  for (let from = 0; from < ITEMS; from += 5_000) storeListed(store, all.slice(from, from + 5_000));
  for (const name of DERIVED_NAMES) while (store.derive(name));
  while (stepIndex(store));
  store.close();
  return folder;
}

type Call = <M extends MethodName>(method: M, args: Args<M>) => Promise<Result<M>>;

const callerOf =
  (wire: Wire): Call =>
  async (method, args) => {
    const answer = await wire.call(method, args);
    if (!answer.ok) throw fromFailure(answer.error);
    return answer.value;
  };

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const from = performance.now();
  const value = await work();
  return { ms: performance.now() - from, value };
}

/** A core whose engine has a thread, with a small service, as in the app. */
async function openScene() {
  const content = { selected: 20, days: 2, until: systemClock.now() - 60 * MINUTE };
  const service = await startDemoService({ clock: systemClock, content });
  onTestFinished(() => service.close());
  const dataFolder = filledFolder(service.newsAddress);
  const ports = plainPorts({ dataFolder, address: service.newsAddress });
  const core = await createCore({ ...ports, engineModule: ENGINE_MODULE });
  onTestFinished(() => core.close());
  const call = callerOf(core.wire);
  await call('sync.run', { urgency: 'all' });
  /** Items that the reader starred, and the titles of those that the service added. */
  const [starred, late] = [new Set<string>(), [] as string[]];
  const star = async (): Promise<void> => {
    const id = `item-${String((starred.size * 37) % ITEMS)}`;
    await call('items.mark', { ids: [id], mark: 'star' });
    starred.add(id);
  };
  const arrive = async (): Promise<void> => {
    for (const kind of [7, 8]) {
      late.push(`Title of item ${String(kind)}, late ${String(late.length)}`);
      service.control.addItem({ title: late.at(-1)!, discoveredAt: new Date(systemClock.now()).toISOString() });
    }
    await call('sync.run', { urgency: 'now' });
  };
  return { wire: core.wire, call, star, arrive, starred, late };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** Changes rules, and until they are matched, reads, stars and lets items come. Returns the progress of the matching. */
async function change({ wire, call, star, arrive }: Scene, work: () => Promise<unknown>) {
  const progress: (number | null)[] = [];
  const end = wire.on('rules.changed', (event) => void progress.push(event.progress?.done ?? null));
  await work();
  const arrived = arrive();
  let longest = 0;
  // Events before the answer are older than it: the last one follows.
  do {
    await setImmediate();
    const { ms, value } = await timed(() => call('items.page', { query: EVERYTHING, limit: 50 }));
    // Rules that hide almost everything leave a few.
    expect(value.rows.length).toBeGreaterThan(0);
    longest = Math.max(longest, ms, (await timed(star)).ms);
  } while (progress.at(-1) !== null);
  await arrived;
  end();
  if (isTimed) expect(longest).toBeLessThan(MOST_A_CALL);
  return progress;
}

/** Expects hidden items to be those that a plain look at every title finds, and every star and new item to be there. */
async function expectHidden({ call, starred, late }: Scene, hides: RegExp | null): Promise<void> {
  const [hidden, shown] = [await rowsOf({ call }, HIDDEN), await rowsOf({ call }, EVERYTHING)];
  const all = [...hidden, ...shown];
  const wanted = all.filter(({ title }) => hides?.test(title) ?? false);
  expect(hidden.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.filter(({ title }) => / of item /.test(title))).toHaveLength(ITEMS + late.length);
  const marked = all.filter(({ state }) => state.starredAt !== null).map(({ id }) => id);
  expect(marked.toSorted()).toEqual([...starred].toSorted());
  const counts = await call('counts.get', {});
  expect([counts.muted.total, counts.all.total]).toEqual([hidden.length, shown.length]);
}

it(`a changed rule over ${String(ITEMS)} items is matched in the background, with progress, while items are read, marked and come`, async () => {
  const scene = await openScene();
  const { call } = scene;
  const progress = await change(scene, () => call('mutes.add', { query: FIRST.query }));
  expect(progress.length).toBeGreaterThan(ITEMS / (A_STEP * STEPS_A_MESSAGE));
  const rising = progress.slice(0, -1);
  expect(rising).toEqual(rising.filter((done) => done !== null).toSorted((a, b) => a - b));
  await expectHidden(scene, FIRST.hides);
  await change(scene, async () => {
    const [rule] = (await call('mutes.list', {})).rules;
    await call('mutes.remove', { id: rule!.id });
    await call('mutes.add', { query: SECOND.query });
  });
  await expectHidden(scene, SECOND.hides);
});

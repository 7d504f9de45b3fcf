import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Args, MethodName, Result } from '../../src-main/contract/methods.ts';
import { fromFailure } from '../../src-main/contract/errors.ts';
import type { ItemsQuery, StoredItem } from '../../src-main/contract/model/item.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { createCore } from '../../src-main/core/core.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { DERIVED_NAMES } from '../../src-main/store/index.ts';
import { LoopSteps } from '../bench/loop-steps.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/folders.ts';
import { item } from '../support/items.ts';
import { plainPorts } from '../support/plain-ports.ts';
import { isWhole } from '../support/proofs.ts';
import { EVERYTHING, openTestStore, stepIndex, storeListed } from '../support/store.ts';
import { openTestEngine } from '../support/test-engine.ts';
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

async function rowsOf(call: Call, query: ItemsQuery): Promise<StoredItem[]> {
  const rows: StoredItem[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page: Result<'items.page'> = await call('items.page', { query, limit: 200, ...(cursor && { cursor }) });
    rows.push(...page.rows);
    cursor = page.next;
  }
  return rows;
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
  /** Items that the reader marked, and those that the service added. */
  const [starred, read, late] = [new Set<string>(), new Set<string>(), [] as string[]];
  let marks = 0;
  const mark = async (): Promise<void> => {
    const id = `item-${String((marks * 37) % ITEMS)}`;
    const action = marks++ % 2 === 0 ? 'star' : 'read';
    await call('items.mark', { ids: [id], mark: action });
    (action === 'star' ? starred : read).add(id);
  };
  const arrive = async (): Promise<void> => {
    for (const kind of [7, 8]) {
      late.push(`Title of item ${String(kind)}, late ${String(late.length)}`);
      service.control.addItem({ title: late.at(-1)!, discoveredAt: new Date(systemClock.now()).toISOString() });
    }
    await call('sync.run', { urgency: 'now' });
  };
  return { wire: core.wire, call, mark, arrive, starred, read, late };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** Records the events of rules while they are changed, and what the page reads and marks meanwhile. Times are in ms. */
async function change({ wire, call, mark, arrive }: Scene, work: () => Promise<unknown>) {
  const progress: (number | null)[] = [];
  const end = wire.on('rules.changed', (event) => void progress.push(event.progress?.done ?? null));
  const from = performance.now();
  const saved = await timed(work);
  let arrivedAfter = Infinity;
  const endItems = wire.on('items.changed', ({ added }) => {
    if (added > 0) arrivedAfter = Math.min(arrivedAfter, performance.now() - from);
  });
  const arrived = arrive();
  const meanwhile = { reads: [] as number[], marks: [] as number[], hidden: new Set<number>() };
  // Events before the answer are older than it: the last one follows.
  do {
    await setImmediate();
    const { ms, value } = await timed(() => call('items.page', { query: EVERYTHING, limit: 50 }));
    meanwhile.reads.push(ms);
    // Rules that hide almost everything leave a few.
    expect(value.rows.length).toBeGreaterThan(0);
    meanwhile.marks.push((await timed(mark)).ms);
    meanwhile.hidden.add((await call('counts.get', {})).muted.total);
  } while (progress.at(-1) !== null);
  const ms = performance.now() - from;
  await arrived;
  end();
  endItems();
  return { ms, saved: saved.ms, arrivedAfter, progress, ...meanwhile };
}

/** Expects hidden items to be those that a plain look at every title finds, and every mark and new item to be there. */
async function expectHidden({ call, starred, read, late }: Scene, hides: RegExp | null): Promise<void> {
  const [hidden, shown] = [await rowsOf(call, HIDDEN), await rowsOf(call, EVERYTHING)];
  const wanted = [...hidden, ...shown].filter(({ title }) => hides?.test(title) ?? false);
  expect(hidden.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
  const every = new Map([...hidden, ...shown].map((row) => [row.id, row]));
  expect(every.size).toBe(hidden.length + shown.length);
  expect([...every.values()].filter(({ title }) => / of item /.test(title))).toHaveLength(ITEMS + late.length);
  const titles = new Set([...every.values()].map(({ title }) => title));
  expect(late.filter((title) => !titles.has(title))).toEqual([]);
  const marked = [...every.values()].filter(({ state }) => state.starredAt !== null).map(({ id }) => id);
  expect(marked.toSorted()).toEqual([...starred].toSorted());
  expect([...read].filter((id) => every.get(id)?.state.readAt === null)).toEqual([]);
  const counts = await call('counts.get', {});
  expect(counts.muted.total).toBe(hidden.length);
  expect(counts.all.total).toBe(shown.length);
}

const longest = (all: readonly number[]): string => `${Math.max(...all).toFixed(0)} ms of ${String(all.length)}`;

describe(`a changed rule over ${String(ITEMS)} items`, () => {
  it('is matched in the background, with progress, while items are read, marked and come', async () => {
    const scene = await openScene();
    const { call } = scene;
    const added = await change(scene, () => call('mutes.add', { query: FIRST.query }));
    await expectHidden(scene, FIRST.hides);
    const changed = await change(scene, async () => {
      const [rule] = (await call('mutes.list', {})).rules;
      await call('mutes.remove', { id: rule!.id });
      await call('mutes.add', { query: SECOND.query });
    });
    await expectHidden(scene, SECOND.hides);
    const { rules } = await call('mutes.list', {});
    expect(rules).toHaveLength(1);
    const removed = await change(scene, () => call('mutes.remove', { id: rules[0]!.id }));
    await expectHidden(scene, null);
    for (const { progress } of [added, removed]) {
      const rising = progress.slice(0, -1);
      expect(rising).toEqual(rising.filter((done) => done !== null).toSorted((a, b) => a - b));
    }
    expect(added.progress.length).toBeGreaterThan(ITEMS / (A_STEP * STEPS_A_MESSAGE));
    if (!isWhole) return;
    for (const [name, run] of Object.entries({ added, changed, removed })) {
      const { ms, saved, arrivedAfter, reads, marks, hidden, progress } = run;
      process.stdout.write(
        `${name}: ${ms.toFixed(0)} ms in all, saved after ${saved.toFixed(0)} ms, new items after ${arrivedAfter.toFixed(0)} ms, ${String(progress.length)} messages; ` +
          `longest items.page ${longest(reads)}, longest items.mark ${longest(marks)}, ${String(hidden.size)} counts seen\n`,
      );
      // New items don't wait for the rules.
      expect(arrivedAfter, name).toBeLessThan(ms);
      if (isTimed) expect(Math.max(...reads, ...marks), name).toBeLessThan(MOST_A_CALL);
    }
  });

  it.runIf(isWhole)('leaves the thread of the engine to others between short steps', async () => {
    const source = 'http://127.0.0.1:9';
    const room = openTestEngine({ address: source, folder: filledFolder(source) });
    for (const { query } of [FIRST, SECOND]) {
      const steps = new LoopSteps();
      await room.call('mutes.add', { query });
      await expect.poll(() => room.queries.rules.progress(), { timeout: MINUTE, interval: 20 }).toBeNull();
      const { longest: most, p99 } = steps.end();
      process.stdout.write(`longest step of the engine ${most.toFixed(0)} ms, 99th percentile ${p99.toFixed(0)} ms\n`);
    }
  });
});

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { casesOf } from '../../support/proofs.ts';
import { SELECTED, expectEqualSets, rowsOf } from '../../support/selected-set.ts';

const REQUESTS = 5;

interface Scene {
  service: DemoService;
  clock: FakeClock;
  folder: string;
  open(): TestEngine;
  /** The k-th request from now on is not answered; 0 for none. */
  breakRequest(k: number): void;
}

async function openScene(selected: number): Promise<Scene> {
  const clock = fakeClock();
  let left = 0;
  const service = await startDemoService({
    clock,
    content: { selected, unselected: 20, days: 30 },
    intercept: (_, response) => {
      if (left === 0 || (left -= 1) > 0) return false;
      response.destroy();
      return true;
    },
  });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  const open = (): TestEngine => openTestEngine({ address: service.newsAddress, clock, folder });
  return { service, clock, folder, open, breakRequest: (k) => void (left = k) };
}

/**
 * The k-th transaction that writes items fails at its end, when all that it wrote is there to be taken back. Others don't count: a
 * report that can't be saved fails by itself, and no run fails by the log of runs.
 */
function breakWrite({ engine: { store } }: TestEngine, k: number): void {
  const transaction = store.transaction.bind(store);
  let left = k;
  store.transaction = (work) =>
    transaction((tx) => {
      const items = vi.fn(() => tx.items);
      const result = work(Object.defineProperty({ ...tx }, 'items', { get: items }));
      if (items.mock.calls.length > 0 && (left -= 1) === 0) throw new Error('Set by a test.');
      return result;
    });
}

const syncNow = ({ call }: TestEngine, urgency: 'due' | 'now' = 'now') =>
  call('sync.run', { urgency, resources: ['items', 'selected'] });

/** Edits, removals and additions that fill several pages of changes. */
function stir({ control }: DemoService): void {
  const items = control.selectedItems();
  for (const { id } of items.slice(0, 150)) control.editItem(id, { summary: `Rewritten summary of ${id}` });
  for (const { id } of items.slice(150, 200)) control.withdraw(id);
  for (let n = 0; n < 30; n += 1) control.addItem({ title: `Late news ${n}` });
}

const sequence = (last: number): number[] => Array.from({ length: last }, (_, n) => n + 1);

describe('a first snapshot', () => {
  it.each(casesOf(sequence(REQUESTS), [0, REQUESTS - 1]))(
    'that stops at request %d is complete after the next run',
    async (k) => {
      const scene = await openScene(1100);
      scene.breakRequest(k);
      const room = scene.open();
      const { ok, resources } = await syncNow(room);
      // The others of a list whose first page came are only missed.
      expect(ok && !resources.items.missed).toBe(false);
      await room.engine.close();

      const next = scene.open();
      expect(await syncNow(next)).toMatchObject({ ok: true });
      await expectEqualSets(next, scene.service.control);
    },
  );

  it.each(casesOf(sequence(5), [1, 4]))('that stops at write %d is complete after the next run', async (k) => {
    const scene = await openScene(1100);
    const room = scene.open();
    breakWrite(room, k);
    expect(await syncNow(room)).toMatchObject({ ok: false });
    await room.engine.close();

    const next = scene.open();
    expect(await syncNow(next)).toMatchObject({ ok: true });
    await expectEqualSets(next, scene.service.control);
  });
});

describe('changes', () => {
  const ways: [string, (scene: Scene, room: TestEngine, k: number) => void][] = [
    ['request', (scene, _, k) => scene.breakRequest(k)],
    ['write', (_, room, k) => breakWrite(room, k)],
  ];

  it.each(ways)('that stop at any %s are completed by the next run', async (_, breakAt) => {
    const scene = await openScene(400);
    const first = scene.open();
    await syncNow(first);
    await first.engine.close();
    for (const k of casesOf(sequence(4), [1, 2])) {
      stir(scene.service);
      const room = scene.open();
      breakAt(scene, room, k);
      expect(await syncNow(room)).toMatchObject({ ok: false });
      // In the same process too, without opening anything again.
      if (k % 2 === 0) await room.engine.close();
      const next = k % 2 === 0 ? scene.open() : room;
      expect(await syncNow(next)).toMatchObject({ ok: true });
      await expectEqualSets(next, scene.service.control);
      await next.engine.close();
    }
  });
});

describe('a snapshot that lacks half of the set', () => {
  it.each<[string, (scene: Scene, room: TestEngine, k: number) => void]>([
    ['request', (scene, _, k) => scene.breakRequest(k)],
    ['write', (_, room, k) => breakWrite(room, k)],
  ])('loses nothing if it, or the one that checks it, stops at any %s', async (_, breakAt) => {
    const scene = await openScene(1100);
    const { clock, service } = scene;
    let room = scene.open();
    await syncNow(room);
    const before = await rowsOf(room, SELECTED);
    const syncBroken = async (k: number): Promise<void> => {
      breakAt(scene, room, k);
      await syncNow(room);
      scene.breakRequest(0);
      await room.engine.close();
      room = scene.open();
      expect(await rowsOf(room, SELECTED)).toEqual(before);
      expect(await syncNow(room)).toMatchObject({ ok: true });
      expect(await rowsOf(room, SELECTED)).toEqual(before);
    };
    for (const k of casesOf(sequence(5), [1, 2])) {
      service.control.requireSnapshot();
      service.control.shrinkSnapshots(0.5, 100);
      clock.advance(60_000);
      await syncBroken(k);
      service.control.shrinkSnapshots(1);
      clock.advance(3_600_000);
      await syncBroken(k);
      // A check that failed is due again later.
      clock.advance(24 * 3_600_000);
      await syncNow(room);
      const { resources } = await room.call('sync.status', {});
      expect(resources.find(({ name }) => name === 'selected')?.confirming).toBeNull();
    }
    await expectEqualSets(room, service.control);
  });
});

describe('a sync that is cancelled because Broadsheet closes', () => {
  it('is logged, is not a failure of the service, and continues at once', async () => {
    const scene = await openScene(1100);
    const room = scene.open();
    const { store } = room.engine;
    const transaction = store.transaction.bind(store);
    let closing: Promise<void> | undefined;
    store.transaction = (work) => {
      closing ??= room.engine.close();
      return transaction(work);
    };
    await syncNow(room);
    await closing;

    const next = scene.open();
    const { schedule } = next.engine.store.queries;
    for (const name of ['items', 'selected'] as const) {
      const [run] = schedule.runs(name, 5);
      // In flight, or about to be sent.
      expect(['aborted', 'closed']).toContain(run!.error!.code);
      expect(schedule.state(name)).toBeNull();
    }
    expect(await syncNow(next, 'due')).toMatchObject({ ok: true });
    await expectEqualSets(next, scene.service.control);
  });
});

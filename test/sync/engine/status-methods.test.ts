import { setImmediate } from 'node:timers/promises';
import type { Statement } from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openMarking, type Store } from '../../../src-main/store/index.ts';
import { statusMethods } from '../../../src-main/sync/engine/status-methods.ts';
import { databaseOf, openTestStore } from '../../store/internals.ts';
import { items } from '../../support/items.ts';
import { EVERYTHING, storeListed } from '../../support/store.ts';

const OLDEST = 'item-2499';

interface Scene {
  store: Store;
  told: string[][];
  methods: ReturnType<typeof statusMethods>;
  watermark: number;
}

/** 2,500 unread items: three steps. */
function openScene(): Scene {
  const store = openTestStore();
  storeListed(store, items(2_500));
  const told: string[][] = [];
  const methods = statusMethods({ store, announceStatuses: (ids) => told.push(ids) });
  return { store, told, methods, watermark: store.queries.mirror.number('sequence') };
}

const unread = (store: Store): number => store.queries.items.counts().all.unread;

describe('marking everything as read in steps', () => {
  it('leaves unread what the reader marks so between two of them', async () => {
    const { store, methods, watermark } = openScene();
    methods['items.mark']({ ids: [OLDEST], mark: 'read' });
    const marking = methods['items.markAllRead']({ query: EVERYTHING, watermark });
    while (unread(store) === 2_499) await setImmediate();
    expect(unread(store)).toBe(1_499);
    methods['items.mark']({ ids: [OLDEST], mark: 'unread' });
    await marking;
    expect(unread(store)).toBe(1);
  });

  it('tells what it marked if one fails, and a later start does not go on', async () => {
    const { store, told, methods, watermark } = openScene();
    databaseOf(store).exec(`CREATE TEMP TRIGGER refuse BEFORE UPDATE ON main.item_index
      WHEN old.arrival = (SELECT arrival FROM item WHERE id = '${OLDEST}') BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    await expect(methods['items.markAllRead']({ query: EVERYTHING, watermark })).rejects.toThrow('refused');
    expect(unread(store)).toBe(500);
    expect(told.map(({ length }) => length)).toEqual([2_000]);
    expect(openMarking(store.queries.mirror)).toBeNull();
  });
});

describe('undoing that', () => {
  it('runs as many statements for many items as for one', async () => {
    const { store, methods } = openScene();
    const statement = Object.getPrototypeOf(databaseOf(store).prepare('SELECT 1')) as Statement;
    const run = vi.spyOn(statement, 'run');
    const get = vi.spyOn(statement, 'get');
    onTestFinished(() => void vi.restoreAllMocks());
    const statementsFor = async (count: number): Promise<number> => {
      const ids = items(count).map(({ id }) => id);
      const { undo } = methods['items.mark']({ ids, mark: 'read' });
      run.mockClear();
      get.mockClear();
      expect(await methods['items.undoMark']({ undo: undo! })).toEqual({ restored: count });
      expect(unread(store)).toBe(2_500);
      return run.mock.calls.length + get.mock.calls.length;
    };
    expect(await statementsFor(900)).toBe(await statementsFor(1));
  });
});

describe('marking several items', () => {
  it('stays undoable under any number of single marks if it is a bulk action', async () => {
    const { store, methods } = openScene();
    const several = methods['items.mark']({ ids: ['item-1', 'item-2', 'item-3'], mark: 'read', bulk: true });
    for (let n = 10; n < 215; n += 1) methods['items.mark']({ ids: [`item-${n}`], mark: 'read' });
    expect(await methods['items.undoMark']({ undo: several.undo! })).toEqual({ restored: 3 });
    expect(unread(store)).toBe(2_500 - 205);
  });
});

describe('marking what is beside a place as read', () => {
  it.each([
    ['above', 2_100, 399],
    ['below', 2_100, 2_100],
  ] as const)('takes what is %s it, in steps that a killed process does not widen', async (side, from, count) => {
    const { store, methods, watermark } = openScene();
    const { places } = store.queries.items.places(EVERYTHING, undefined, 2_500, Date.now());
    const place = places[2_499 - from]!;
    const { changed, undo } = await methods['items.markAllRead']({ query: EVERYTHING, watermark, [side]: place });
    expect([changed, unread(store)]).toEqual([count, 2_500 - count]);
    expect(openMarking(store.queries.mirror)).toBeNull();
    expect(await methods['items.undoMark']({ undo: undo! })).toEqual({ restored: count });
  });
});

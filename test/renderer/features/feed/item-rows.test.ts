import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ItemRow, ItemsQuery } from '../../../../src-main/contract/model/item.ts';
import { LiveAnswers } from '../../../../src-renderer/api/live.ts';
import { ItemRows } from '../../../../src-renderer/features/feed/item-rows.svelte.ts';
import { isWhole } from '../../../support/proofs.ts';
import { NOW, openCore, unreadPicks, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { listed } from '../../support/listed.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

const ALL = { scope: 'all', window: 'any', state: 'any' } as const;

const arrival = (n: number): ItemRow => madeUpRow(0, NOW, { id: `new-${n}` });
const loaded = (list: ItemRows, from = 0, to = list.count): ItemRow[] =>
  listed(list)
    .slice(from, to)
    .flatMap((row) => row ?? []);
const ids = (list: ItemRows, from = 0, to = list.count): string[] => loaded(list, from, to).map((row) => row.id);
/** Lists the matches of a query, from the top. */
const openList = async (query: ItemsQuery): Promise<void> => {
  list = new ItemRows({ live: new LiveAnswers(wire), query });
  await list.open(null);
};
/** The same, in place of another list. */
const load = (query: ItemsQuery = list.query): Promise<void> => {
  list.close();
  return openList(query);
};
const see = async (first: number, last: number): Promise<void> => {
  list.see(first, last);
  await settle();
  await settle();
};

let wire: CoreWire;
let list: ItemRows;

async function openFifty(): Promise<void> {
  wire = await openCore({ items: unreadPicks(50) });
  await openList(ALL);
}

/** Corrects the time of an item. */
async function makeNewest(id: string): Promise<void> {
  await wire.revise(id, { discoveredAt: new Date(wire.app.clock.now()).toISOString(), publishedAt: null });
}

describe('the visible list', () => {
  beforeEach(openFifty);

  it('counts a saved item that now matches its filters', async () => {
    await wire.arrive([{ ...arrival(1), inSelectedSet: false }]);
    await load({ ...ALL, scope: 'selected' });
    await wire.revise('new-1', { selected: true });
    await settle();
    expect(list.fresh.count).toBe(1);
  });

  it('says that there may be more if a whole page is new', async () => {
    wire.pass(3 * 60_000);
    await wire.arrive(Array.from({ length: 150 }, (_, n) => arrival(n)));
    await settle();
    expect(list.fresh).toMatchObject({ count: 100, more: true });
  });

  it('keeps a row in place whose time was corrected: it is neither withdrawn nor new', async () => {
    const before = ids(list);
    await makeNewest('item-3');
    await settle();
    expect(ids(list)).toEqual(before);
    expect(list.removalReasons.size).toBe(0);
    expect(list.fresh.count).toBe(0);
    await load();
    expect(ids(list).slice(0, 2)).toEqual(['item-3', 'item-0']);
  });

  it('drops the snippets of a revised row, which show its old text', async () => {
    await load({ ...ALL, text: 'weights' });
    const { id } = list.at(0)!;
    expect(list.at(0)?.snippets).toHaveLength(1);
    await wire.revise(id, { title: 'Put right' });
    await settle();
    expect(list.at(0)).toMatchObject({ title: 'Put right', snippets: [] });
  });

  it('keeps a withdrawn row, marked, until it is loaded again', async () => {
    await wire.withdraw('item-3');
    await settle();
    expect(list.removalReasons.get('item-3')).toBe('withdrawn');
    expect(ids(list)).toContain('item-3');
    await load();
    expect(ids(list)).not.toContain('item-3');
    expect(list.removalReasons.size).toBe(0);
  });

  it('marks a row that left the selected set', async () => {
    await load({ ...ALL, scope: 'selected' });
    await wire.revise('item-3', { selected: false });
    await settle();
    expect(list.removalReasons.get('item-3')).toBe('leftSelection');
  });
});

describe('a long list', () => {
  const LONG = unreadPicks(2500, { summary: 'All of them are found by this word: archipelago.' });

  beforeEach(async () => {
    wire = await openCore({ items: LONG });
    await openList(ALL);
  });

  it('has its full height from the start, loads some rows ahead, and only what is near a dragged scrollbar', async () => {
    expect(list.count).toBe(2500);
    await see(0, 10);
    expect(loaded(list).length).toBeGreaterThanOrEqual(611);
    expect(loaded(list).length).toBeLessThan(900);
    wire.calls.length = 0;
    list.see(1750, 1760);
    await settle();
    expect(ids(list, 1750, 1761)).toEqual(wire.rows.slice(1750, 1761).map((row) => row.id));
    const [first, ...others] = wire.calls.map(({ args }) => (args as { places: number[] }).places.length);
    expect(first).toBe(200);
    expect(others.length).toBeLessThan(5);
  });

  it('drops rows that are far from the view, and keeps the open one with its neighbours', async () => {
    await see(1, 11);
    list.hold('item-300');
    await see(2400, 2410);
    expect(loaded(list, 0, 250)).toHaveLength(0);
    expect(list.indexOf('item-300')).toBe(300);
    expect(list.at(301)?.id).toBe('item-301');
    expect(loaded(list).length).toBeLessThan(1500);
    expect(await list.row(100)).toMatchObject({ id: 'item-100' });
    expect(await list.row(2500)).toBeNull();
  });

  it('keeps rows that no longer match in their place, also when they come back into view', async () => {
    await load({ ...ALL, state: 'unread' });
    await see(0, 10);
    await wire.ask('items.mark', { ids: ['item-5'], mark: 'read' });
    await settle();
    expect(list.at(5)).toMatchObject({ id: 'item-5', state: { readAt: expect.any(String) as string } });
    await see(2400, 2410);
    await see(0, 10);
    expect(list.at(5)).toMatchObject({ id: 'item-5', state: { readAt: expect.any(String) as string } });
  });

  it('has no hole where unseen rows were withdrawn', async () => {
    await see(0, 10);
    await wire.withdraw('item-1705');
    await see(1700, 1702);
    expect(list.count).toBe(2499);
    expect(list.at(1705)?.id).toBe('item-1706');
  });

  it('leaves a place for a withdrawn row above', async () => {
    await see(2400, 2410);
    await wire.withdraw('item-1702');
    await see(1700, 1710);
    expect(list.at(1702)).toBeNull();
    expect(list.at(1703)?.id).toBe('item-1703');
  });

  it('grows as results of a search are reached', async () => {
    const query = { ...ALL, text: 'archipelago' };
    await waitFor(async () =>
      expect((await wire.ask('items.places', { query, limit: 20_000 })).places).toHaveLength(2500),
    );
    await load(query);
    expect(list.count).toBeLessThan(2500);
    for (let first = 0; first < 2500; first += 300) await see(first, first + 10);
    expect(list.count).toBe(2500);
    expect(new Set(loaded(list).map(({ id }) => id)).size).toBe(loaded(list).length);
  });

  it('shows a row once that is in two places', async () => {
    const read = wire.hold('items.places');
    await load(ALL);
    // Between the first rows, which are read, and the keys of the others, which are not.
    const { discoveredAt } = LONG[150]!;
    await wire.revise('item-5', { discoveredAt, publishedAt: null });
    read();
    await see(0, 10);
    await see(100, 110);
    expect(loaded(list).filter(({ id }) => id === 'item-5')).toHaveLength(1);
  });

  it.each(['items.places', 'items.rows'] as const)(
    'keeps its rows if %s fails, and continues when asked',
    async (method) => {
      wire.failing.set(method, { code: 'unreachable', message: '', retryable: true });
      await load(ALL);
      await see(1, 11);
      expect(loaded(list)).toHaveLength(100);
      expect(list.failure?.code).toBe('unreachable');
      wire.failing.clear();
      await list.retry();
      expect(list.failure).toBeNull();
      expect(loaded(list).length).toBeGreaterThan(600);
    },
  );
});

describe('a list of what is starred, without rows', () => {
  beforeEach(openFifty);

  const star = async (): Promise<void> => {
    await wire.ask('items.mark', { ids: ['item-3'], mark: 'star' });
    await settle();
  };

  it('shows what was starred after it was read', async () => {
    await load({ ...ALL, state: 'starred' });
    expect(ids(list)).toEqual([]);
    await star();
    expect(ids(list)).toEqual(['item-3']);
  });

  it('shows what was starred while it was read', async () => {
    const release = wire.holdAnswers('items.page');
    const loading = load({ ...ALL, state: 'starred' });
    await settle();
    await star();
    release();
    await loading;
    await settle();
    expect(ids(list)).toEqual(['item-3']);
  });
});

describe('mark all read', () => {
  beforeEach(openFifty);

  it('is shown at once, also by rows that are loaded meanwhile, and so is its undoing', async () => {
    wire = await openCore({ items: unreadPicks(2500) });
    await load(ALL);
    await see(0, 10);
    const open = wire.hold('items.markAllRead');
    const marking = list.markRead();
    expect(loaded(list).every((row) => row.state.readAt !== null)).toBe(true);
    await see(2000, 2010);
    expect(loaded(list, 2000, 2011).every((row) => row.state.readAt !== null)).toBe(true);
    open();
    const marked = await marking;
    await settle();
    const undo = wire.hold('items.undoMark');
    const undoing = marked.ok && marked.value.takeBack?.();
    expect(loaded(list, 2000, 2011).every((row) => row.state.readAt === null)).toBe(true);
    undo();
    expect(await undoing).toMatchObject({ value: { restored: 2500 } });
    await settle();
    expect(loaded(list).every((row) => row.state.readAt === null)).toBe(true);
  });

  it.each(['before', 'after'] as const)(
    'stays shown when rows that were read before it arrive %s it is saved',
    async (order) => {
      const [answer, save] = [wire.holdAnswers('items.rows'), wire.holdAnswers('items.markAllRead')];
      wire.emit('items.changed', { added: 0, revised: 50, withdrawn: 0, ids: ids(list) });
      await settle();
      const marking = list.markRead();
      await settle();
      for (const release of order === 'before' ? [answer, save] : [save, answer]) {
        release();
        await settle();
      }
      await marking;
      await settle();
      expect(loaded(list).filter((row) => row.state.readAt === null)).toEqual([]);
    },
  );

  it('leaves unread what arrived since the list was loaded', async () => {
    await wire.arrive([arrival(1)]);
    await list.markRead();
    expect((await wire.stored()).filter((row) => row.state.readAt === null).map((row) => row.id)).toEqual(['new-1']);
    expect(loaded(list).every((row) => row.state.readAt !== null)).toBe(true);
  });
});

describe('a history of a list of 400 rows', () => {
  const index = fc.nat(399);
  const step = fc.oneof(
    fc.record({ do: fc.constant('arrive' as const), at: fc.integer({ min: 1, max: 30 }) }),
    fc.record({
      do: fc.constantFrom('append', 'withdraw', 'revise', 'mark', 'scroll', 'scroll', 'correct'),
      at: index,
    }),
    fc.record({ do: fc.constant('showFresh' as const), at: index }),
  );
  const keys = (): number[] => Array.from({ length: list.count }, (_, at) => list.keyAt(at) ?? -1);

  const rows = unreadPicks(400);
  let number: number;

  async function act({ do: what, at }: typeof step extends fc.Arbitrary<infer Step> ? Step : never): Promise<void> {
    const id = `item-${String(at)}`;
    if (what === 'arrive') await wire.arrive(Array.from({ length: at }, () => arrival((number += 1))));
    else if (what === 'withdraw') await wire.withdraw(id);
    else if (what === 'revise') await wire.revise(id, { title: `Revised ${String((number += 1))}` });
    else if (what === 'mark') await wire.ask('items.mark', { ids: [id], mark: 'star' });
    else if (what === 'correct') await makeNewest(id);
    else if (what === 'append') {
      const row = arrival((number += 1));
      await wire.add([{ ...row, discoveredAt: new Date(NOW - (30 * 24 * 60 + number) * 60_000).toISOString() }]);
    } else if (what === 'scroll') await see(at, at + 9);
    else await list.showFresh();
  }

  it('never moves a row unless the reader asks, and ends as a list that is read then', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), fc.boolean(), async (steps, waits) => {
        number = 0;
        wire = await openCore({ items: rows });
        await openList(ALL);
        await see(0, 9);
        for (const one of steps) {
          const before = keys();
          await act(one);
          if (waits) await see(0, 0);
          if (one.do !== 'showFresh') {
            // Rows that were gone before anyone saw them are left out, and others follow below the end.
            const now = keys();
            const known = new Set(now);
            expect(now.slice(0, before.filter((key) => known.has(key)).length)).toEqual(
              before.filter((key) => known.has(key)),
            );
          }
          expect(new Set(keys()).size).toBe(list.count);
        }
        await settle();
        await wire.arrive([arrival(0)]);
        await settle();
        await list.showFresh();
        for (let first = 0; first < list.count; first += 100) await see(first, first + 99);
        const end = listed(list);
        await load(ALL);
        for (let first = 0; first < list.count; first += 100) await see(first, first + 99);
        expect(end).toEqual(listed(list));
        await wire.app.core.close();
      }),
      { numRuns: isWhole ? 50 : 8 },
    );
  });
});

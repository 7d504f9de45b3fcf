import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ItemRow } from '../../../../src-main/contract/model/item.ts';
import { ListState } from '../../../../src-renderer/features/feed/list.svelte.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { MemoryWire } from '../../support/memory-wire.ts';
import { settle } from '../../support/settle.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ALL = { scope: 'all', window: 'any', state: 'any' } as const;

const made = (count: number, changes: Partial<ItemRow> = {}): ItemRow[] =>
  Array.from({ length: count }, (_, n) => madeUpRow(n, NOW, { state: { readAt: null, starredAt: null }, ...changes }));
const arrival = (n: number): ItemRow => madeUpRow(0, NOW, { id: `new-${n}` });
const ids = (list: ListState): string[] => list.rows.map((row) => row.id);

let wire: MemoryWire;
let list: ListState;

beforeEach(async () => {
  wire = new MemoryWire(made(50));
  list = new ListState(wire);
  await list.load(ALL);
});

describe('the visible list', () => {
  it('does not move when items arrive: it counts them', async () => {
    const before = ids(list);
    wire.arrive([arrival(1), arrival(2)]);
    await settle();
    expect(ids(list)).toEqual(before);
    expect(list.fresh).toEqual({ count: 2, more: false });
  });

  it('shows new items when asked', async () => {
    wire.arrive([arrival(1), arrival(2)]);
    await settle();
    list.showFresh();
    expect(ids(list).slice(0, 3)).toEqual(['new-1', 'new-2', 'item-0']);
    expect(list.fresh.count).toBe(0);
    await settle();
    expect(list.total).toBe(52);
  });

  it('counts only items that match its filters', async () => {
    await list.load({ ...ALL, state: 'starred' });
    wire.rows = [madeUpRow(0, NOW, { id: 'starred-1', state: { readAt: null, starredAt: 'x' } }), ...wire.rows];
    wire.arrive([arrival(1)]);
    await settle();
    expect(ids(list)).toEqual(['starred-1']);
    wire.arrive([arrival(2)]);
    await settle();
    expect(list.fresh.count).toBe(0);
  });

  it('counts a saved item that now matches its filters', async () => {
    wire.rows = [madeUpRow(0, NOW, { id: 'taken-up' }), ...wire.rows];
    wire.emit('items.changed', { added: 0, revised: 0, withdrawn: 0, ids: ['taken-up'] });
    await settle();
    expect(list.fresh.count).toBe(1);
  });

  it('says that there may be more if a whole page is new', async () => {
    wire.arrive(Array.from({ length: 150 }, (_, n) => arrival(n)));
    await settle();
    expect(list.fresh).toEqual({ count: 100, more: true });
  });

  it('shows new items at once if it was empty', async () => {
    const empty = new MemoryWire([]);
    const first = new ListState(empty);
    await first.load(ALL);
    empty.arrive([arrival(1)]);
    await settle();
    expect(ids(first)).toEqual(['new-1']);
  });

  it('changes a revised row in place', async () => {
    wire.revise('item-3', { title: 'Put right', revisedAt: '2026-11-20T12:01:00Z' });
    await settle();
    expect(list.rows[3]?.title).toBe('Put right');
    expect(ids(list)).toHaveLength(50);
  });

  it('drops the snippets of a revised row, which show its old text', async () => {
    await list.load({ ...ALL, text: 'weights' });
    const { id } = list.rows[0]!;
    expect(list.rows[0]?.snippets).toHaveLength(1);
    wire.revise(id, { title: 'Put right', revisedAt: '2026-11-20T12:01:00Z' });
    await settle();
    expect(list.rows[0]).toMatchObject({ title: 'Put right', snippets: [] });
  });

  it('keeps a withdrawn row, marked, until it is loaded again', async () => {
    wire.withdraw('item-3');
    await settle();
    expect(list.removalReasons.get('item-3')).toBe('withdrawn');
    expect(ids(list)).toContain('item-3');
    await list.load();
    expect(ids(list)).not.toContain('item-3');
    expect(list.removalReasons.size).toBe(0);
  });

  it('marks a row that left the selected set', async () => {
    await list.load({ ...ALL, scope: 'selected' });
    wire.revise('item-3', { inSelectedSet: false });
    await settle();
    expect(list.removalReasons.get('item-3')).toBe('leftSelection');
  });

  it('keeps a row that was read in the unread view until it is loaded again', async () => {
    await list.load({ ...ALL, state: 'unread' });
    await wire.call('items.mark', { ids: ['item-2'], mark: 'read' });
    await settle();
    expect(list.rows[2]).toMatchObject({ id: 'item-2' });
    expect(list.rows[2]?.state.readAt).not.toBeNull();
    await list.load();
    expect(ids(list)).not.toContain('item-2');
  });
});

describe('paging', () => {
  beforeEach(async () => {
    wire = new MemoryWire(made(2500));
    list = new ListState(wire);
    await list.load(ALL);
  });

  it('has its full height from the start', () => {
    expect(list.rows).toHaveLength(100);
    expect(list.length).toBe(2500);
  });

  it('loads a limited number of rows ahead', async () => {
    list.see(0, 10);
    await settle();
    expect(list.rows.length).toBeGreaterThanOrEqual(610);
    expect(list.rows.length).toBeLessThan(900);
  });

  it('ends with every row once and in order', async () => {
    list.see(0, 2500);
    await settle();
    expect(ids(list)).toEqual(wire.rows.map((row) => row.id));
    expect(list.length).toBe(2500);
  });

  it('shows a row once that moved down between two pages', async () => {
    wire.rows.splice(150, 0, wire.rows[5]!);
    list.see(0, 10);
    await settle();
    expect(ids(list).filter((id) => id === 'item-5')).toHaveLength(1);
  });

  it('keeps its rows if a page fails, and continues when asked', async () => {
    wire.failing.set('items.page', { code: 'unreachable', message: '', retryable: true });
    list.see(0, 10);
    await settle();
    expect(list.rows).toHaveLength(100);
    expect(list.failure?.code).toBe('unreachable');
    wire.failing.clear();
    await list.loadMore();
    expect(list.failure).toBeNull();
    expect(list.rows.length).toBeGreaterThan(600);
  });
});

describe('loading', () => {
  it('shows the last query if answers come late', async () => {
    let open = (): void => {};
    wire.gate = new Promise((resolve) => (open = resolve));
    const first = list.load({ ...ALL, category: 'paper' });
    wire.gate = null;
    await list.load({ ...ALL, category: 'tip' });
    open();
    await first;
    expect(new Set(list.rows.map((row) => row.category))).toEqual(new Set(['tip']));
    expect(list.total).toBe(list.rows.length);
  });

  it('keeps the old rows until loading has taken a while', async () => {
    vi.useFakeTimers();
    wire.gate = new Promise(() => {});
    void list.load({ ...ALL, category: 'paper' });
    vi.advanceTimersByTime(149);
    expect([list.slow, list.rows.length]).toEqual([false, 50]);
    vi.advanceTimersByTime(1);
    expect(list.slow).toBe(true);
    vi.useRealTimers();
  });

  it('reports what failed', async () => {
    wire.failing.set('items.page', { code: 'data_unreadable', message: '', retryable: false, requestId: 'r1' });
    await list.load();
    expect(list.phase).toBe('failed');
    expect(list.failure).toMatchObject({ code: 'data_unreadable', requestId: 'r1' });
  });
});

describe('mark all read', () => {
  it('leaves unread what arrived since the list was loaded', async () => {
    wire.arrive([madeUpRow(0, NOW, { id: 'new-1', state: { readAt: null, starredAt: null } })]);
    await list.markAllRead();
    expect(wire.rows.filter((row) => row.state.readAt === null).map((row) => row.id)).toEqual(['new-1']);
    expect(list.rows.every((row) => row.state.readAt !== null)).toBe(true);
  });

  it('is undone without moving a row', async () => {
    await list.load({ ...ALL, state: 'unread' });
    const before = ids(list);
    const receipt = await list.markAllRead();
    if ('code' in receipt || receipt.undo === null) throw new Error('nothing was marked');
    expect(receipt.changed).toBe(50);
    expect(await list.undo(receipt.undo)).toBe(50);
    expect(ids(list)).toEqual(before);
    expect(list.rows.every((row) => row.state.readAt === null)).toBe(true);
  });

  it('reports a failure, and shows nothing as read', async () => {
    wire.failing.set('items.markAllRead', { code: 'disk_full', message: '', retryable: true });
    expect(await list.markAllRead()).toMatchObject({ code: 'disk_full' });
    expect(list.rows.some((row) => row.state.readAt !== null)).toBe(false);
  });
});

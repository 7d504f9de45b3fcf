import { fireEvent, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { ItemStatus } from '../../../../src-main/contract/model/item.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { LiveAnswers } from '../../../../src-renderer/api/live.ts';
import { ItemRows } from '../../../../src-renderer/features/feed/item-rows.svelte.ts';
import { RowSelection } from '../../../../src-renderer/features/feed/row-selection.svelte.ts';
import { openCore, unreadPicks, type CoreWire } from '../../support/core.ts';
import { listed as listedRows } from '../../support/listed.ts';
import { openApp, openPage } from '../../support/page.ts';
import { clickOn, keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

describe('a selection of rows', () => {
  const rows = unreadPicks(3_000);
  const listed = {
    between: (first: number, last: number) => Promise.resolve(rows.slice(first, last + 1)),
    at: (index: number) => rows[index],
    indexOf: (id: string) => rows.findIndex((row) => row.id === id),
  };
  let list: typeof listed;
  let selection: RowSelection;
  const ids = (): string[] => selection.rows.map(({ id }) => id);

  beforeEach(() => {
    list = listed;
    selection = new RowSelection(() => list);
  });

  it('is a range from where it began, in both directions', async () => {
    await selection.extend(7, 5);
    expect(ids()).toEqual(['item-5', 'item-6', 'item-7']);
    await selection.extend(3, 7);
    expect(ids()).toEqual(['item-3', 'item-4', 'item-5']);
  });

  it('adds and removes single rows, the open one first', () => {
    selection.toggle(rows[4]!, 4, rows[1]);
    selection.toggle(rows[8]!, 8, rows[1]);
    expect(ids()).toEqual(['item-1', 'item-4', 'item-8']);
    selection.toggle(rows[4]!, 4, rows[1]);
    expect(ids()).toEqual(['item-1', 'item-8']);
  });

  it('has at most 1,000 rows, those next to where it began', async () => {
    await selection.all(3_000);
    expect([selection.count, selection.full]).toEqual([1_000, true]);
    selection.clear();
    await selection.extend(0, 2_000);
    expect([ids()[0], selection.count]).toEqual(['item-1001', 1_000]);
  });

  it('begins at the same row after new ones were put above it', async () => {
    const fresh = unreadPicks(2).map((row, n) => ({ ...row, id: `new-${n}` }));
    const longer = [...fresh, ...rows];
    const later = {
      between: (first: number, last: number) => Promise.resolve(longer.slice(first, last + 1)),
      at: (index: number) => longer[index],
      indexOf: (id: string) => longer.findIndex((row) => row.id === id),
    };
    await selection.extend(6, 5);
    list = later;
    await selection.extend(9, 8);
    expect(ids()).toEqual(['item-5', 'item-6', 'item-7']);
  });

  it('forgets a range that is read too late', async () => {
    const late = selection.extend(9, 0);
    selection.clear();
    await late;
    expect(selection.count).toBe(0);
  });
});

describe('the rows of a list', () => {
  it('between two places are read, also those that are not loaded', async () => {
    const wire = await openCore({ items: unreadPicks(1_000) });
    const list = new ItemRows({ live: new LiveAnswers(wire), query: { scope: 'all', window: 'any', state: 'any' } });
    await list.open(null);
    const rows = await list.between(800, 999);
    expect(rows.map(({ id }) => id)).toEqual(wire.rows.slice(800).map(({ id }) => id));
  });
});

describe('the list on the page', () => {
  let app: AppState;
  let wire: CoreWire;
  let list: HTMLElement;
  const press = async (key: string, modifiers: object = {}): Promise<void> => {
    await keyDown(list, { key, ...modifiers });
  };
  const selected = (): string[] =>
    [...list.querySelectorAll('[role="option"][aria-selected="true"]')].map(({ id }) => id.replace('item-', ''));
  const idsWith = async (status: keyof ItemStatus): Promise<string[]> =>
    (await wire.stored()).flatMap(({ id, state }) => (state[status] === null ? [] : id));
  const unread = async (): Promise<number> => (await wire.stored()).length - (await idsWith('readAt')).length;

  beforeEach(async () => {
    wire = await openCore({ items: unreadPicks(30), settings: { countsAsRead: 'byHand' } });
    ({ app } = await openPage(wire));
    list = screen.getByRole('listbox', { name: /^Items/ });
    list.focus();
    await press('ArrowDown');
  });

  it('selects with Shift and the arrows without opening, with clicks, and all, and says how many', async () => {
    expect(list.getAttribute('aria-multiselectable')).toBe('true');
    await press('ArrowDown', { shiftKey: true });
    await press('ArrowDown', { shiftKey: true });
    expect(selected()).toEqual(['item-0', 'item-1', 'item-2']);
    expect(app.reading.item?.id).toBe('item-0');
    expect(screen.getAllByText('3 selected')).toHaveLength(2);
    await press('Escape');
    expect(selected()).toEqual(['item-0']);
    expect(screen.queryByRole('toolbar', { name: 'Selected items' })).toBeNull();

    await press('Home');
    const row = (n: number): HTMLElement => list.querySelector<HTMLElement>(`#item-item-${n}`)!;
    await clickOn(row(3), { shiftKey: true });
    expect(selected()).toEqual(['item-0', 'item-1', 'item-2', 'item-3']);
    await fireEvent.click(row(1), { ctrlKey: true });
    await fireEvent.click(row(5), { metaKey: true });
    expect(selected()).toEqual(['item-0', 'item-2', 'item-3', 'item-5']);
    await press('a', { ctrlKey: true });
    expect(app.feed.selection.count).toBe(30);
    await clickOn(row(4));
    expect([app.feed.selection.count, app.reading.item?.id]).toEqual([0, 'item-4']);
  });

  it('marks what is selected as one step, also for the core, and shows the old status if that fails', async () => {
    await press('ArrowDown', { shiftKey: true });
    await press('ArrowDown', { shiftKey: true });
    await clickOn(screen.getByRole('button', { name: 'Mark selected as read' }));
    expect(await unread()).toBe(27);
    // The keys act on the selection, too.
    await press('s');
    expect(await idsWith('starredAt')).toHaveLength(3);
    expect(wire.argsOf('items.mark').at(-1)).toMatchObject({ bulk: true });
    await app.actions.takeBack();
    await settle();
    expect(await idsWith('starredAt')).toEqual([]);

    await press('Escape');
    await press('a', { ctrlKey: true });
    wire.failing.set('items.mark', { code: 'disk_full', message: 'Full.', retryable: false });
    await clickOn(screen.getByRole('button', { name: 'Mark selected as read' }));
    expect(await unread()).toBe(27);
    expect(listedRows(app.feed.list).filter((row) => row?.state.readAt === null)).toHaveLength(27);
  });

  it('ends when another list is opened over it: hidden rows are not marked', async () => {
    await press('ArrowDown', { shiftKey: true });
    await press('ArrowDown', { shiftKey: true });
    wire.answer('visits.list', () => ({ rows: wire.rows.slice(20), withdrawals: [] }));
    app.history.go({ view: 'visit', which: 'added', scope: 'all', open: [] });
    await settle();
    await settle();
    expect(app.feed.selection.count).toBe(0);
    await app.items.step(1);
    await settle();
    app.actions.toggleStar();
    await settle();
    expect(await idsWith('starredAt')).toEqual([app.reading.item?.id]);
  });

  it('ends when an item is opened by j, k or n, or the list is loaded anew, also if nothing is in it then', async () => {
    for (const key of ['j', 'k', 'n']) {
      await press('ArrowDown', { shiftKey: true });
      expect(app.feed.selection.count).toBe(2);
      await press(key);
      expect(app.feed.selection.count).toBe(0);
    }
    await press('a', { ctrlKey: true });
    app.feed.filter({ ...app.feed.list.query, state: 'starred' });
    await app.feed.ready;
    await settle();
    expect(listedRows(app.feed.list)).toHaveLength(0);
    expect(screen.queryByRole('toolbar', { name: 'Selected items' })).toBeNull();
    expect(app.feed.selection.count).toBe(0);
  });

  it('marks with K and J what is above and below as read, as the menu of a row does, and takes it back', async () => {
    for (let n = 0; n < 10; n += 1) await press('ArrowDown');
    for (const [key, count] of [
      ['K', 10],
      ['J', 19],
    ] as const) {
      await press(key);
      expect(await unread()).toBe(30 - count);
      expect(listedRows(app.feed.list).filter((row) => row?.state.readAt === null)).toHaveLength(30 - count);
      await app.actions.takeBack();
      await settle();
      expect(await unread()).toBe(30);
    }
    await fireEvent.contextMenu(list.querySelector('#item-item-4')!, { clientX: 10, clientY: 10 });
    await clickOn(screen.getByRole('menuitem', { name: 'Mark above as read' }));
    expect(await unread()).toBe(26);
    expect(document.activeElement).toBe(list);
  });

  describe('that is scrolled', () => {
    const ROW = 108;
    const scroll = async (top: number): Promise<void> => {
      vi.advanceTimersByTime(1_000);
      list.scrollTop = top;
      await fireEvent.scroll(list);
      await settle();
      await settle();
    };

    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
      Object.defineProperty(list, 'clientHeight', { configurable: true, value: 8 * ROW });
      await app.settings.set({ readOnScroll: true });
      await settle();
      await scroll(ROW);
      app.items.dropPassed();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it('marks what was passed within half a second by one call, and says nothing if another window was faster', async () => {
      const marks = () => wire.argsOf('items.mark').length;
      vi.advanceTimersByTime(1_000);
      const before = marks();
      for (let n = 2; n <= 6; n += 1) {
        list.scrollTop = n * ROW;
        await fireEvent.scroll(list);
        vi.advanceTimersByTime(40);
      }
      expect(marks()).toBe(before);
      vi.advanceTimersByTime(500);
      await settle();
      expect(marks()).toBe(before + 1);
      expect(await unread()).toBe(25);
      await app.actions.takeBack();
      expect(await unread()).toBe(30);

      app.items.markPassed(wire.rows.slice(0, 2));
      await wire.ask('items.mark', { ids: wire.rows.map(({ id }) => id), mark: 'read' });
      vi.advanceTimersByTime(500);
      await settle();
      expect(screen.queryByText(m.list_nothing_to_mark())).toBeNull();
    });

    it('does not mark new rows that came above what was seen', async () => {
      await scroll(2 * ROW);
      await wire.arrive(unreadPicks(8).map((row, n) => ({ ...row, id: `new-${n}` })));
      await settle();
      await scroll(0);
      expect(app.feed.list.indexOf('item-0')).toBe(8);
      await scroll(list.scrollTop + ROW);
      await scroll(list.scrollTop + ROW);
      expect((await idsWith('readAt')).filter((id) => id.startsWith('new-'))).toEqual([]);
    });
  });
});

describe('items that were passed, or wait for their time', () => {
  let app: AppState;
  let wire: CoreWire;
  const read = async (): Promise<string[]> =>
    (await wire.stored()).flatMap(({ id, state }) => (state.readAt === null ? [] : id));
  const unread = async (): Promise<number> => (await wire.stored()).length - (await read()).length;

  beforeEach(async () => {
    wire = await openCore({ items: unreadPicks(30), settings: { countsAsRead: 'byHand' } });
    app = await openApp(wire);
    app.actions.step(1);
    await settle();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are marked as read as one step', async () => {
    const pass = async (...ids: string[]): Promise<void> => {
      app.items.markPassed(wire.rows.filter(({ id }) => ids.includes(id)));
      await app.items.savePassed();
      await settle();
    };
    await pass('item-1', 'item-2');
    await pass('item-2', 'item-3');
    expect(await unread()).toBe(27);
    await app.actions.takeBack();
    await settle();
    expect(await unread()).toBe(30);
  });

  it('are left unread if the reader marks them so meanwhile, and taken back if they were passed just now', async () => {
    app.items.markPassed(wire.rows.slice(3, 6));
    await app.items.mark(wire.rows[4]!, 'unread');
    await app.actions.takeBack();
    expect(await unread()).toBe(30);
    expect(wire.argsOf('items.mark').at(-1)?.ids).toEqual(['item-3', 'item-5']);
  });

  it('begin another step before the core forgets the first', async () => {
    await wire.add(unreadPicks(100).slice(30));
    for (const row of unreadPicks(60)) {
      app.items.markPassed([row]);
      await app.items.savePassed();
    }
    await app.actions.takeBack();
    expect(await unread()).toBe(50);
    await app.actions.takeBack();
    expect(await unread()).toBe(100);
  });

  describe('while the open one is waited for', () => {
    const wait = async (ms: number): Promise<void> => {
      vi.advanceTimersByTime(ms);
      await settle();
    };
    beforeEach(async () => {
      await app.settings.set({ countsAsRead: 'afterDelay' });
      app.actions.step(1);
      await settle();
    });

    it('counts as read though other rows are marked or passed, and it is starred', async () => {
      await app.items.markSeveral(wire.rows.slice(0, 3), 'star');
      await app.items.markSeveral(wire.rows.slice(3, 5), 'read');
      app.items.markPassed(wire.rows.slice(0, 1));
      app.items.toggleRead(wire.rows[7]!);
      await wait(3_000);
      expect(await read()).toEqual(['item-0', 'item-1', 'item-3', 'item-4', 'item-7']);
    });

    it('stays unread if that is what was chosen', async () => {
      await app.items.markSeveral(wire.rows.slice(0, 3), 'unread');
      await wait(3_000);
      expect(await read()).toEqual([]);
    });
  });
});

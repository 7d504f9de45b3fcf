import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { UndoStack, type Undoable } from '../../../src-renderer/app/undo.svelte.ts';
import { openCore, unreadPicks, type CoreWire } from '../support/core.ts';
import { openApp, openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';

describe('the undo stack', () => {
  let taken: string[];
  let stack: UndoStack;

  beforeEach(() => {
    taken = [];
    stack = new UndoStack();
  });

  const step = (what: string, bulk = false, works = true): Undoable => ({
    what,
    bulk,
    takeBack: () => {
      taken.push(what);
      return Promise.resolve(works);
    },
  });

  it('takes back the newest first, each once, and says when there is none', async () => {
    stack.push(step('a'));
    stack.push(step('b'));
    expect([await stack.undo(), await stack.undo(), await stack.undo()]).toEqual([true, true, false]);
    expect(taken).toEqual(['b', 'a']);
  });

  it('takes back what began last, whichever was saved last', async () => {
    stack.push(step('before'), 1);
    stack.push(step('last'), 3);
    stack.push(step('saved late'), 2);
    for (let n = 0; n < 3; n += 1) await stack.undo();
    expect(taken).toEqual(['last', 'saved late', 'before']);
  });

  it('keeps a bulk action under any number of single ones, until the next', async () => {
    stack.push(step('all', true));
    for (let n = 0; n < 500; n += 1) stack.push(step(`single ${n}`));
    expect(stack.bulk?.what).toBe('all');
    await stack.undo(stack.bulk);
    expect(taken).toEqual(['all']);
    stack.push(step('first', true));
    const first = stack.bulk;
    stack.push(step('second', true));
    expect([stack.bulk?.what, await stack.undo(first)]).toEqual(['second', false]);
  });

  it('keeps what could not be taken back', async () => {
    stack.push(step('stubborn', false, false));
    await stack.undo();
    await stack.undo();
    expect(taken).toEqual(['stubborn', 'stubborn']);
  });

  it('takes back one at a time, and begins what comes after it later', async () => {
    let done = (_: boolean): void => undefined;
    stack.push(step('under it'));
    stack.push({ what: 'slow', bulk: false, takeBack: () => new Promise((resolve) => (done = resolve)) });
    const slow = stack.undo();
    const second = stack.undo();
    const marked = stack.next(() => Promise.resolve(taken.push('marked')));
    await settle();
    expect(taken).toEqual([]);
    done(true);
    expect(await Promise.all([slow, second, marked])).toEqual([true, true, 2]);
    expect(taken).toEqual(['under it', 'marked']);
  });
});

describe('undo', () => {
  let wire: CoreWire;
  let app: AppState;

  beforeEach(async () => {
    wire = await openCore({ items: unreadPicks(12) });
    app = await openApp(wire);
  });

  const undoInMenu = async (): Promise<HTMLElement | null> => {
    await fireEvent.click(
      within(document.querySelector<HTMLElement>('#feed-list')!).getByRole('button', { name: /^More/ }),
    );
    return screen.queryByRole('menuitem', { name: 'Undo: 12 items marked as read' });
  };

  it('takes back single marks, each with its time, and says what', async () => {
    app.actions.step(1);
    await settle();
    const { readAt } = await wire.stateOf('item-0');
    expect(readAt).not.toBeNull();
    app.actions.toggleRead();
    await settle();
    app.actions.toggleStar();
    await settle();
    await app.actions.takeBack();
    expect([(await wire.stateOf('item-0')).starredAt, app.toasts.note?.text]).toEqual([null, 'Undone: Starred']);
    await app.actions.takeBack();
    await settle();
    expect((await wire.stateOf('item-0')).readAt).toBe(readAt);
    expect(app.reading.item?.state.readAt).toBe(readAt);
    expect(app.feed.list.at(0)?.state.readAt).toBe(readAt);
    // That opening it marked it as read was not an action of its own.
    await app.actions.takeBack();
    expect(app.toasts.note?.text).toBe('Nothing to undo');
  });

  it('of a bulk action stays within reach after its toast has gone', async () => {
    ({ app } = await openPage(wire));
    await app.items.markAllRead();
    expect(app.toasts.note?.text).toBe('12 items marked as read');
    app.toasts.dismiss();
    app.actions.step(1);
    app.actions.toggleStar();
    await settle();
    (await undoInMenu())!.click();
    await settle();
    expect((await wire.stored()).filter(({ state }) => state.readAt === null)).toHaveLength(12);
    expect((await wire.stateOf('item-0')).starredAt).not.toBeNull();
    expect(app.toasts.note?.text).toBe('12 items marked as unread');
    expect(await undoInMenu()).toBeNull();
    for (let times = 0; times < 2; times += 1) await app.items.markAllRead();
    expect(app.toasts.note?.text).toBe('Everything here is already read');
  });

  it('ends with the data that it belongs to', async () => {
    await app.items.markAllRead();
    await wire.setStatus({ source: { address: 'https://other.example', demo: false, from: 'settings' } });
    await settle();
    expect(app.undo.bulk).toBeNull();
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { ItemChange } from '../../../src-renderer/api/item-changes.svelte.ts';
import { LiveAnswers } from '../../../src-renderer/api/live.ts';
import { wireAlone, type ControlledWire } from '../support/controlled-wire.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { settle } from '../support/settle.ts';

const READ_AT = '2026-03-18T06:30:00.000Z';
const read: ItemChange = (item) =>
  item.id === 'item-0' ? { ...item, state: { ...item.state, readAt: READ_AT } } : item;
const unread: ItemChange = (item) => ({ ...item, state: { ...item.state, readAt: null } });

let wire: ControlledWire;
let live: LiveAnswers;

beforeEach(() => {
  wire = wireAlone();
  wire.answer('items.get', ({ id }) =>
    madeUpRow(Number(id.slice(-1)), Date.now(), { state: { readAt: null, starredAt: null } }),
  );
  wire.answer('items.mark', () => ({ changed: 1, undo: 'key' }));
  live = new LiveAnswers(wire);
});

async function ask(id = 'item-0'): Promise<StoredItem> {
  const reply = await live.call('items.get', { id });
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value;
}

const change = (item: ItemChange) => live.change({ item }, 'items.mark', { ids: ['item-0'], mark: 'read' });
const isRead = (item: StoredItem): boolean => live.item(item).state.readAt !== null;

/** Holds the saving of changes back. Returns a function that lets it go on. */
const hold = (): (() => void) => wire.hold('items.mark');

describe('a change of items', () => {
  it('is shown before it is saved, on the items that it is for', async () => {
    const [item, other] = [await ask(), await ask('item-1')];
    void change(read);
    expect([isRead(item), isRead(other)]).toEqual([true, false]);
    expect(live.item(other)).toBe(other);
  });

  it('is taken back if it fails', async () => {
    const item = await ask();
    wire.failing.set('items.mark', { code: 'disk_full', message: '', retryable: true });
    const changing = change(read);
    expect(isRead(item)).toBe(true);
    await changing;
    expect(isRead(item)).toBe(false);
  });

  it('is shown on items that were asked for before it was saved, and not on later ones', async () => {
    const before = await ask();
    const release = hold();
    const changing = change(read);
    const meanwhile = await ask();
    release();
    await changing;
    const after = await ask();
    expect([before, meanwhile, after].map(isRead)).toEqual([true, true, false]);
  });

  it('is shown below later ones, whichever is saved first', async () => {
    const item = await ask();
    const release = hold();
    const first = change(read);
    wire.gates.delete('items.mark');
    await change(unread);
    release();
    await first;
    expect(isRead(item)).toBe(false);
    void change(read);
    expect(isRead(item)).toBe(true);
  });

  it('is saved before anyone hears of marks, so that what is read then is newer', async () => {
    const heard: Promise<StoredItem>[] = [];
    live.on('marks.changed', () => heard.push(ask()));
    const release = hold();
    const changing = change(read);
    // The core tells of marks before it answers.
    wire.emit('marks.changed', { ids: ['item-0'] });
    await settle();
    expect(heard).toEqual([]);
    release();
    await changing;
    wire.emit('marks.changed', { ids: null });
    await settle();
    expect((await Promise.all(heard)).map(isRead)).toEqual([false, false]);
  });

  it('makes one new item, which knows how old it is', async () => {
    const item = await ask();
    await change(read);
    const shown = live.item(item);
    expect(live.item(item)).toBe(shown);
    void change(unread);
    expect(isRead(shown)).toBe(false);
  });
});

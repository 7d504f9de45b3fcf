import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OnlineResult } from '../../../../src-main/contract/model/item.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { listed } from '../../support/listed.ts';
import { openPage } from '../../support/page.ts';
import { clickNamed, keyDown, typeInto } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

const rows = Array.from({ length: 12 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true }));

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  wire = await openCore({ items: rows });
});

async function open(): Promise<void> {
  ({ app } = await openPage(wire));
  await settle();
}

/** Views are loaded when they are opened. */
const asked = () => wire.argsOf('items.searchOnline');
const click = (name: string | RegExp, part = screen.getByRole('main')) => clickNamed(name, part);

describe('the online search', () => {
  const found = (n: number, stored: boolean): OnlineResult => {
    const { snippets: _, ...row } = madeUpRow(n, NOW, { inSelectedSet: stored });
    return { ...row, stored };
  };

  const answerWith = (items: OnlineResult[]): void =>
    wire.answer('items.searchOnline', () => ({ items, next: null, restarted: false }));

  async function openSearch(): Promise<HTMLElement> {
    await open();
    app.navigation.searchOnline('');
    await settle();
    return waitFor(() => screen.getByRole('textbox', { name: 'Search online' }));
  }

  it('sends nothing before it is started, nor what the service would refuse, and names the origin', async () => {
    const box = await openSearch();
    await fireEvent.input(box, { target: { value: 'x' } });
    await keyDown(box, { key: 'Enter' });
    expect(screen.getByRole('alert').textContent).toContain('2 to 200 characters');
    await typeInto(box, 'fox');
    expect(asked()).toEqual([]);
    answerWith([found(40, false), found(1, true)]);
    await keyDown(box, { key: 'Enter' });
    expect(asked()).toEqual([{ request: { mode: 'all', window: '7d', by: 'timeline', q: 'fox' } }]);
    expect(screen.queryAllByRole('heading', { name: 'Online results' })).toHaveLength(1);
    expect(listed(app.feed.rows).map((row) => row?.id)).toEqual(['item-40', 'item-1']);
  });

  it('takes window, order, scope and category, and applies them to results', async () => {
    const box = await openSearch();
    const pane = box.closest<HTMLElement>('.overlay')!;
    expect(within(pane).queryByRole('combobox')).toBeNull();
    await click('Filters', pane);
    await fireEvent.change(screen.getByRole('combobox', { name: 'Sort by' }), { target: { value: 'published' } });
    await settle();
    expect(asked()).toEqual([]);
    await fireEvent.input(box, { target: { value: 'fox' } });
    await keyDown(box, { key: 'Enter' });
    await fireEvent.change(within(pane).getByRole('combobox', { name: 'Category' }), { target: { value: 'paper' } });
    await settle();
    expect(asked().at(-1)).toEqual({
      request: { mode: 'all', window: '7d', by: 'published', q: 'fox', category: 'paper' },
    });
  });

  it('loads more only when asked, says when it had to start again, and shows a failure in place', async () => {
    const box = await openSearch();
    wire.answer('items.searchOnline', ({ cursor }) =>
      cursor === undefined
        ? { items: [found(40, false)], next: 'a-place', restarted: false }
        : { items: [found(41, false)], next: null, restarted: true },
    );
    await keyDown(box, { key: 'Enter' });
    await click('Load more');
    expect(asked().at(-1)).toMatchObject({ cursor: 'a-place' });
    expect(screen.queryAllByText(/Starting again from the first page/)).toHaveLength(1);
    expect(listed(app.feed.rows).map((row) => row?.id)).toEqual(['item-41']);
    wire.failing.set('items.searchOnline', { code: 'unreachable', message: 'no', retryable: true });
    await keyDown(box, { key: 'Enter' });
    expect(screen.queryAllByText(/Can’t connect/)).toHaveLength(1);
    wire.failing.clear();
    answerWith([found(40, false)]);
    await click('Try again');
    expect(listed(app.feed.rows)).toHaveLength(1);
  });

  it('opens what is not saved, says so, and does not call it withdrawn when it is marked', async () => {
    const box = await openSearch();
    answerWith([found(40, false)]);
    await keyDown(box, { key: 'Enter' });
    app.actions.step(1);
    await settle();
    wire.emit('marks.changed', { ids: ['item-40'] });
    await settle();
    expect(screen.queryAllByText('Online result, not saved on this computer.')).toHaveLength(1);
    expect(app.reading.lossOf(app.reading.item!)).toBeNull();
    expect(app.reading.item?.state.readAt).not.toBeNull();
  });
});

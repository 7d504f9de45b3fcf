import { cleanup, fireEvent, screen, within } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../src-main/contract/settings.ts';
import { rowHeight } from '../../../../src-renderer/features/feed/row-height.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { listed } from '../../support/listed.ts';
import { openPage } from '../../support/page.ts';
import { clickNamed, clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

let wire: CoreWire;
let app: AppState;

const rows = Array.from({ length: 12 }, (_, n) =>
  madeUpRow(n, NOW, { inSelectedSet: true, ...(n === 4 && { title: 'A quick fox' }) }),
);

async function open(): Promise<void> {
  ({ app } = await openPage(wire));
  await settle();
}

/** Views are loaded when they are opened. */
const feedList = () => document.querySelector<HTMLElement>('#feed-list')!;
/** Some languages put a narrow blank before "PM". */
const plain = (text: string): string => text.replace(/\u202f/g, ' ');
/** The entries of the list's menu. */
async function news(): Promise<string[]> {
  await click('More actions for this list');
  const entries = screen.getAllByRole('menuitem').map(({ textContent }) => plain(textContent.trim()));
  await fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  return entries.filter((entry) => entry.includes(' since '));
}
async function choose(name: string | RegExp): Promise<void> {
  await click('More actions for this list');
  await clickOn(screen.getByRole('menuitem', { name }));
}
const click = (name: string | RegExp, part = feedList()) => clickNamed(name, part);

beforeEach(async () => {
  wire = await openCore({ items: rows });
  await wire.ask('visits.end', {});
  await wire.arrive([0, 1].map((n) => madeUpRow(n, NOW, { id: `new-${String(n)}`, inSelectedSet: true })));
  await wire.revise('item-4', { title: 'A slow fox' });
  await wire.withdraw('item-5');
});

describe('the news since the last visit', () => {
  it('is counted in the menu of the list, listed by each number, and follows the events', async () => {
    await open();
    expect(await news()).toEqual([
      'Show 2 new items since 6:30 AM',
      'Show 1 item updated since 6:30 AM',
      'Show 1 item withdrawn since 6:30 AM',
    ]);
    await choose(/^Show 2 new/);
    await waitFor(() => screen.getByRole('heading', { name: 'New' }));
    await settle();
    expect(screen.queryAllByRole('listbox', { name: 'Items: New' })).toHaveLength(1);
    expect(listed(app.feed.rows).map((row) => row?.id)).toEqual(['new-0', 'new-1']);
    await click('Back to the list');
    expect(app.feed.overlay.kind).toBeNull();
    expect(listed(app.feed.rows)).toHaveLength(rows.length + 1);

    // Withdrawn items: only that and when.
    await choose(/^Show 1 item withdrawn/);
    const list = await waitFor(() => screen.getByRole('list', { name: 'Withdrawn' }));
    expect(within(list).queryAllByText('item-5')).toHaveLength(1);
    expect(screen.queryAllByText(/Their texts have been deleted/)).toHaveLength(1);
    await click('Back to the list');

    await choose(/^Show 1 item updated/);
    await waitFor(() => screen.getByRole('heading', { name: 'Updated' }));
    app.actions.step(1);
    // For screen readers, too.
    const changes = await waitFor(() => screen.getByRole('note', { name: /^Changed / }));
    expect(changes.querySelector('del')?.textContent).toBe('[removed: quick]');
    expect(changes.querySelector('ins')?.textContent).toBe('[added: slow]');
    await click('Back to the list');

    await wire.arrive([2, 3, 4].map((n) => madeUpRow(n, NOW, { id: `new-${String(n)}`, inSelectedSet: true })));
    await settle();
    expect((await news())[0]).toMatch(/^Show 5 new/);
  });

  it('is counted for what the view shows: the selected set, or everything', async () => {
    const since = new Date(NOW - 3_600_000).toISOString();
    const counts = { added: 9, older: 0, revised: 1 };
    const selected = { added: 2, older: 0, revised: 0 };
    wire.answer('visits.sinceLast', () => ({ since, newestKey: null, withdrawn: 0, ...counts, selected }));
    await open();
    const said = async (): Promise<unknown> => (await news()).map((entry) => entry.split(' since')[0]);
    expect(await said()).toEqual(['Show 2 new items']);
    app.navigation.show({ kind: 'everything' });
    await settle();
    expect(await said()).toEqual(['Show 9 new items', 'Show 1 item updated']);
  });
});

describe('the divider between new and seen rows', () => {
  const divider = (): HTMLElement | null => feedList().querySelector('.divider');
  /** The number of rows above it. */
  const above = (): number => Number(/translateY\((\d+)px\)/.exec(divider()?.style.transform ?? '')?.[1]) / ROW;
  const saidBy = (): string => plain(divider()?.textContent.trim() ?? '');
  const ROW = rowHeight(DEFAULT_SETTINGS);
  const arrive = async (...names: string[]): Promise<void> => {
    await wire.arrive(names.map((id, n) => madeUpRow(n, Date.now(), { id, inSelectedSet: true })));
    await settle();
  };
  async function show(kind: 'selected' | 'everything', ms = 60_000): Promise<void> {
    vi.setSystemTime(Date.now() + ms);
    app.navigation.show({ kind });
    await settle();
  }
  function hide(hidden: boolean): void {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
    document.dispatchEvent(new Event('visibilitychange'));
    flushSync();
  }

  afterEach(() => vi.restoreAllMocks());

  it('is where it was, whatever the clock of this computer says', async () => {
    vi.setSystemTime(NOW + 5 * 3_600_000);
    wire = await openCore({ items: rows });
    await wire.ask('visits.end', {});
    await wire.arrive([madeUpRow(0, NOW, { id: 'new-0', inSelectedSet: true })]);
    await open();
    expect(above()).toBe(1);
  });

  it('is below new items, whether or not one that is dated ahead stays above them', async () => {
    const ahead = madeUpRow(0, NOW + 5 * 3_600_000, { id: 'ahead', inSelectedSet: true });
    wire = await openCore({ items: [...rows, ahead] });
    await wire.ask('visits.end', {});
    await open();
    expect(divider()).toBeNull();
    await show('everything');
    await arrive('new-0');
    await show('selected');
    expect([listed(app.feed.rows)[0]?.id, above()]).toEqual(['ahead', 2]);
  });

  it('is below the items that came since the last visit, and stays while other lists and items open over it', async () => {
    await open();
    expect([above(), saidBy()]).toEqual([2, 'Above: new since 6:30 AM']);
    const list = within(feedList()).getByRole('listbox');
    expect(plain(list.getAttribute('aria-description') ?? '')).toBe('Above: new since 6:30 AM');
    expect(listed(app.feed.rows)[2]?.id).not.toMatch(/^new/);
    app.actions.step(1);
    await choose(/^Show 1 item updated/);
    await settle();
    vi.setSystemTime(Date.now() + 60_000);
    await click('Back to the list');
    await arrive('new-2');
    expect([above(), app.feed.shown.fresh.count]).toEqual([2, 1]);
    await click(/^1 new item/);
    expect(above()).toBe(3);
    expect(wire.argsOf('visits.end')).toHaveLength(0);
  });

  it('moves when the list was left, but not that of the other list', async () => {
    await open();
    await show('everything');
    expect(above()).toBe(2);
    await show('selected');
    expect(divider()).toBeNull();
    await show('everything');
    expect(divider()).toBeNull();
    await arrive('new-2');
    await show('selected');
    expect([above(), saidBy()]).toEqual([1, expect.stringMatching(/^Above: new since 6:3[3-9] AM$/)]);
  });

  it('moves when the window was hidden, and the next start begins there', async () => {
    await open();
    vi.setSystemTime(Date.now() + 60_000);
    hide(true);
    await settle();
    expect(wire.argsOf('visits.end')).toHaveLength(1);
    hide(false);
    expect(divider()).toBeNull();
    cleanup();
    await arrive('new-2');
    await open();
    expect(above()).toBe(1);
  });

  it('leaves items that still waited new for the next start', async () => {
    await open();
    await arrive('new-2');
    vi.setSystemTime(Date.now() + 60_000);
    hide(true);
    await settle();
    expect(wire.argsOf('visits.end')).toHaveLength(0);
  });

  it('does not move for a list that was only passed, or of one category, which left out what is new elsewhere', async () => {
    await open();
    await show('everything', 500);
    await show('selected', 500);
    expect(above()).toBe(2);
    app.feed.filter({ ...app.feed.query, category: 'paper' });
    await settle();
    await show('everything');
    app.navigation.show({ kind: 'selected' });
    app.feed.filter({ scope: 'selected', window: 'any', state: 'any' });
    await settle();
    expect(above()).toBe(2);
  });
});

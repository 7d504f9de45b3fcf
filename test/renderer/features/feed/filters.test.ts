import { fireEvent, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { filterCount, FIRST_QUERY, withoutFilters } from '../../../../src-renderer/features/feed/query.ts';
import { NOW, openCore } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { stubWindowWidth } from '../../support/narrow-window.ts';
import { openPage } from '../../support/page.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

let app: AppState;

afterEach(() => vi.unstubAllGlobals());

async function openAt(width: number): Promise<void> {
  stubWindowWidth(width);
  const items = Array.from({ length: 12 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true }));
  ({ app } = await openPage(await openCore({ items })));
}

const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name });

async function click(element: HTMLElement): Promise<void> {
  await fireEvent.click(element);
  await settle();
}

it('the source filter names its source in a saved view, too', async () => {
  await openAt(1_800);
  app.feed.filter({ ...FIRST_QUERY, scope: 'all', saved: 'a', source: 'X：Lab (@lab)' });
  await settle();
  expect(screen.getAllByRole('button', { name: /Source: Lab/ }).length).toBeGreaterThan(0);
});

describe('counting filters', () => {
  it.each([
    [FIRST_QUERY, 0],
    [{ ...FIRST_QUERY, scope: 'all' }, 0],
    [{ ...FIRST_QUERY, window: '7d' }, 1],
    [{ ...FIRST_QUERY, state: 'unread', category: 'paper' }, 2],
    [{ ...FIRST_QUERY, source: 'Lab' }, 1],
    [{ ...FIRST_QUERY, text: 'oak', state: 'starred', category: 'paper', window: '24h' }, 3],
  ] as const)('counts those of %o', (query, count) => {
    expect(filterCount(query)).toBe(count);
  });

  it('removes them, and keeps the scope and what is searched for', () => {
    const query = { scope: 'all', window: '24h', state: 'unread', category: 'paper', text: 'oak' } as const;
    expect(withoutFilters(query)).toEqual({ scope: 'all', window: 'any', state: 'any', text: 'oak' });
  });
});

describe.each([320, 480, 720, 1000, 1100])('the filters of the feed at %i px', (width) => {
  it('are behind one button, which counts the active ones', async () => {
    await openAt(width);
    const bar = screen.getByRole('main');
    expect(within(bar).queryAllByRole('combobox')).toEqual([]);
    expect(within(bar).queryAllByRole('radio')).toEqual([]);
    await click(button('Filters'));
    const panel = screen.getByRole('group', { name: 'Filters' });
    await click(within(panel).getByRole('radio', { name: '7 days' }));
    await click(within(panel).getByRole('radio', { name: 'Unread' }));
    await fireEvent.change(within(panel).getByRole('combobox', { name: 'Category' }), { target: { value: 'paper' } });
    await settle();
    expect(app.feed.list.query).toEqual({
      scope: 'selected',
      window: '7d',
      state: 'unread',
      category: 'paper',
      foldStories: true,
    });
    expect(button('Filters, 3 active').textContent).toContain('3');
    await click(button('Clear all filters'));
    expect(app.feed.list.query).toEqual({ ...FIRST_QUERY, foldStories: true });
    expect(document.activeElement).toBe(button('Filters'));
  });
});

describe('the filters of the feed at 1440 px', () => {
  it('are all visible, and the button to mark everything says so', async () => {
    await openAt(1440);
    const bar = screen.getByRole('group', { name: 'Filters' });
    expect(within(bar).getByRole('combobox', { name: 'Added in the last' })).toBeTruthy();
    expect(within(bar).getByRole('button', { name: 'Unread only' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Filters' })).toBeNull();
    expect(button('Mark all as read').textContent).toContain('Mark all as read');
  });
});

describe.each([480, 1440])('the source of the feed at %i px', (width) => {
  it('is found by typing, and narrows the list that is shown', async () => {
    await openAt(width);
    if (width < 1000) {
      await click(button('Filters'));
      await fireEvent.click(screen.getByText('Source'));
    } else await click(button('Source'));
    const box = await screen.findByRole('textbox', { name: 'Find a source' });
    await settle();
    const choices = (): (string | undefined)[] =>
      within(screen.getByRole('list', { name: 'Source' }))
        .getAllByRole('button')
        .map((choice) => choice.querySelector('bdi')?.textContent);
    expect(choices().slice(0, 2)).toEqual(['All sources', 'Northlight Blog']);
    await fireEvent.input(box, { target: { value: 'paper' } });
    await waitFor(() => expect(choices()).toEqual(['Papers Weekly']));
    await fireEvent.keyDown(box, { key: 'Enter' });
    await settle();
    expect(app.feed.list.query).toMatchObject({ scope: 'selected', source: 'Papers Weekly' });
    expect(screen.getByRole('heading', { level: 1, name: 'Papers Weekly' })).toBeTruthy();
    expect(filterCount(app.feed.list.query)).toBe(1);
    expect(withoutFilters(app.feed.list.query).source).toBeUndefined();
  });

  it('says that no source has a name', async () => {
    await openAt(1440);
    await click(button('Source'));
    await fireEvent.input(screen.getByRole('textbox', { name: 'Find a source' }), { target: { value: 'nobody' } });
    await waitFor(() => expect(screen.getByText('No matching sources')).toBeTruthy());
  });
});

import { cleanup, fireEvent, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lastWeek } from '../../../../src-main/common/time.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { filterCount, FIRST_QUERY, queryOf, withoutFilters } from '../../../../src-renderer/features/feed/query.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { stubWindowWidth } from '../../support/narrow-window.ts';
import { openPage } from '../../support/page.ts';
import { clickOn, keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

let app: AppState;

afterEach(() => vi.unstubAllGlobals());

const items = Array.from({ length: 12 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true }));

async function openAt(width: number): Promise<CoreWire> {
  stubWindowWidth(width);
  const wire = await openCore({ items });
  ({ app } = await openPage(wire));
  return wire;
}

const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name });

it('the source filter names its source in a saved view, too', async () => {
  await openAt(1_800);
  app.feed.filter({ ...FIRST_QUERY, scope: 'all', saved: 'a', source: 'X：Lab (@lab)' });
  await settle();
  await clickOn(button('Filters, 1 active'));
  expect(screen.getAllByRole('button', { name: /Source: Lab/ }).length).toBeGreaterThan(0);
});

describe('counting filters', () => {
  it.each([
    [{ ...FIRST_QUERY, scope: 'all' }, 0],
    [{ ...FIRST_QUERY, source: 'Lab' }, 1],
    [{ ...FIRST_QUERY, text: 'oak', state: 'starred', category: 'paper', window: '24h' }, 3],
    [{ ...FIRST_QUERY, scope: 'all', state: 'starred', window: '24h' }, 1],
  ] as const)('counts those of %o', (query, count) => {
    expect(filterCount(query)).toBe(count);
  });

  it('removes them, and keeps the scope and what is searched for', () => {
    const query = { scope: 'all', window: '24h', state: 'unread', category: 'paper', text: 'oak' } as const;
    expect(withoutFilters(query)).toEqual({ scope: 'all', window: 'any', state: 'any', text: 'oak' });
  });
});

describe('the filters of the feed', () => {
  const panel = () => screen.getByRole('group', { name: 'Filters' });
  const chip = (name: string): HTMLElement => within(panel()).getByRole('button', { name });

  it('are behind one button, which counts the active ones', async () => {
    await openAt(480);
    const bar = screen.getByRole('main');
    expect(within(bar).queryAllByRole('combobox')).toEqual([]);
    expect(screen.queryByRole('group', { name: 'Filters' })).toBeNull();
    await clickOn(button('Filters'));
    for (const name of ['Last 7 days', 'Unread only', 'Papers']) await clickOn(chip(name));
    expect(chip('Papers').getAttribute('aria-pressed')).toBe('true');
    expect(app.feed.list.query).toEqual({
      scope: 'selected',
      window: '7d',
      state: 'unread',
      category: 'paper',
      foldStories: true,
    });
    expect(button('Filters, 3 active').textContent).toContain('3');
    await clickOn(chip('Papers'));
    expect(app.feed.list.query.category).toBeUndefined();
    await clickOn(chip('Clear all filters'));
    expect(app.feed.list.query).toEqual({ ...FIRST_QUERY, foldStories: true });
    await clickOn(button('Filters'));
    expect(screen.queryByRole('group', { name: 'Filters' })).toBeNull();
  });

  it('have the last week, in the text of a search, and count the unread items that they leave', async () => {
    await openAt(1440);
    const count = (): string | undefined => document.querySelector('#feed-list .count')?.textContent;
    const unread = (category?: string): string => {
      const rows = items.filter((item) => item.state.readAt === null && (!category || item.category === category));
      return `${String(rows.length)} unread`;
    };
    expect(count()).toBe(unread());
    const { from, to } = lastWeek(app.clock.now);
    await clickOn(button('Filters'));
    await clickOn(chip('Last 7 days'));
    await clickOn(chip('Last week'));
    expect(app.feed.list.query).toMatchObject({ scope: 'selected', window: 'any', text: `after:${from} before:${to}` });
    expect(chip('Last week').getAttribute('aria-pressed')).toBe('true');
    await clickOn(chip('Last week'));
    expect(app.feed.list.query).toEqual({ ...FIRST_QUERY, foldStories: true });
    await clickOn(chip('Papers'));
    expect(count()).toBe(unread('paper'));
    expect(unread('paper')).not.toBe(unread());
  });
});

describe('the filters of picks and of all items', () => {
  it('are each there again when the reader comes back, also after a restart', async () => {
    const wire = await openAt(1_440);
    await clickOn(button('Filters'));
    await clickOn(button('Unread only'));
    app.navigation.show({ kind: 'everything' });
    await settle();
    expect(filterCount(app.feed.query)).toBe(0);
    await clickOn(button('Filters'));
    await clickOn(button('Papers'));
    app.navigation.show({ kind: 'selected' });
    await settle();
    expect(app.feed.query).toEqual({ ...FIRST_QUERY, state: 'unread' });
    expect(Object.keys(wire.settings.listFilters).sort()).toEqual(['all', 'selected']);
    cleanup();
    history.replaceState(null, '');
    ({ app } = await openPage(wire));
    app.navigation.show({ kind: 'everything' });
    await settle();
    expect(app.feed.query).toEqual({ ...FIRST_QUERY, scope: 'all', category: 'paper' });
  });

  it('are folded when their list is left, and stay open while it is filtered', async () => {
    await openAt(1_440);
    const isOpen = (): boolean => screen.queryByRole('group', { name: 'Filters' }) !== null;
    await clickOn(button('Filters'));
    await clickOn(button('Starred only'));
    expect(isOpen()).toBe(true);
    app.items.openRow(app.feed.list.at(0)!);
    await settle();
    expect(isOpen()).toBe(true);
    app.navigation.show({ kind: 'everything' });
    await settle();
    expect(isOpen()).toBe(false);
    await clickOn(button('Filters'));
    app.navigation.showView('today');
    await settle();
    app.navigation.showView('feed');
    await settle();
    expect(isOpen()).toBe(false);
    await clickOn(button('Filters'));
    app.feed.search('oak');
    await settle();
    expect(isOpen()).toBe(false);
  });

  it('are not changed by a source, a search or the starred items', async () => {
    const wire = await openAt(1_440);
    for (const view of [{ kind: 'source', source: 'Papers Weekly' }, { kind: 'starred' }] as const) {
      app.navigation.show(view);
      await settle();
    }
    app.feed.search('oak');
    await settle();
    app.feed.filter({ ...app.feed.query, category: 'paper' });
    await settle();
    expect(wire.settings.listFilters).toEqual({});
  });

  it('can be read from a damaged setting', () => {
    for (const text of [
      '',
      'feed?scope=all',
      'models?list=models&panel=table',
      'feed?scope=all&window=any&state=any',
    ]) {
      expect(queryOf({ kind: 'selected' }, 'all', { selected: text })).toEqual(FIRST_QUERY);
    }
  });
});

describe('the source of the feed', () => {
  it('is found by typing, or not, and narrows the list that is shown', async () => {
    await openAt(480);
    await clickOn(button('Filters'));
    await clickOn(button('Source…'));
    const box = await screen.findByRole('textbox', { name: 'Find a source' });
    await settle();
    const choices = (): (string | undefined)[] =>
      within(screen.getByRole('list', { name: 'Source…' }))
        .getAllByRole('button')
        .map((choice) => choice.querySelector('bdi')?.textContent);
    expect(choices().slice(0, 2)).toEqual(['All sources', 'Northlight Blog']);
    await fireEvent.input(box, { target: { value: 'nobody' } });
    await waitFor(() => screen.getByText('No matching sources'));
    await fireEvent.input(box, { target: { value: 'paper' } });
    await waitFor(() => expect(choices()).toEqual(['Papers Weekly']));
    await keyDown(box, { key: 'Enter' });
    expect(app.feed.list.query).toMatchObject({ scope: 'selected', source: 'Papers Weekly' });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Papers Weekly');
    expect(filterCount(app.feed.list.query)).toBe(1);
    expect(withoutFilters(app.feed.list.query).source).toBeUndefined();
  });
});

import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { MemoryWire } from '../../support/memory-wire.ts';
import { openPage } from '../../support/page.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, openWithItems, show, shown } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();

let wire: MemoryWire;
let app: AppState;

beforeEach(async () => {
  ({ wire, app } = await openWithItems(NOW));
});

const options = (): HTMLElement[] => within(named('listbox', 'Sources')).getAllByRole('option');
const names = (): (string | undefined)[] => options().map((option) => option.querySelector('.name')?.textContent);
const press = async (key: string): Promise<void> => {
  await fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await settle();
};

describe('the sources', () => {
  beforeEach(() => show('Sources'));

  it('are listed with their numbers, sorted and searched', async () => {
    expect(shown().getByText('5 sources')).toBeTruthy();
    expect(options()[0]?.getAttribute('aria-label')).toBe(
      '深度观察, 3 unread, 0.8 a week, 100% selected, First in 1 of 3 stories',
    );
    await fireEvent.change(named('combobox', 'Sort by'), { target: { value: 'name' } });
    await settle();
    expect(names()).toEqual(['Northlight Blog', 'Papers Weekly', 'The Harbor Changelog', '深度观察', '芯片日报']);
    await fireEvent.input(named('textbox', 'Find a source'), { target: { value: 'papers' } });
    await waitFor(() => expect(names()).toEqual(['Papers Weekly']));
    expect(shown().getByText('1 match')).toBeTruthy();
    await fireEvent.input(named('textbox', 'Find a source'), { target: { value: 'nobody' } });
    await waitFor(() => expect(shown().getByText('No source found')).toBeTruthy());
  });

  it('are searched by /, which opens the search over everything elsewhere', async () => {
    named('listbox', 'Sources').focus();
    await press('/');
    expect([document.activeElement, app.finder]).toEqual([named('textbox', 'Find a source'), null]);
    app.navigation.showView('archive');
    await settle();
    await fireEvent.keyDown(window, { key: '/' });
    expect(app.finder).toBe('search');
  });

  it('follow mute rules', async () => {
    const reads = (): number => wire.calls.filter(({ method }) => method === 'sources.list').length;
    const before = reads();
    wire.emit('rules.changed', { progress: null });
    await waitFor(() => expect(reads()).toBeGreaterThan(before), 5_000);
  });

  it('are walked by keyboard, and Enter shows the items of one', async () => {
    await fireEvent.change(named('combobox', 'Sort by'), { target: { value: 'name' } });
    await settle();
    named('listbox', 'Sources').focus();
    await press('ArrowDown');
    await press('j');
    const active = options().find((option) => option.getAttribute('aria-selected') === 'true');
    expect(active?.querySelector('.name')?.textContent).toBe('The Harbor Changelog');
    expect(named('listbox', 'Sources').getAttribute('aria-activedescendant')).toBe(active?.id);
    await press('Enter');
    expect(app.feed.list.query).toMatchObject({ scope: 'all', state: 'any', source: 'The Harbor Changelog' });
    expect(named('heading', 'The Harbor Changelog')).toBeTruthy();
  });

  it('follow what is read', async () => {
    vi.useFakeTimers();
    const { id } = wire.rows.find(({ source }) => source.name === '深度观察')!;
    await wire.call('items.mark', { ids: [id], mark: 'read' });
    await vi.advanceTimersByTimeAsync(1_500);
    vi.useRealTimers();
    await settle();
    const line = options().find((option) => option.textContent.includes('深度观察'));
    expect(line?.getAttribute('aria-label')).toContain('2 unread');
  });
});

describe('the items of a source', () => {
  it('are an ordinary list, with what is known of the source above', async () => {
    app.openSource?.('深度观察');
    await settle();
    const about = named('region', 'About this source');
    expect(about.textContent).toContain('3 unread');
    expect(about.textContent).toContain('First in 1 of 3 stories');
    expect(within(about).getByRole('button', { name: 'Mute this source' })).toBeTruthy();
    const chart = within(about).getByRole('img');
    expect(chart.getAttribute('aria-label')).toBe(
      'Items a week in the last 26 weeks: at most 3, 3 in the last seven days',
    );
    await fireEvent.click(within(about).getByText('Show as table'));
    expect(within(await screen.findByRole('table', { name: 'Items per week' })).getAllByRole('row')).toHaveLength(27);
    const list = named('listbox', /^Items: 深度观察/);
    expect(within(list).getAllByRole('option')).toHaveLength(3);
    await press('j');
    expect(app.reading.item?.source.name).toBe('深度观察');
    await click('button', 'All sources');
    expect(named('heading', 'Sources')).toBeTruthy();
  });

  it('are one click from the name in an article', async () => {
    app.items.open(wire.rows[1]!);
    await settle();
    await click('button', 'Show items from 深度观察');
    expect(app.feed.list.query).toMatchObject({ source: '深度观察' });
    app.navigation.show({ kind: 'selected' });
    await settle();
    expect(shown().queryByRole('region', { name: 'About this source' })).toBeNull();
  });

  it('say so where nothing is saved of it', async () => {
    app.openSource?.('Nobody');
    await settle();
    expect(named('region', 'About this source').textContent).toContain('Nothing is saved from this source.');
  });
});

it('five thousand sources are loaded where they are seen', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => madeUpRow(n, NOW, { source: { name: `Source ${n}` } }));
  const big = new MemoryWire(many, NOW);
  big.settings = { ...big.settings, language: 'en' };
  document.body.replaceChildren();
  const { app } = await openPage(big);
  app.navigation.showView('sources');
  await app.views.ready;
  await settle();
  const offsets = (): unknown[] =>
    big.calls.flatMap(({ method, args }) => (method === 'sources.list' ? (args as { offset: number }).offset : []));
  expect(shown().getByText('5,000 sources')).toBeTruthy();
  expect(offsets()).toEqual([0]);
  app.views.sources.cursor.moveTo(4_000);
  await settle();
  expect(offsets()).toEqual([0, 3_900, 4_000]);
  expect(named('option', /^Source 4000,/)).toBeTruthy();
});

it('says of the stories of a source that muted reports count in them', async () => {
  app.navigation.show({ kind: 'source', source: '深度观察' });
  await settle();
  await waitFor(() => expect(shown().getByTitle(/, muted ones included$/).textContent).toBe('First in 1 of 3 stories'));
});

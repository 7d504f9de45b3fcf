import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import type { CoreWire } from '../../support/core.ts';
import { press } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, click, named, openOnItems, pressGo, shown } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

let wire: CoreWire;
let app: AppState;

async function open(): Promise<void> {
  ({ wire, app } = await openOnItems({ withoutRows: true }));
}

const options = (): HTMLElement[] => within(named('listbox', 'Sources')).getAllByRole('option');
const names = (): (string | undefined)[] => options().map((option) => option.querySelector('.name bdi')?.textContent);
const labelOf = (source: string): string | null | undefined =>
  options()
    .find((option) => option.textContent.includes(source))
    ?.getAttribute('aria-label');
/** Sources are read again a second after a change. */
const soon = (look: () => void): Promise<void> => waitFor(look);

describe('the sources', () => {
  beforeEach(async () => {
    await open();
    await pressGo('o');
  });

  it('are listed with their numbers, sorted and searched, also by /, and walked to the items of one', async () => {
    expect(shown().queryAllByText('5 sources')).toHaveLength(1);
    expect(labelOf('深度观察')).toBe('深度观察, 3 unread, 0.8 a week, 100% picks');
    await fireEvent.change(named('combobox', 'Sort by'), { target: { value: 'name' } });
    await settle();
    expect(names()).toEqual(['Northlight Blog', 'Papers Weekly', 'The Harbor Changelog', '深度观察', '芯片日报']);
    await fireEvent.input(named('textbox', 'Find a source'), { target: { value: 'papers' } });
    await waitFor(() => expect(names()).toEqual(['Papers Weekly']));
    expect(shown().queryAllByText('1 match')).toHaveLength(1);
    await fireEvent.input(named('textbox', 'Find a source'), { target: { value: 'nobody' } });
    await waitFor(() => expect(shown().queryAllByText('No source found')).toHaveLength(1));
    await fireEvent.input(named('textbox', 'Find a source'), { target: { value: '' } });
    await waitFor(() => expect(names()).toHaveLength(5));
    named('listbox', 'Sources').focus();
    await press('/');
    expect(document.activeElement).toBe(named('textbox', 'Find a source'));
    named('listbox', 'Sources').focus();
    await press('ArrowDown');
    await press('j');
    const active = options().find((option) => option.getAttribute('aria-selected') === 'true');
    expect(active?.querySelector('.name bdi')?.textContent).toBe('The Harbor Changelog');
    expect(named('listbox', 'Sources').getAttribute('aria-activedescendant')).toBe(active?.id);
    await press('Enter');
    expect(app.feed.list.query).toMatchObject({ scope: 'all', state: 'any', source: 'The Harbor Changelog' });
    expect(named('heading', 'The Harbor Changelog').textContent).toContain('The Harbor Changelog');
    app.navigation.showView('archive');
    await settle();
    await fireEvent.keyDown(window, { key: '/' });
    expect(app.views.current).toBe('search');
  });

  it('follow what is read, and mute rules', async () => {
    const { id } = wire.rows.find(({ source }) => source.name === '深度观察')!;
    await wire.ask('items.mark', { ids: [id], mark: 'read' });
    await soon(() => expect(labelOf('深度观察')).toContain('2 unread'));
    await wire.ask('mutes.add', { query: 'source:"Papers Weekly"' });
    await soon(() => expect(names()).not.toContain('Papers Weekly'));
    expect(options()).toHaveLength(4);
  });
});

describe('the items of a source', () => {
  beforeEach(open);

  it('are an ordinary list, with what is known of the source above', async () => {
    app.navigation.show({ kind: 'source', source: '深度观察' });
    await settle();
    const about = named('region', 'About this source');
    expect(about.textContent).toContain('3 unread');
    expect(named('heading', '深度观察').closest('header')!.textContent).not.toContain('unread');
    expect(about.textContent).not.toContain('First in');
    expect(within(about).queryAllByRole('button', { name: 'Mute this source' })).toHaveLength(1);
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
    expect(named('heading', 'Sources').textContent).toContain('Sources');
  });

  it('are hidden while it is muted, which the list says and ends', async () => {
    app.navigation.show({ kind: 'source', source: '深度观察' });
    await settle();
    const about = (): string => named('region', 'About this source').textContent;
    expect(about()).toContain('3 unread');
    named('button', 'Mute this source').focus();
    await click('button', 'Mute this source');
    await waitFor(() => expect(shown().queryAllByText('This source is muted')).toHaveLength(1));
    expect(about()).not.toContain('unread');
    expect(shown().queryByRole('button', { name: 'Clear filters' })).toBeNull();
    expect(document.activeElement).toBe(named('button', 'Unmute'));
    await click('button', 'Unmute');
    await waitFor(() => expect(about()).toContain('3 unread'));
    expect(within(named('listbox', /^Items: 深度观察/)).getAllByRole('option')).toHaveLength(3);
    expect(shown().queryAllByRole('button', { name: 'Mute this source' })).toHaveLength(1);
  });

  it('are one click from the name in an article, and say so where nothing is saved of it', async () => {
    app.items.open(wire.rows[1]!);
    await settle();
    await click('button', 'Show items from 深度观察');
    expect(app.feed.list.query).toMatchObject({ source: '深度观察' });
    app.navigation.show({ kind: 'selected' });
    await settle();
    expect(shown().queryByRole('region', { name: 'About this source' })).toBeNull();
    app.navigation.show({ kind: 'source', source: 'Nobody' });
    await settle();
    expect(named('region', 'About this source').textContent).toContain('Nothing is saved from this source.');
  });
});

import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../../src-renderer/features/feed/index.ts';
import {
  muteOfCategory,
  muteOfSource,
  savedNameOf,
  savedQueryOf,
} from '../../../../src-renderer/features/rules/rules.svelte.ts';
import { FIRST_QUERY } from '../../../../src-renderer/features/feed/query.ts';
import { parseQuery } from '../../../../src-main/common/query.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openApp, openDialogs, openPage } from '../../support/page.ts';
import { clickOn, keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

const views = (): HTMLElement => screen.getByRole('navigation', { name: 'Views' });
const entry = (name: RegExp): HTMLElement => within(views()).getByRole('button', { name });

const ITEM = madeUpRow(1, NOW);
const searchesOf = async (wire: CoreWire) => (await wire.ask('saved.list', {})).searches;
const mutesOf = async (wire: CoreWire) => (await wire.ask('mutes.list', {})).rules;
const mutedIn = async (wire: CoreWire): Promise<string[]> => (await mutesOf(wire)).map(({ query }) => query);
const LONG_NAME = 'Very long name '.repeat(100);

describe('saved searches on the page', () => {
  it('stand in the sidebar with their unread items, open as a view, and come back with an undo', async () => {
    const wire = await openCore({ items: [1, 2].map((n) => madeUpRow(n, NOW, { title: `Agent ${String(n)}` })) });
    const { id } = await wire.ask('saved.add', { name: 'Agents', query: 'agent' });
    const { app } = await openPage(wire);
    await settle();
    await clickOn(entry(/^Agents.*2 unread/));
    expect(app.feed.list.query).toMatchObject({ scope: 'all', saved: id });
    expect(entry(/^Agents/).getAttribute('aria-current')).toBe('page');
    expect(screen.queryAllByRole('heading', { name: 'Agents' })).toHaveLength(1);
    const [search] = app.rules.searches;
    await app.rules.removeSearch(search!);
    await settle();
    expect(within(views()).queryByRole('button', { name: /^Agents/ })).toBeNull();
    expect(viewOf(app.feed.list.query)).toEqual({ kind: 'everything' });
    expect(screen.queryAllByRole('heading', { name: 'All items' })).toHaveLength(1);
    await clickOn(screen.getByRole('button', { name: 'Undo' }));
    expect(await searchesOf(wire)).toMatchObject([{ id, name: 'Agents' }]);
  });

  it('are saved with the button beside the search', async () => {
    const wire = await openCore({ items: [ITEM] });
    const { app } = await openPage(wire);
    expect(screen.queryByRole('button', { name: 'Save search' })).toBeNull();
    app.feed.search('agent');
    await settle();
    await clickOn(screen.getByRole('button', { name: 'Save search' }));
    await fireEvent.input(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'Mine' } });
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Notify me about new items' }));
    wire.failing.set('saved.add', { code: 'invalid_argument', message: '', retryable: false, reason: 'rule_empty' });
    await clickOn(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByRole('alert').textContent).toBe('Enter a word, a source or a category.');
    wire.failing.clear();
    await clickOn(screen.getByRole('button', { name: 'Save' }));
    const searches = await searchesOf(wire);
    expect(searches).toMatchObject([{ name: 'Mine', query: 'agent', notify: true }]);
    expect(app.feed.list.query.saved).toBe(searches[0]?.id);
  });
});

describe('saved searches in the settings', () => {
  const edit = async (name: string): Promise<void> => {
    await clickOn(screen.getByRole('button', { name: `Edit ${name}` }));
  };
  /** The form has the place of its row. */
  const names = (): (string | undefined)[] =>
    [...screen.getByRole('region', { name: 'Saved searches' }).querySelectorAll('li')].map(
      (row) => row.querySelector('input')?.value ?? row.querySelector('bdi')?.textContent,
    );

  async function openRules() {
    const wire = await openCore({ items: [ITEM] });
    for (const name of ['One', 'Two', 'Three']) await wire.ask('saved.add', { name, query: name });
    const app = await openDialogs(wire);
    app.openSettings('general');
    await screen.findByRole('button', { name: 'Edit Three' });
    return wire;
  }

  it('are lines of text, of which one at a time is edited, but not to a name that is taken', async () => {
    const wire = await openRules();
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    await edit('Two');
    const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
    expect([document.activeElement, name.value]).toEqual([name, 'Two']);
    const notify = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Notify me about new items' });
    expect(notify.checked).toBe(false);
    await fireEvent.click(notify);
    await fireEvent.change(name, { target: { value: 'Second' } });
    await settle();
    await clickOn(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Second' }));
    const searches = await searchesOf(wire);
    expect(searches.map(({ name, notify }) => [name, notify])).toEqual([
      ['One', false],
      ['Second', true],
      ['Three', false],
    ]);
    await edit('Three');
    await fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'One' } });
    await settle();
    expect(screen.getByRole('alert').textContent).toBe('A saved search has this name. Choose another.');
    expect(names()).toEqual(['One', 'Second', 'Three']);
  });

  it('are moved with buttons and keys, which keep the focus', async () => {
    const wire = await openRules();
    await edit('Three');
    const up = screen.getByRole('button', { name: 'Move “Three” up' });
    up.focus();
    await clickOn(up);
    expect(names()).toEqual(['One', 'Three', 'Two']);
    expect(document.activeElement).toBe(up);
    await clickOn(up);
    expect(names()).toEqual(['Three', 'One', 'Two']);
    expect(screen.queryAllByText('“Three” is now number 1 of 3')).toHaveLength(1);
    // It is at the top, so that the button has nothing left to do.
    expect(up).toHaveProperty('disabled', true);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move “Three” down' }));
    const name = screen.getByDisplayValue('Three');
    name.focus();
    await keyDown(name, { key: 'ArrowDown', altKey: true });
    expect(names()).toEqual(['One', 'Three', 'Two']);
    expect(document.activeElement).toBe(screen.getByDisplayValue('Three'));
    expect((await searchesOf(wire)).map(({ name }) => name)).toEqual(['One', 'Three', 'Two']);
  });
});

describe('the query of a saved search', () => {
  const base = { ...FIRST_QUERY, scope: 'all' } as const;
  it.each([
    [{ ...base, text: 'agent "open' }, 'agent "open'],
    [{ ...base, text: 'agent', category: 'paper', state: 'unread' }, 'is:unread category:paper agent'],
    [{ ...base, scope: 'selected', text: 'a b OR "c d' }, 'is:selected a b OR is:selected "c d'],
    [{ ...base, text: 'x', source: 'X：Lab (@lab)' }, 'source:"Lab" x'],
    [{ ...base, text: 'a OR b', window: '30d' }, 'after:30d a OR after:30d b'],
  ] as const)('of %o is %s', (query, wanted) => {
    expect(savedQueryOf(query)).toBe(wanted);
    expect(parseQuery(`${wanted} `).problems).toEqual([]);
  });

  it('has a name with its filters that fits, however long the search is', () => {
    expect(savedNameOf({ ...base, text: 'agent', window: '7d' })).toBe('agent, Last 7 days');
    expect(savedNameOf({ ...base, text: 'agent '.repeat(30) }).length).toBeLessThanOrEqual(80);
  });
});

/** A page with the list of what rules hide. */
async function openMuted() {
  const item = madeUpRow(1, NOW, { title: 'An agent of type a or b', category: 'paper' });
  const wire = await openCore({ items: [item] });
  const { app } = await openPage(wire);
  for (const query of ['agent', 'category:paper']) await wire.ask('mutes.add', { query });
  await settle();
  app.navigation.show({ kind: 'muted' });
  await settle();
  return { wire, app, row: app.feed.list.at(0)! };
}

describe('mute rules on the page', () => {
  it('have the list read again when they are matched, even if as many items are hidden as before', async () => {
    const wire = await openCore({ items: [ITEM] });
    const app = await openApp(wire);
    const reads = (): number => wire.calls.filter(({ method }) => method === 'items.page').length;
    const before = reads();
    await app.rules.mute('agent');
    await settle();
    expect(reads()).toBe(before + 1);
    wire.emit('rules.changed', { progress: { done: 0.5 } });
    wire.emit('rules.changed', { progress: null });
    await settle();
    expect(reads()).toBe(before + 2);
  });

  it('that were there before are not removed by an undo', async () => {
    const wire = await openCore({ items: [ITEM] });
    const app = await openApp(wire);
    await wire.ask('mutes.add', { query: 'agent' });
    await settle();
    await app.rules.mute('agent');
    await settle();
    expect(app.toasts.note?.action ?? null).toBeNull();
    await app.undo.undo();
    await settle();
    expect(await mutesOf(wire)).toMatchObject([{ query: 'agent' }]);
  });

  it('show how far they are matched after an import, and its end', async () => {
    const wire = await openCore({ items: [ITEM] });
    const { app } = await openPage(wire);
    wire.answer('mutes.list', () => ({ rules: [], progress: { done: 0.25 } }));
    wire.emit('data.replaced', {});
    await settle();
    expect(app.rules.progress).toEqual({ done: 0.25 });
    wire.answer('mutes.list', () => ({ rules: [], progress: null }));
    wire.emit('data.replaced', {});
    await settle();
    expect(app.rules.progress).toBeNull();
  });

  it('add the row “Muted”, whose list says which rule hides an item', async () => {
    const wire = await openCore({ items: [ITEM] });
    const { app } = await openPage(wire);
    expect(within(views()).queryByRole('button', { name: /^Muted/ })).toBeNull();
    const [source] = app.rules.actionsFor({ source: { name: 'Some "Blog"' }, category: 'paper' });
    expect(source?.label).toBe('Mute source “Some "Blog"”');
    source?.run();
    await settle();
    expect(await mutesOf(wire)).toMatchObject([{ query: 'source:Some source:Blog' }]);
    const counts = { ...app.counts!, muted: { total: 12, unread: 3 } };
    wire.answer('counts.get', () => counts);
    wire.emit('counts.changed', counts);
    await settle();
    await clickOn(entry(/^Muted$/));
    expect(app.feed.list.query).toMatchObject({ muted: true });
    await clickOn(screen.getByRole('button', { name: 'Undo' }));
    expect(await mutesOf(wire)).toEqual([]);
    await screen.findByText('Nothing muted');
  });

  it('are named in words, and take the open article away if they hide it', async () => {
    const [open, starred] = [ITEM, madeUpRow(2, NOW)];
    const wire = await openCore({ items: [open, starred] });
    const { app } = await openPage(wire);
    await settle();
    const mute = async ({ id }: { id: string }): Promise<void> => {
      await app.navigation.goTo({ view: 'item', id });
      await settle();
      app.rules.actionsFor(app.reading.item!)[0]!.run();
      await settle();
    };
    app.items.toggleStar(starred);
    await settle();
    await mute(starred);
    expect(app.reading.item?.id).toBe(starred.id);
    await clickOn(screen.getByRole('button', { name: 'Undo' }));
    await mute(open);
    expect(app.toasts.note?.text).toBe(`Muted ${open.source.name!}`);
    expect(app.reading.item?.id).not.toBe(open.id);
  });

  it('are removed from the menus of a row and of an article that they hide, and come back with an undo', async () => {
    const { wire, app, row } = await openMuted();
    await fireEvent.contextMenu(document.getElementById(`item-${row.id}`)!);
    const labels = screen.getAllByRole('menuitem').map(({ textContent }) => textContent.trim());
    expect(labels.filter((label) => label.startsWith('Remove rule'))).toEqual([
      'Remove rule “agent”',
      'Remove rule “Papers”',
    ]);
    expect(labels.some((label) => label.startsWith('Mute '))).toBe(false);
    await clickOn(screen.getByRole('menuitem', { name: 'Remove rule “Papers”' }));
    expect(await mutedIn(wire)).toEqual(['agent']);
    await clickOn(screen.getByRole('button', { name: 'Undo' }));
    expect((await mutedIn(wire)).sort()).toEqual(['agent', 'category:paper']);
    app.items.open(row);
    await settle();
    await screen.findByText('Muted: agent');
    await fireEvent.click(screen.getByRole('button', { name: 'More actions for this article' }));
    expect(screen.queryByRole('menuitem', { name: /^Mute/ })).toBeNull();
    await clickOn(screen.getByRole('menuitem', { name: 'Remove rule “agent”' }));
    expect(await mutedIn(wire)).toEqual(['category:paper']);
  });

  it('of a source or a category are a usable query, whatever its name', () => {
    for (const name of ['Some Blog', 'X：Lab (@lab)', '“Quoted” name', LONG_NAME]) {
      expect(parseQuery(muteOfSource(name)).problems, name).toEqual([]);
      expect(muteOfSource(name).length).toBeLessThan(1_000);
    }
    expect(muteOfCategory('new kind')).toBe('category:"new kind"');
  });

  it('are lines of text in the settings, and another query takes the place of an edited one', async () => {
    const { wire, app } = await openMuted();
    app.openSettings('general');
    const queries = async (): Promise<string[]> => (await wire.ask('mutes.list', {})).rules.map(({ query }) => query);
    await clickOn(await screen.findByRole('button', { name: 'Edit agent' }));
    const box = screen.getByLabelText<HTMLInputElement>('Mute items with');
    expect([document.activeElement, box.value]).toEqual([box, 'agent']);
    await fireEvent.input(box, { target: { value: 'crypto' } });
    await clickOn(screen.getByRole('button', { name: 'Save' }));
    expect([...(await queries())].sort()).toEqual(['category:paper', 'crypto']);
    expect(screen.queryByLabelText('Mute items with')).toBeNull();
    await app.actions.takeBack();
    await settle();
    expect([...(await queries())].sort()).toEqual(['agent', 'category:paper']);
  });
});

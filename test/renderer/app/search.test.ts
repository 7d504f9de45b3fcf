import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseQuery } from '../../../src-main/common/query.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../support/core.ts';
import { answer, madeUpHit } from '../support/made-up-hits.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { stubWindowWidth } from '../support/narrow-window.ts';
import { openPage } from '../support/page.ts';
import { clickOn, keyDown, press, typeInto } from '../support/reader.ts';
import { settle } from '../support/settle.ts';

let wire: CoreWire;
let app: AppState;

async function open(): Promise<void> {
  const items = Array.from({ length: 6 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: n % 2 === 0 }));
  wire = await openCore({ items });
  wire.answer('search.suggest', () => ({ suggestions: [] }));
  ({ app } = await openPage(wire));
}

beforeEach(() => {
  vi.unstubAllGlobals();
});

/** Opens the search by its key. Returns the list's pane. */
async function search(): Promise<HTMLElement> {
  await keyDown(window, { key: '/' });
  return pane();
}

const pane = (): HTMLElement => document.querySelector<HTMLElement>('#search-list')!;
const boxOf = (): HTMLInputElement => screen.getByRole('textbox', { name: /^Search items/ });
const listIn = (found: HTMLElement): HTMLElement => within(found).getByRole('listbox');
const optionsIn = (found: HTMLElement): string[] =>
  within(found)
    .queryAllByRole('option')
    .map((option) => option.getAttribute('aria-label') ?? '');
const groupsIn = (found: HTMLElement): string[] =>
  [...found.querySelectorAll('.heading')].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
const statusIn = (found: HTMLElement): string =>
  within(found)
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join();
const activeIn = (found: HTMLElement): string | null =>
  document.getElementById(listIn(found).getAttribute('aria-activedescendant') ?? '')?.ariaLabel ?? null;

async function type(text: string): Promise<void> {
  await typeInto(boxOf(), text);
}

/** Makes the core answer with something of every kind. */
function findEverything(): void {
  wire.answer('search.find', () =>
    answer({
      items: [
        madeUpHit({
          id: wire.rows[3]!.id,
          title: 'New weights',
          titleRanges: [[4, 11]],
          source: 'Eval',
          category: 'paper',
          unread: true,
          snippet: { field: 'summary', text: 'All weights are open', ranges: [[4, 11]] },
        }),
        madeUpHit({ id: wire.rows[4]!.id, title: 'Old weights' }),
      ],
      stories: [madeUpHit({ kind: 'stories', id: 'story-1', title: 'A story', sourceCount: 5 })],
      reports: [
        madeUpHit({
          kind: 'reports',
          id: 'daily/2026-11-20',
          title: '',
          report: { kind: 'daily', label: '2026-11-20' },
        }),
      ],
      models: [madeUpHit({ kind: 'models', id: 'models/a/b', title: 'B', model: { modelList: 'models', id: 'a/b' } })],
    }),
  );
}

describe('the search', () => {
  it('is one box, in the sidebar, with its results in place of the list, and begins with the first letter', async () => {
    await open();
    expect(boxOf().closest('.sidebar')).not.toBeNull();
    await fireEvent.keyDown(window, { key: '/' });
    // At once.
    expect(document.activeElement).toBe(boxOf());
    await fireEvent.click(boxOf());
    expect([document.querySelectorAll('search').length, app.views.current]).toEqual([1, 'search']);
    expect(document.querySelector('dialog')).toBeNull();
    expect(optionsIn(pane())).toEqual(['Search online']);
    app.navigation.showView('hotTopics');
    findEverything();
    await type('w');
    expect([app.views.current, boxOf().value]).toEqual(['search', 'w']);
    expect(optionsIn(pane())[0]).toMatch(/New weights/);
  });

  it('shows what is found by kind, with counts and marks, while typing, and opens the first with Enter alone', async () => {
    await open();
    findEverything();
    const found = await search();
    await type('weights');
    expect(groupsIn(found)).toEqual(['Items 2', 'Topics 1', 'Reports 1', 'Models 1', 'Online results']);
    expect(optionsIn(found)[0]).toBe('Unread. New weights. Eval, Papers');
    const marks = [...found.querySelectorAll('mark')].map((mark) => mark.textContent);
    expect(marks).toEqual(['weights', 'weights']);
    expect(optionsIn(found).at(-1)).toBe('Search online for “weights”');
    expect(within(found).getAllByRole('heading', { name: '5 matches' })).toHaveLength(1);
    expect(statusIn(found)).toContain('5 matches');
    expect(within(found).getByRole('option', { name: 'A story. 5 sources' }).textContent).toContain('5 sources');
    expect(found.querySelectorAll('.row.dot')).toHaveLength(1);
    await press('Enter');
    expect(app.reading.itemIn('search')?.id).toBe(wire.rows[3]!.id);
    expect([document.activeElement, boxOf().value]).toEqual([listIn(found), 'weights']);
    // It was read.
    expect(found.querySelectorAll('.row.dot')).toHaveLength(0);

    // A number that is not exact is not added to.
    const [first, ...others] = answer(
      { items: Array.from({ length: 9 }, (_, n) => madeUpHit({ id: `i-${n}` })) },
      3,
    ).groups;
    const [, topics] = answer({ stories: [madeUpHit({ kind: 'stories' })] }).groups;
    const groups = [{ ...first!, count: 1000, atLeast: true }, topics!, ...others.slice(1)];
    wire.answer('search.find', () => ({ groups, problems: [] }));
    await type('weights again');
    expect(within(found).queryAllByRole('heading', { name: '1,000+ matches' })).toHaveLength(1);
    expect(groupsIn(found)).toEqual(['Items 1,000+', 'Topics 1', 'Online results']);
    expect(optionsIn(found)).toContain('Show more (3 of 1,000+)');
  });

  it('has the keys of a list: each result they reach is opened beside it, as is one that is clicked', async () => {
    await open();
    findEverything();
    const found = await search();
    await type('weights');
    expect(found.querySelectorAll('.row.selected')).toHaveLength(0);
    await press('ArrowDown');
    expect([document.activeElement, activeIn(found)]).toEqual([listIn(found), expect.stringMatching(/New weights/)]);
    await press('ArrowDown');
    expect(app.reading.itemIn('search')?.id).toBe(wire.rows[4]!.id);
    await press('j');
    expect([app.views.storyId, boxOf().value]).toEqual(['story-1', 'weights']);
    await press('k');
    expect(within(found).getByRole('option', { selected: true }).ariaLabel).toMatch(/Old weights/);
    expect([app.views.current, app.feed.list.query.text]).toEqual(['search', undefined]);
    const opened = async (name: string | RegExp): Promise<unknown> => {
      await clickOn(within(found).getByRole('option', { name }));
      expect(app.views.current).toBe('search');
      return app.views.search.open;
    };
    await opened('A story. 5 sources');
    expect(app.views.storyId).toBe('story-1');
    expect(await opened('B')).toEqual({ view: 'model', modelList: 'models', id: 'a/b' });
    expect(await opened(/^November 20|^Fri/)).toEqual({ view: 'report', kind: 'daily', label: '2026-11-20' });
  });

  it('shows all stories, reports, models and notes in place, with the first new one as the row that is next', async () => {
    await open();
    const models = Array.from({ length: 130 }, (_, n) =>
      madeUpHit({ kind: 'models', id: `models/${String(n)}`, title: `Model ${String(n)}` }),
    );
    const notes = Array.from({ length: 7 }, (_, n) =>
      madeUpHit({ kind: 'notes', id: `item/${String(n)}`, title: `Note ${String(n)}` }),
    );
    wire.answer('search.find', ({ text, limit, in: kinds }) => {
      const { groups, problems } = answer(text === '' ? {} : { models, notes }, limit);
      return { groups: groups.filter(({ kind }) => kinds?.includes(kind) ?? true), problems };
    });
    const found = await search();
    await type('x');
    expect(groupsIn(found)).toEqual(['Models 130', 'Notes 7', 'Online results']);
    const counted = (kind: string): number =>
      app.views.search.rows.filter((row) => row.type === 'hit' && row.hit.kind === kind).length;
    expect([counted('models'), counted('notes')]).toEqual([3, 3]);
    await clickOn(within(found).getByRole('option', { name: 'Show all 7' }));
    expect(counted('notes')).toBe(7);
    for (let n = 0; n < 4; n += 1) await press('ArrowDown');
    await press('Enter');
    await settle();
    expect(counted('models')).toBe(100);
    expect(listIn(found).getAttribute('aria-activedescendant')).toMatch(/models-3$/);
    await press('End');
    expect(activeIn(found)).toMatch(/^Search online/);
    await clickOn(within(found).getByRole('option', { name: 'Show all 130' }));
    expect([counted('models'), app.views.search.rows.some(({ type }) => type === 'more')]).toEqual([130, false]);
    // A later text begins with the first ones.
    await type('xy');
    expect(counted('models')).toBe(3);
  });

  it('is one step away in a narrow window, where Enter shows the covered results, and Esc goes back to them', async () => {
    stubWindowWidth(480);
    await open();
    await clickOn(screen.getAllByRole('button', { name: 'Search' })[0]!);
    expect(document.activeElement).toBe(within(pane()).getByRole('textbox', { name: /^Search items/ }));
    findEverything();
    const found = await search();
    await type('weights');
    await press('Enter');
    expect([app.navigation.reads('search'), document.activeElement]).toEqual([false, listIn(found)]);
    await press('Enter');
    expect(app.reading.itemIn('search')?.id).toBe(wire.rows[3]!.id);
    await keyDown(window, { key: 'Escape' });
    expect([app.views.current, app.navigation.reads('search'), boxOf().value]).toEqual(['search', false, 'weights']);
  });

  it('opens the first for the text that is in the box, however late its answer is, and what a note is about', async () => {
    await open();
    const found = await search();
    const late = wire.hold('search.find');
    await type(wire.rows[5]!.title);
    await press('Enter');
    expect(app.navigation.reads('search')).toBe(false);
    late();
    await settle();
    expect(app.reading.itemIn('search')?.id).toBe(wire.rows[5]!.id);

    const { id } = wire.rows[4]!;
    const hit = madeUpHit({
      kind: 'notes',
      id: `item/${id}`,
      snippet: { field: 'note', text: 'Zebra', ranges: [[0, 5]] },
    });
    wire.answer('search.find', () => answer({ notes: [hit] }));
    await search();
    await type('zebra');
    expect(found.querySelector('mark')?.textContent).toBe('Zebra');
    await press('Enter');
    await settle();
    expect(app.reading.itemIn('search')?.id).toBe(id);
  });

  it('lists all items that match, with operators to remove, and goes back to the list before', async () => {
    await open();
    app.navigation.show({ kind: 'starred' });
    const found = await search();
    await type('weights');
    await clickOn(within(found).getByRole('button', { name: 'Filters' }));
    expect(app.feed.filtersOpen).toBe(true);
    expect(app.feed.list.query).toMatchObject({ scope: 'all', state: 'any', text: 'weights' });
    expect(document.querySelector('#feed-list h1')?.textContent).toBe('1 match');
    expect(boxOf().value).toBe('weights');
    await keyDown(window, { key: 'Escape' });
    expect(app.feed.list.query).toMatchObject({ state: 'starred' });
    expect(app.feed.list.query.text).toBeUndefined();
    app.navigation.find('source:Eval OR is:unread weights');
    await settle();
    const chips = screen.getByRole('list', { name: 'Search terms' });
    // Words are in the box.
    expect(chips.textContent.replace(/\s+/g, ' ').trim()).toBe('Source: Eval or Unread');
    await clickOn(within(chips).getByRole('button', { name: 'Remove Source: Eval' }));
    expect(app.feed.list.query.text).toBe('is:unread weights');
  });

  it('is one entry of the history, and left by Esc or cleared without a trace, also from the list of all matches', async () => {
    await open();
    app.navigation.showView('stories');
    await settle();
    findEverything();
    const found = await search();
    for (const text of ['w', 'we', 'weights']) await type(text);
    expect(app.history.location).toEqual({ view: 'search', text: 'weights', open: [] });
    expect(app.history.leftIn({ view: 'search', text: 'we' })).toBeNull();
    await press('Escape');
    expect([app.views.current, app.feed.list.query.text, boxOf().value]).toEqual(['stories', undefined, '']);
    expect(wire.settings.recentSearches).toEqual([]);
    expect(document.activeElement).not.toBe(boxOf());
    await search();
    await type('weights');
    await clickOn(within(found).getByRole('button', { name: 'Filters' }));
    await clickOn(screen.getByRole('button', { name: 'Clear search' }));
    expect([app.views.current, boxOf().value]).toEqual(['stories', '']);
  });

  it('is saved by name from its results', async () => {
    await open();
    findEverything();
    const found = await search();
    await type('weights');
    await fireEvent.click(within(found).getByRole('button', { name: 'Save search' }));
    expect(within(found).getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('weights');
    await clickOn(within(found).getByRole('button', { name: 'Save' }));
    expect(app.rules.searches.map(({ query }) => query)).toEqual(['weights']);
    expect([app.views.current, app.feed.list.query.saved]).toEqual(['feed', app.rules.searches[0]?.id]);
  });

  it('says that nothing was found, what was not understood, and what failed, and offers other ways to ask', async () => {
    await open();
    const problems = [{ code: 'unknown_operator' as const, text: 'colour:red', from: 0, to: 10 }];
    wire.answer('search.find', () => answer({}, 5, problems));
    const found = await search();
    await type('colour:red zebras');
    expect(found.textContent).toContain('Nothing saved matches “colour:red zebras”.');
    expect(found.textContent).toContain('“colour:red” isn’t a known filter, so it was searched for as text.');
    expect(statusIn(found)).toContain('colour:red');
    wire.answer('search.find', ({ text, limit }) => answer({}, limit, parseQuery(text).problems));
    await type('-zebras');
    expect(found.textContent).toContain('“-zebras” only leaves words out. Add a word that must be there.');
    wire.failing.set('search.find', { code: 'internal', message: 'broken', retryable: false });
    await type('weights');
    expect(found.querySelector('.said')?.textContent).toContain('Something went wrong');
    wire.failing.clear();
    // No whole text.
    const odd = '\ud800';
    wire.answer('search.find', () =>
      answer({ items: [madeUpHit({ id: odd, title: odd }), madeUpHit({ id: odd, title: ' ' })] }),
    );
    await type('x');
    expect(optionsIn(found)).toHaveLength(3);
    wire.answer('search.find', () => answer({}));
    wire.answer('search.suggest', ({ text, at }) => ({
      suggestions: text.endsWith(' ') ? [{ insert: 'after:', from: at, to: at, label: 'after:' }] : [],
    }));
    await type('zebras last week');
    await clickOn(within(found).getByRole('option', { name: /^Complete with after:/ }));
    expect([boxOf().value, document.activeElement]).toEqual(['zebras last week after:', boxOf()]);
  });
});

describe('what could be typed', () => {
  it('is offered in the empty box and above the results, and completed by Tab or chosen with the arrows, not by Enter', async () => {
    await open();
    wire.answer('search.suggest', ({ text, at }) => {
      const suggestions = [
        { insert: 'source:', from: 0, to: at, label: 'source:' },
        { insert: 'source:Eval ', from: 0, to: at, label: 'source:Eval', count: 7 },
      ];
      return { suggestions: text.startsWith('sou') || text === '' ? suggestions : [] };
    });
    wire.answer('search.find', () => answer({}));
    const found = await search();
    expect(groupsIn(found)[0]).toBe('Search by');
    // Goes on to the next control.
    await press('Tab');
    expect(boxOf().value).toBe('');
    await type('sou');
    expect(optionsIn(found).slice(0, 2)).toEqual([
      'Complete with source:, From a source',
      'Complete with source:Eval, Source: Eval',
    ]);
    await press('Enter');
    expect([boxOf().value, app.views.current]).toEqual(['sou', 'search']);
    await press('Tab');
    expect(boxOf().value).toBe('source:');
    await type('sou');
    await press('ArrowDown');
    await press('ArrowDown');
    await press('Enter');
    expect([boxOf().value, document.activeElement]).toEqual(['source:Eval ', boxOf()]);
    findEverything();
    await type('sou');
    await press('Enter');
    expect(activeIn(found)).toMatch(/New weights/);
  });
});

describe('recent searches', () => {
  it('are kept when something was opened, offered in the empty box, and can be cleared', async () => {
    await open();
    findEverything();
    await search();
    await type(' weights ');
    await press('Enter');
    expect(wire.settings.recentSearches).toEqual(['weights']);
    const found = await search();
    await type('');
    expect(optionsIn(found).slice(0, 2)).toEqual(['weights', 'Clear recent searches']);
    await press('Enter');
    expect(boxOf().value).toBe('weights');
    await type('');
    await clickOn(within(found).getByRole('option', { name: 'Clear recent searches' }));
    expect(wire.settings.recentSearches).toEqual([]);
    expect(optionsIn(found)).toEqual(['Search online']);
  });
});

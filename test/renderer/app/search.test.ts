import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseQuery } from '../../../src-main/common/query.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../support/core.ts';
import { answer, madeUpHit } from '../support/made-up-hits.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { stubWindowWidth } from '../support/narrow-window.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';

/** Dialogs are compiled when they are first opened, which takes a busy machine its time. */
const SLOWLY = { timeout: 10_000 };

let wire: CoreWire;
let app: AppState;

async function open(language: 'en' | 'zh-CN' = 'en'): Promise<void> {
  const items = Array.from({ length: 12 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: n % 2 === 0 }));
  wire = await openCore({ items, settings: { language } });
  wire.answer('search.suggest', () => ({ suggestions: [] }));
  ({ app } = await openPage(wire));
}

beforeEach(() => {
  vi.unstubAllGlobals();
});

/** Opens the search by its key, and waits for its box. */
async function search(): Promise<HTMLElement> {
  await fireEvent.keyDown(window, { key: '/' });
  await settle();
  return dialog();
}

async function dialog(): Promise<HTMLElement> {
  const found = await screen.findByRole('dialog', { name: /^(Search|搜索)$/ }, SLOWLY);
  await settle();
  return found;
}

const boxIn = (found: HTMLElement): HTMLInputElement => within(found).getByRole('combobox');
const optionsIn = (found: HTMLElement): string[] =>
  within(found)
    .queryAllByRole('option')
    .map((option) => option.getAttribute('aria-label') ?? '');
const groupsIn = (found: HTMLElement): string[] =>
  within(found)
    .queryAllByRole('group')
    .map((group) => group.querySelector('.heading')?.textContent.replace(/\s+/g, ' ').trim() ?? '');

async function type(found: HTMLElement, text: string): Promise<void> {
  await fireEvent.input(boxIn(found), { target: { value: text } });
  await settle();
}

async function press(found: HTMLElement, key: string): Promise<void> {
  await fireEvent.keyDown(boxIn(found), { key });
  await settle();
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
      stories: [madeUpHit({ kind: 'stories', id: 'story-1', title: 'A story' })],
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
  it('is one box, in the sidebar', async () => {
    await open();
    const boxes = [...document.querySelectorAll<HTMLElement>('search')];
    expect(boxes).toHaveLength(1);
    expect(boxes[0]?.closest('.sidebar')).toBeTruthy();
    await fireEvent.click(within(boxes[0]!).getByRole('button', { name: /^Search/ }));
    const found = await dialog();
    expect(document.activeElement).toBe(boxIn(found));
  });

  it.each([480, 1000])('is one step away in a window of %d px', async (width) => {
    stubWindowWidth(width);
    await open();
    await fireEvent.click(screen.getAllByRole('button', { name: 'Search' })[0]!);
    await dialog();
  });

  it('shows what is found by kind, with counts and marks, while typing', async () => {
    await open();
    findEverything();
    const found = await search();
    await type(found, 'weights');
    expect(groupsIn(found)).toEqual(['Items 2', 'Topics 1', 'Reports 1', 'Models 1', 'Online results']);
    expect(optionsIn(found)[0]).toBe('Unread. New weights. Eval, Papers');
    const marks = [...found.querySelectorAll('mark')].map((mark) => mark.textContent);
    expect(marks).toEqual(['weights', 'weights']);
    expect(optionsIn(found).at(-1)).toBe('Search online for “weights”');
    expect(optionsIn(found)).toContain('Show all 2 items as a list');
    expect(within(found).getByRole('status').textContent).toContain('5 matches');
  });

  it('has rows as lists have: letter and source, time, title with its match, and how the text begins', async () => {
    await open();
    wire.answer('search.find', () =>
      answer({
        items: [
          madeUpHit({
            title: 'New weights',
            titleRanges: [[4, 11]],
            source: 'X：Eval Club (@eval)',
            category: 'paper',
            at: new Date(NOW).toISOString(),
            unread: true,
            summary: 'How it begins',
          }),
        ],
        models: [
          madeUpHit({
            kind: 'models',
            title: 'Northlight: Aurora 32B',
            titleRanges: [
              [0, 10],
              [12, 18],
            ],
            source: 'Northlight',
            model: { modelList: 'models', id: 'northlight/aurora-32b' },
          }),
        ],
      }),
    );
    const found = await search();
    await type(found, 'aurora');
    const rows = within(found)
      .getAllByRole('option')
      .map((option) => option.querySelector<HTMLElement>('.row'));
    const texts = (of: HTMLElement | null | undefined): string[] =>
      ['.source-mark', '.subhead', 'time', '.title', '.title mark', '.summary'].map(
        (part) => of?.querySelector(part)?.textContent.trim() ?? '',
      );
    const [item, , model] = rows;
    expect(texts(item)).toEqual([
      'E',
      'Eval Club',
      expect.stringMatching(/\d:\d\d/),
      'New weights',
      'weights',
      'How it begins',
    ]);
    expect(item?.classList).toContain('dot');
    expect(texts(model)).toEqual(['N', 'Northlight', '', 'Aurora 32B', 'Aurora', '']);
    expect(found.textContent).not.toContain('northlight/aurora-32b');
    // One mark of a row is its active one.
    expect(found.querySelectorAll('.row.selected')).toHaveLength(1);
    await press(found, 'ArrowDown');
    await press(found, 'ArrowDown');
    expect(model?.classList).toContain('selected');
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
    await type(found, 'x');
    expect(groupsIn(found)).toEqual(['Models 130', 'Notes 7', 'Online results']);
    const rows = (): string[] => optionsIn(found).slice(0, -1);
    expect(rows()).toHaveLength(8);
    await fireEvent.click(within(found).getByRole('option', { name: 'Show all 7' }));
    await settle();
    expect(rows().filter((name) => name.startsWith('Note'))).toHaveLength(7);
    for (let n = 0; n < 3; n += 1) await press(found, 'ArrowDown');
    await press(found, 'Enter');
    await settle();
    expect(rows().filter((name) => name.startsWith('Model'))).toHaveLength(100);
    expect(boxIn(found).getAttribute('aria-activedescendant')).toMatch(/models-3$/);
    await fireEvent.click(within(found).getByRole('option', { name: 'Show all 130' }));
    await settle();
    expect(rows().filter((name) => name.startsWith('Model'))).toHaveLength(130);
    expect(rows().some((name) => name.startsWith('Show'))).toBe(false);
    // A later text begins with the first ones.
    await type(found, 'xy');
    expect(rows()).toHaveLength(8);
  });

  it('opens what a note is about', async () => {
    await open();
    const { id } = wire.rows[4]!;
    const hit = madeUpHit({
      kind: 'notes',
      id: `item/${id}`,
      snippet: { field: 'note', text: 'Zebra', ranges: [[0, 5]] },
    });
    wire.answer('search.find', () => answer({ notes: [hit] }));
    const found = await search();
    await type(found, 'zebra');
    expect(found.querySelector('mark')?.textContent).toBe('Zebra');
    await press(found, 'Enter');
    await settle();
    expect(app.reading.item?.id).toBe(id);
  });

  it('opens the first with Enter alone', async () => {
    await open();
    findEverything();
    const found = await search();
    await type(found, 'weights');
    await press(found, 'Enter');
    expect([app.reading.item?.id, app.finder]).toEqual([wire.rows[3]!.id, null]);
  });

  it('opens the first for the text that is in the box, however late its answer is', async () => {
    await open();
    const found = await search();
    const late = Promise.withResolvers<undefined>();
    wire.gates.set('search.find', late.promise);
    await type(found, wire.rows[5]!.title);
    await press(found, 'Enter');
    expect(app.finder).toBe('search');
    late.resolve(undefined);
    await settle();
    expect(app.reading.item?.id).toBe(wire.rows[5]!.id);
  });

  it.each<[string, () => unknown, () => unknown]>([
    ['A story', () => app.views.stories.id, () => 'story-1'],
    ['B', () => app.views.models.open, () => ({ view: 'model', modelList: 'models', id: 'a/b' })],
  ])('opens %s', async (name, opened, wanted) => {
    await open();
    findEverything();
    const found = await search();
    await type(found, 'weights');
    await fireEvent.click(within(found).getByRole('option', { name }));
    await settle();
    expect(opened()).toEqual(wanted());
  });

  it('lists all items that match, and goes back to the list before', async () => {
    await open();
    app.navigation.show({ kind: 'starred' });
    const found = await search();
    await type(found, 'weights');
    await fireEvent.click(within(found).getByRole('option', { name: /as a list$/ }));
    await settle();
    expect(app.feed.list.query).toMatchObject({ scope: 'all', state: 'any', text: 'weights' });
    expect(screen.getByRole('heading', { name: 'Results' })).toBeTruthy();
    expect(boxIn(await search()).value).toBe('weights');
    await fireEvent.keyDown(boxIn(await dialog()), { key: 'Escape' });
    await settle();
    expect(app.feed.list.query.text).toBe('weights');
    await fireEvent.keyDown(window, { key: 'Escape' });
    await settle();
    expect(app.feed.list.query).toMatchObject({ state: 'starred' });
    expect(app.feed.list.query.text).toBeUndefined();
  });

  it('has the keys as soon as its own was pressed', async () => {
    await open();
    await fireEvent.keyDown(window, { key: '/' });
    expect(document.activeElement).toBe(boxIn(screen.getByRole('dialog')));
  });

  it('is left by Esc without a trace', async () => {
    await open();
    app.navigation.showView('stories');
    await settle();
    const found = await search();
    await type(found, 'weights');
    await press(found, 'Escape');
    expect([app.finder, app.views.current, app.feed.list.query.text]).toEqual([null, 'stories', undefined]);
    expect(wire.settings.recentSearches).toEqual([]);
    expect(boxIn(await search()).value).toBe('');
  });

  it('goes on online, where nothing is sent before it is started', async () => {
    await open();
    const found = await search();
    await type(found, 'zebras');
    expect(optionsIn(found)).toEqual(['Search online for “zebras”']);
    await press(found, 'Enter');
    expect([app.finder, boxIn(found).value]).toEqual(['search', 'zebras']);
    await press(found, 'ArrowDown');
    await press(found, 'Enter');
    expect([app.feed.overlay.kind, app.feed.overlay.request.q]).toEqual(['online', 'zebras']);
    expect(wire.calls.some(({ method }) => method === 'items.searchOnline')).toBe(false);
  });

  it('says that nothing was found, and what was not understood', async () => {
    await open();
    const problems = [{ code: 'unknown_operator' as const, text: 'colour:red', from: 0, to: 10 }];
    wire.answer('search.find', () => answer({}, 5, problems));
    const found = await search();
    await type(found, 'colour:red zebras');
    expect(found.textContent).toContain('Nothing saved matches “colour:red zebras”.');
    expect(found.textContent).toContain('“colour:red” isn’t a known filter, so it was searched for as text.');
    expect(within(found).getByRole('status').textContent).toContain('colour:red');
  });

  it.each([
    ['en', '“-zebras” only leaves words out. Add a word that must be there.'],
    ['zh-CN', '“-zebras”只排除词语，请再添加一个必须出现的词。'],
  ] as const)('says in %s that a search which only leaves words out finds nothing', async (language, said) => {
    await open(language);
    wire.answer('search.find', ({ text, limit }) => answer({}, limit, parseQuery(text).problems));
    const found = await search();
    await type(found, '-zebras');
    expect(found.textContent).toContain(said);
  });

  it('says what failed', async () => {
    await open();
    wire.failing.set('search.find', { code: 'internal', message: 'broken', retryable: false });
    const found = await search();
    await type(found, 'weights');
    expect(found.querySelector('.said')).toBeTruthy();
    await press(found, 'Escape');
  });
});

describe('what could be typed', () => {
  beforeEach(async () => {
    await open();
    wire.answer('search.suggest', ({ text, at }) => {
      const suggestions = [
        { insert: 'source:', from: 0, to: at, label: 'source:' },
        { insert: 'source:Eval ', from: 0, to: at, label: 'source:Eval', count: 7 },
      ];
      return { suggestions: text.startsWith('sou') || text === '' ? suggestions : [] };
    });
  });

  it('is offered above the results, of which Enter still opens the first', async () => {
    findEverything();
    const found = await search();
    await type(found, 'sou');
    expect(optionsIn(found).slice(0, 2)).toEqual([
      'Complete with source:, from a source',
      'Complete with Source: Eval',
    ]);
    expect(within(found).getByRole('option', { selected: true }).ariaLabel).toMatch(/New weights/);
  });

  it('is nothing that Enter alone puts into the box, also if nothing was found', async () => {
    wire.answer('search.find', () => answer({}));
    const found = await search();
    await type(found, 'sou');
    await press(found, 'Enter');
    expect([boxIn(found).value, app.finder, app.feed.overlay.kind]).toEqual(['sou', 'search', null]);
  });

  it('is completed by Tab, or chosen with the arrows', async () => {
    const found = await search();
    await type(found, 'sou');
    await press(found, 'Tab');
    expect(boxIn(found).value).toBe('source:');
    await type(found, 'sou');
    await press(found, 'ArrowDown');
    await press(found, 'ArrowDown');
    await press(found, 'Enter');
    expect([boxIn(found).value, app.finder]).toEqual(['source:Eval ', 'search']);
  });

  it('is offered in the empty box, where Tab goes on to the next control', async () => {
    const found = await search();
    expect(groupsIn(found)[0]).toBe('Narrow the search');
    await press(found, 'Tab');
    expect(boxIn(found).value).toBe('');
  });
});

describe('recent searches', () => {
  it('are kept when something was opened, offered in the empty box, and can be cleared', async () => {
    await open();
    findEverything();
    const first = await search();
    await type(first, ' weights ');
    await press(first, 'Enter');
    expect(wire.settings.recentSearches).toEqual(['weights']);
    const found = await search();
    expect(optionsIn(found).slice(0, 2)).toEqual(['weights', 'Clear recent searches']);
    await press(found, 'Enter');
    expect([boxIn(found).value, app.finder]).toEqual(['weights', 'search']);
    await type(found, '');
    await fireEvent.click(within(found).getByRole('option', { name: 'Clear recent searches' }));
    await settle();
    expect([wire.settings.recentSearches, app.finder]).toEqual([[], 'search']);
    expect(optionsIn(found)).toEqual(['Search online']);
  });
});

describe('the chips of a searched list', () => {
  it('show what is searched for, and are removed one by one', async () => {
    await open();
    app.navigation.find('is:unread weights');
    await settle();
    const chips = screen.getByRole('list', { name: 'Search terms' });
    expect(chips.textContent.replace(/\s+/g, ' ').trim()).toBe('Unread weights');
    await fireEvent.click(within(chips).getByRole('button', { name: 'Remove Unread' }));
    await settle();
    expect(app.feed.list.query.text).toBe('weights');
    await fireEvent.click(screen.getByRole('button', { name: 'Remove weights' }));
    await settle();
    expect(app.feed.list.query.text).toBeUndefined();
  });

  it.each([
    ['en', 'Search terms', 'Source: Eval or Last 7 days Not Papers'],
    ['zh-CN', '搜索条件', '来源：Eval 或 最近 7 天 不含 论文'],
  ] as const)('say in %s what was typed as operators', async (language, name, said) => {
    await open(language);
    app.navigation.find('source:Eval OR after:7d -分类:论文');
    await settle();
    expect(screen.getByRole('list', { name }).textContent.replace(/\s+/g, ' ').trim()).toBe(said);
  });

  it('keep the filters of the search', async () => {
    await open();
    app.navigation.find('is:unread weights');
    app.feed.filter({ ...app.feed.list.query, window: '7d' });
    app.feed.search('weights');
    expect(app.feed.list.query).toMatchObject({ window: '7d', text: 'weights' });
  });

  it('are not what a view shows that is chosen in the sidebar', async () => {
    await open();
    app.navigation.find('weights');
    app.navigation.showView('stories');
    app.navigation.show({ kind: 'everything' });
    expect(app.feed.list.query.text).toBeUndefined();
  });
});

describe('odd answers', () => {
  it('with ids and titles that are no whole text are shown like others', async () => {
    await open();
    const odd = '\ud800';
    wire.answer('search.find', () =>
      answer({ items: [madeUpHit({ id: odd, title: odd }), madeUpHit({ id: odd, title: ' ' })] }),
    );
    const found = await search();
    await type(found, 'x');
    expect(optionsIn(found)).toHaveLength(4);
  });

  it('leave no dialog behind that was closed and opened at once', async () => {
    await open();
    const found = await search();
    // A browser tells in a task of its own that a dialog was closed.
    (found as HTMLDialogElement).open = false;
    await fireEvent.keyDown(window, { key: '/' });
    await settle();
    found.dispatchEvent(new Event('close'));
    await settle();
    expect(boxIn(await dialog())).toBe(document.activeElement);
  });
});

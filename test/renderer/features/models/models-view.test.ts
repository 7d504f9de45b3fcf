import { fireEvent, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelRecord } from '../../../../src-main/contract/model/model.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreOptions, type CoreWire } from '../../support/core.ts';
import { openPage } from '../../support/page.ts';
import { clickOn, keyDown, typeInto } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, named, shown } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

const KEY_MISSING = { code: 'unauthorized', message: '', retryable: false } as const;

/** Records with every field, with fewer, and with an id only. */
const RECORDS: ModelRecord[] = [
  {
    id: 'alder/oak',
    name: 'Oak',
    description: 'For long documents',
    created: 1_760_000_000,
    context_length: 200_000,
    architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'], tokenizer: 'Other' },
    pricing: {
      ...{ prompt: '0.00000015', completion: '1e-7', input_cache_read: '0.00000001' },
      ...{ image: '0.0012', request: '0', telepathy: '7' },
    },
    top_provider: { max_completion_tokens: 8_192, is_moderated: true },
    supported_parameters: ['tools', 'seed'],
    expiration_date: '2027-01-31',
    knowledge_cutoff: '2025-06-30',
  },
  {
    id: 'birch/elm',
    name: 'Elm',
    created: 1_750_000_000,
    context_length: 32_768,
    architecture: { input_modalities: ['text'], output_modalities: ['audio'], tokenizer: 'BPE' },
    pricing: {
      ...{ prompt: '0', completion: '0', input_cache_read: '0.000000000001' },
      ...{ image: '0.001', request: '0.005', telepathy: '6' },
    },
    top_provider: { max_completion_tokens: 4_096, is_moderated: false },
    supported_parameters: ['tools'],
    expiration_date: '2026-12-31',
    knowledge_cutoff: '2024-06-30',
  },
  { id: 'zz-bare', pricing: { prompt: '-1', completion: '' } },
];
let wire: CoreWire;
let app: AppState;

askShownView();

async function open(options: CoreOptions = {}): Promise<void> {
  wire = await openCore({ catalogue: RECORDS, ...options });
  ({ app } = await openPage(wire, { withoutRows: true }));
}

async function openTable(options: CoreOptions = {}): Promise<void> {
  await open(options);
  await show();
}

afterEach(() => vi.restoreAllMocks());

const grid = (): HTMLElement => shown().getByRole('grid');
const names = (): string[] => [...grid().querySelectorAll('.title')].map((title) => title.textContent);

async function show(): Promise<void> {
  const views = screen.getByRole('navigation', { name: 'Views' });
  await fireEvent.click(within(views).getByRole('button', { name: 'Models' }));
  await waitFor(() => named('heading', 'Models'));
  await settle();
}

/** Chooses an entry of the view's menu. */
async function choose(entry: string): Promise<void> {
  await clickOn(named('button', 'More actions for this list'));
  await clickOn(screen.getByRole('menuitem', { name: entry }));
}

async function press(key: string): Promise<void> {
  await keyDown(grid(), { key });
}

describe('a list that lost too much', () => {
  it('says so above the saved models, until the reader accepts it', async () => {
    await open();
    const { resources } = await wire.ask('sync.status', {});
    const confirming = {
      since: '2026-10-01T00:00:00Z',
      stored: 6,
      received: 0,
      of: 'prices',
      acceptable: true,
    } as const;
    await wire.setStatus({ resources: resources.map((one) => (one.name === 'models' ? { ...one, confirming } : one)) });
    await show();
    expect(shown().queryAllByText(/only 0 of 6 prices/)).toHaveLength(1);
    expect(names()).toHaveLength(3);
    const accept = (): HTMLElement => named('button', 'Accept the loss');
    await clickOn(accept());
    expect(
      shown().queryAllByRole('group', { name: /^Accept the loss\? What the service no longer returns/ }),
    ).toHaveLength(1);
    // It may be a mistake.
    await clickOn(named('button', 'Cancel'));
    expect(document.activeElement).toBe(accept());
    expect(shown().queryAllByText(/only 0 of 6 prices/)).toHaveLength(1);
    await clickOn(accept());
    await clickOn(accept());
    expect(wire.argsOf('sync.accept')).toEqual([{ resource: 'models' }]);
    await wire.setStatus({ resources });
    await settle();
    expect(shown().queryByText(/saved prices/)).toBeNull();
  });
});

describe('the table of models', () => {
  beforeEach(() => openTable());

  it('announces and names its rows and columns, sorts by one, and shows those that are chosen, with exact prices', async () => {
    expect(grid().getAttribute('aria-rowcount')).toBe('4');
    expect(Number(grid().getAttribute('aria-colcount'))).toBe(within(grid()).getAllByRole('columnheader').length);
    // The newest first, and the one whose age is not known last.
    expect(names()).toEqual(['Oak', 'Elm', 'zz-bare']);
    expect(named('columnheader', /^Created/).getAttribute('aria-sort')).toBe('descending');
    expect(wire.argsOf('sync.attend').at(-1)).toEqual({ to: 'models' });
    const input = named('columnheader', /^Input/);
    for (const [direction, order] of [
      ['ascending', ['Elm', 'Oak', 'zz-bare']],
      ['descending', ['Oak', 'Elm', 'zz-bare']],
    ] as const) {
      await clickOn(within(input).getByRole('button'));
      expect([input.getAttribute('aria-sort'), names()]).toEqual([direction, order]);
    }

    const heads = within(grid()).getAllByRole('columnheader');
    expect(heads.map((head) => head.textContent.trim())).toEqual([
      ...['Model', 'Input', 'Output', 'Context', 'Max output', 'Created'],
    ]);
    const first = within(within(grid()).getAllByRole('row')[1]!).getAllByRole('gridcell');
    expect(first.map((cell) => cell.textContent.trim())).toEqual(['$0.15', '$0.10', '200K', '8.2K', 'Oct 9, 2025']);
    expect(first[3]?.title).toBe('8,192');

    expect(shown().queryByText(/^† Depends on/)).toBeNull();
    await choose('Columns');
    await clickOn(screen.getByRole('checkbox', { name: /^Vendor/ }));
    expect(wire.settings.modelColumns).toContain('vendor');
    expect(within(grid()).queryAllByRole('columnheader', { name: 'Vendor' })).toHaveLength(1);
    await clickOn(screen.getByRole('button', { name: 'Reset columns' }));
    expect(wire.settings.modelColumns).toBeNull();
    expect(within(grid()).queryByRole('columnheader', { name: 'Vendor' })).toBeNull();

    await app.settings.set({ modelColumns: ['name', 'price.prompt', 'price.completion'] });
    await settle();
    const cells = within(grid())
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('gridcell')
          .map((cell) => cell.textContent.trim()),
      );
    expect(cells).toEqual([
      ['$0.15', '$0.10'],
      ['Free', 'Free'],
      ['Varies', 'Invalid'],
    ]);
    await app.settings.set({ modelColumns: ['name', 'price.image'] });
    await settle();
    expect(within(grid()).getAllByRole('gridcell').at(-1)?.textContent).toContain('not provided');
  });

  it('shows its filters and the number of matches, reads "128k" as tokens, and names every control', async () => {
    await clickOn(named('button', 'Filters'));
    await clickOn(named('checkbox', /^Image/));
    expect(names()).toEqual(['Oak']);
    expect(shown().queryAllByText('1 of 3 models')).toHaveLength(1);
    await clickOn(named('checkbox', 'Free only'));
    expect(named('heading', 'No matching models').textContent).toContain('No matching models');
    await clickOn(named('button', 'Remove filter: Free'));
    expect(names()).toEqual(['Oak']);
    await clickOn(shown().getAllByRole('button', { name: 'Clear all filters' })[0]!);
    expect(names()).toHaveLength(3);
    const field = named('textbox', 'Minimum context in tokens') as HTMLInputElement;
    await typeInto(field, '128k');
    expect(field.value).toBe('128k');
    expect(names()).toEqual(['Oak']);
    await typeInto(field, '128x');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(names()).toHaveLength(3);
    const view = document.querySelector<HTMLElement>('.view:not(.away)')!;
    for (const control of view.querySelectorAll<HTMLElement>('button, input, select')) {
      const label = control.getAttribute('aria-label') ?? control.closest('label')?.textContent ?? control.textContent;
      expect(label.trim(), control.outerHTML).not.toBe('');
    }
    await clickOn(named('checkbox', 'Free only'));
    expect(field.value).toBe('128x');
  });

  it('has keys for rows, page, favourite, comparison and id, unless single keys are switched off', async () => {
    const copied = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
    await press('ArrowDown');
    const active = (): string | undefined =>
      document.getElementById(grid().getAttribute('aria-activedescendant') ?? '')?.querySelector('.title')?.textContent;
    expect(active()).toBe('Oak');
    await keyDown(window, { key: 'j' });
    expect(active()).toBe('Elm');
    await press('c');
    expect(copied).toHaveBeenCalledWith('birch/elm');
    await press(' ');
    expect(app.views.models.chosen).toEqual(['birch/elm']);
    await press('s');
    expect(names()[0]).toBe('Elm');
    expect(active()).toBe('zz-bare');
    expect(wire.argsOf('models.favourite')).toHaveLength(1);
    for (const key of ['Escape', 'Escape']) await fireEvent.keyDown(window, { key });
    await press('Enter');
    expect(app.views.models.open).toMatchObject({ modelList: 'models', id: 'zz-bare' });
    await keyDown(window, { key: 'Escape' });
    expect(app.views.models.open).toBeNull();
    await app.settings.set({ singleKeys: false });
    await press('ArrowDown');
    await press('s');
    expect(wire.argsOf('models.favourite')).toHaveLength(1);
  });

  it('has a menu, and one for each row, which takes the keys while it is open, and returns the focus', async () => {
    await press('ArrowDown');
    const before = app.views.models.table.activeId;
    await clickOn(named('button', 'More actions for this list'));
    const inside = screen.getAllByRole('menuitem')[0]!;
    for (const key of ['j', 's', '?', 'g', 'm']) await keyDown(inside, { key });
    expect([app.views.models.table.activeId, app.panel, app.views.current]).toEqual([before, null, 'models']);
    await keyDown(inside, { key: 'Escape' });
    expect(document.activeElement).toBe(named('button', 'More actions for this list'));
    await fireEvent.contextMenu(within(grid()).getAllByRole('row')[1]!);
    await settle();
    const items = screen.getAllByRole('menuitem');
    expect(items.map((item) => item.textContent)).toEqual([
      'Open model page',
      'Mark as in use',
      'Add to comparison',
      'Copy ID',
    ]);
    expect(document.activeElement).toBe(items[0]);
    await keyDown(items[0]!, { key: 'Escape' });
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(grid());
  });

  it('ticks rows instead of opening them while models are chosen to compare, until Esc or Cancel', async () => {
    const row = (name: string): HTMLElement => within(grid()).getByText(name).closest<HTMLElement>('[role="row"]')!;
    const { models } = app.views;
    await clickOn(named('button', 'Compare'));
    expect(shown().queryAllByText('Select 2 to 4 models')).toHaveLength(1);
    await clickOn(row('Elm'));
    for (const key of ['ArrowUp', 'Enter', 'End', ' ']) await press(key);
    expect([models.chosen, models.open]).toEqual([['birch/elm', 'alder/oak', 'zz-bare'], null]);
    await clickOn(row('Oak'));
    expect(row('Oak').getAttribute('aria-selected')).toBe('false');
    expect(shown().getAllByRole('button', { name: 'Compare' })).toHaveLength(1);
    await keyDown(grid(), { key: 'Escape' });
    expect([models.choosing, document.activeElement]).toEqual([false, grid()]);
    await clickOn(named('button', 'Compare'));
    await clickOn(named('button', 'Cancel'));
    await clickOn(row('Elm'));
    expect(models.open?.id).toBe('birch/elm');
  });

  it('keeps the focus and the active row while its rows are refreshed', async () => {
    grid().focus();
    await press('End');
    const before = document.activeElement;
    wire.emit('models.changed', { modelLists: ['models'] });
    await settle();
    expect(document.activeElement).toBe(before);
    expect(app.views.models.table.activeId).toBe('zz-bare');
  });

  it('estimates the cost of a workload, marks assumptions, and restores a deleted one', async () => {
    await choose('Estimate my cost');
    const dialog = within(screen.getByRole('dialog', { name: 'Cost estimate' }));
    await fireEvent.input(dialog.getByRole('textbox', { name: 'Name' }), { target: { value: 'Chat' } });
    await fireEvent.input(dialog.getByRole('textbox', { name: 'Cached input tokens' }), { target: { value: '9999' } });
    await clickOn(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.queryAllByText(/Cached tokens can’t exceed input tokens/)).toHaveLength(1);
    await fireEvent.input(dialog.getByRole('textbox', { name: 'Cached input tokens' }), { target: { value: '1000' } });
    await clickOn(dialog.getByRole('button', { name: 'Save' }));
    const workloads = async () => (await wire.ask('workloads.list', {})).workloads;
    expect(await workloads()).toEqual([
      {
        id: expect.any(Number) as number,
        name: 'Chat',
        tokensIn: 3000,
        tokensCached: 1000,
        tokensOut: 500,
        requestsAMonth: 10_000,
      },
    ]);
    // (2000 · 0.00000015 + 1000 · 0.00000001 + 500 · 0.0000001) · 10000
    expect(within(grid()).queryAllByText('$3.60')).toHaveLength(1);
    await choose('Workloads');
    await clickOn(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await workloads()).toEqual([]);
    await clickOn(screen.getByRole('button', { name: 'Undo' }));
    expect(await workloads()).toHaveLength(1);
  });

  it('exports the visible rows and columns', async () => {
    URL.createObjectURL = vi.fn(() => 'blob:made-up');
    URL.revokeObjectURL = vi.fn();
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await choose('Export as CSV');
    await waitFor(() => screen.getByText(/^Exported as models-.*\.csv/));
    expect(saved).toHaveBeenCalledOnce();
    saved.mockRestore();
  });
});

describe('the table of other models', () => {
  it('shows names and vendors, and where only ids tell models apart, ids whose end is never cut', async () => {
    const id = 'alder/oak-5-thinking-preview-2026-10-01';
    await openTable({
      catalogue: [
        { id, name: 'Alder: Oak 5 Thinking', created: 1_770_000_000 },
        { id: 'alder/oak-5-thinking', name: 'Alder: Oak 5 Thinking', created: 1_760_000_000 },
        { id: 'birch/elm', name: 'Birch: Elm', created: 1_750_000_000 },
      ],
    });
    expect(names()).toEqual(['Oak 5 Thinking', 'Oak 5 Thinking', 'Elm']);
    expect(grid().querySelector('.title')?.getAttribute('title')).toBe(`Alder: Oak 5 Thinking\n${id}`);
    const ids = [...grid().querySelectorAll('.id')];
    expect(ids.map((shownId) => shownId.textContent)).toEqual([id, 'alder/oak-5-thinking']);
    expect(ids[0]?.getAttribute('title')).toBe(id);
    expect(ids[0]?.lastElementChild?.textContent).toBe('w-2026-10-01');
    expect([...grid().querySelectorAll('.vendor')].map((vendor) => vendor.textContent)).toEqual(['Birch']);
  });

  it('explains the mark of prices that have others under conditions, if there are any', async () => {
    const overrides = [{ min_prompt_tokens: 32_000, prompt: '0.0000001' }];
    await openTable({ catalogue: [{ id: 'harbor/tern', pricing: { prompt: '0.00000005', overrides } }] });
    expect(within(grid()).getAllByRole('gridcell')[0]?.textContent).toMatch(/^\s*\$0\.05†/);
    expect(shown().queryAllByText(/^† Depends on input length/)).toHaveLength(1);
  });

  it('has rows of two lines in a narrow pane, with the same order', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(480);
    await openTable();
    expect(within(grid()).queryByRole('columnheader')).toBeNull();
    expect(grid().getAttribute('aria-rowcount')).toBe('3');
    const cells = within(grid())
      .getAllByRole('row')
      .map((row) =>
        within(row)
          .getAllByRole('gridcell')
          .map((cell) => cell.textContent.trim()),
      );
    expect(cells).toEqual([
      ['$0.15 in', '$0.10 out', '200K context'],
      ['Free', '33K context'],
      ['Input varies', 'Invalid out', '— context'],
    ]);
    await choose('Columns');
    await fireEvent.change(screen.getByRole('combobox', { name: 'Sort by' }), { target: { value: 'price.prompt' } });
    await clickOn(screen.getByRole('button', { name: 'Reverse the order' }));
    expect(names()).toEqual(['Elm', 'Oak', 'zz-bare']);
  });

  it('compares two to four models, and says when the comparison is full', async () => {
    await openTable({ catalogue: Array.from({ length: 6 }, (_, n) => ({ id: `m/${n}` })) });
    for (const n of [0, 1, 2, 3, 4]) await clickOn(named('checkbox', `Compare m/${n}`));
    expect(app.views.models.chosen).toEqual(['m/0', 'm/1', 'm/2', 'm/3']);
    expect((named('checkbox', 'Compare m/4') as HTMLInputElement).checked).toBe(false);
    expect(screen.queryAllByText(/^You can compare up to 4 models/)).toHaveLength(1);
    await clickOn(within(named('group', 'Compare')).getByRole('button', { name: 'Compare' }));
    expect(app.views.models.comparing).toBe(true);
  });

  it('scrolls to the row that the keys reach, but not under the pointer', async () => {
    await openTable({ catalogue: Array.from({ length: 40 }, (_, n) => ({ id: `m/${n + 10}` })) });
    const last = within(grid()).getAllByRole('row').at(-1)!;
    await clickOn(last);
    expect(grid().scrollTop).toBe(0);
    await press('ArrowDown');
    expect(grid().scrollTop).toBeGreaterThan(0);
  });
});

describe('a model list without rows', () => {
  it('says that no gateway is set, and opens the settings', async () => {
    await openTable({ synced: [], gateway: () => null });
    expect(named('heading', 'No model service yet').textContent).toContain('No model service yet');
    await clickOn(named('button', 'Open settings'));
    expect(app.panel).toBe('settings');
  });

  it('says why the gateway refused the key, and still shows the embedding models', async () => {
    await open({ synced: ['embeddings'] });
    const { resources } = await wire.ask('sync.status', {});
    await wire.setStatus({
      resources: resources.map((one) => (one.name === 'models' ? { ...one, error: KEY_MISSING } : one)),
    });
    await show();
    expect(shown().queryAllByText(/^The model service needs a valid key/)).toHaveLength(1);
    await clickOn(named('button', 'Show embedding models'));
    expect(within(grid()).getAllByRole('row').length).toBeGreaterThan(10);
    expect(app.views.models.modelList).toBe('embeddings');
  });

  it('that cannot be loaded says so, and can be loaded again', async () => {
    await open();
    wire.failing.set('models.list', { code: 'data_unreadable', message: '', retryable: false });
    await show();
    expect(shown().queryAllByText('The saved data can’t be read.')).toHaveLength(1);
    wire.failing.clear();
    await clickOn(named('button', 'Try again'));
    expect(names()).toHaveLength(3);
  });

  it('of an unreachable gateway stays, with its age', async () => {
    await open();
    const error = { code: 'unreachable', message: '', retryable: true } as const;
    const { resources } = await wire.ask('sync.status', {});
    await wire.setStatus({ resources: resources.map((one) => (one.name === 'models' ? { ...one, error } : one)) });
    await show();
    expect(shown().queryAllByText(/^Can’t reach the model service/)).toHaveLength(1);
    expect(shown().queryAllByText(/^Showing models saved/)).toHaveLength(1);
    expect(names()).toHaveLength(3);
  });
});

describe('the other list', () => {
  it('can be shown for the first time after the host has ended', async () => {
    await openTable({ synced: ['models', 'embeddings'] });
    wire.failing.set('models.list', { code: 'unreachable', message: '', retryable: true });
    await choose('Embedding models');
    expect(within(grid()).getAllByRole('row').length).toBeGreaterThan(10);
  });
});

describe('five thousand models', () => {
  it('render only the visible rows', async () => {
    await open();
    const [line] = (await wire.ask('models.list', { modelList: 'models' })).lines;
    wire.answer('models.list', () => ({
      lines: Array.from({ length: 5_000 }, (_, n) => ({ ...line!, id: `vendor-${n % 40}/model-${n}` })),
      fetchedAt: new Date(NOW).toISOString(),
    }));
    await show();
    expect(grid().getAttribute('aria-rowcount')).toBe('5001');
    expect(within(grid()).getAllByRole('row').length).toBeLessThan(80);
  });
});

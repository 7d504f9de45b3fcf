import { configure, fireEvent, screen, within } from '@testing-library/svelte';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelRefresh } from '../../../../src-main/contract/model/model.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { madeUpModel } from '../../support/memory-models.ts';
import { MemoryWire } from '../../support/memory-wire.ts';
import { openPage } from '../../support/page.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();
const DAY = 86_400_000;
const daysAgo = (days: number): string => new Date(NOW - days * DAY).toISOString();
const SCRIPT = '<script>window.broken = true</script><b>bold</b>';

const AURORA = madeUpModel(
  'models',
  {
    id: 'northlight/aurora',
    canonical_slug: 'northlight/aurora-20260901',
    name: 'Northlight: Aurora',
    description: `Made for long documents. ${SCRIPT}`,
    created: Date.parse('2026-09-01T00:00:00Z') / 1000,
    context_length: 131_072,
    architecture: {
      input_modalities: ['text', 'image'],
      output_modalities: ['text'],
      modality: 'text+image->text',
      instruct_type: null,
      tokenizer: 'BPE',
      moon: 'full',
    },
    pricing: {
      prompt: '0.00000015',
      completion: '0',
      image: '',
      request: '-1',
      web_search: '0.01',
      per_moon: '0.5',
      input_cache_read: null,
    },
    top_provider: { context_length: 65_536, is_moderated: true, max_completion_tokens: 8192 },
    supported_parameters: ['tools', 'temperature'],
    default_parameters: { temperature: 0.7 },
    supported_voices: ['alloy'],
    per_request_limits: null,
    expiration_date: new Date(NOW + 20 * DAY).toISOString().slice(0, 10),
    knowledge_cutoff: '2026-03-31',
    links: { details: '/api/v1/models/northlight/aurora/endpoints' },
    hugging_face_id: 'northlight/aurora',
    surprise: { a: 1 },
  },
  {
    histories: [
      {
        field: 'prompt',
        steps: [
          { at: daysAgo(30), value: '0.0000003' },
          { at: daysAgo(3), value: '0.00000015' },
        ],
      },
    ],
  },
);
const BOREAS = madeUpModel('models', {
  id: 'northlight/boreas',
  name: 'Northlight: Boreas',
  context_length: 131_072,
  architecture: { input_modalities: ['text'], output_modalities: ['text'], modality: 'text->text', tokenizer: 'BPE' },
  pricing: { prompt: '1.5e-7', completion: '0.000002' },
  supported_parameters: ['tools'],
});
const FREE = madeUpModel('models', {
  id: 'harbor/gull',
  name: 'Harbor: Gull',
  context_length: 8192,
  pricing: { prompt: '0' },
});
const UNKNOWN = madeUpModel('models', { id: 'harbor/reed', name: 'Harbor: Reed', context_length: 8192, pricing: {} });

const REFRESHES: ModelRefresh[] = [
  {
    id: 2,
    modelList: 'models',
    at: daysAgo(1),
    otherKey: true,
    changes: [
      {
        model: BOREAS.id,
        name: BOREAS.name,
        field: 'added',
        figures: { contextLength: BOREAS.contextLength, pricing: BOREAS.pricing },
      },
      { model: 'harbor/heron', name: 'Harbor: Heron', field: 'removed' },
    ],
  },
  {
    id: 1,
    modelList: 'models',
    at: daysAgo(3),
    otherKey: false,
    changes: [
      {
        model: AURORA.id,
        name: AURORA.name,
        field: 'price',
        price: 'prompt',
        before: '0.0000003',
        after: '0.00000015',
      },
      { model: AURORA.id, name: AURORA.name, field: 'context', before: 65_536, after: 131_072 },
      {
        model: AURORA.id,
        name: AURORA.name,
        field: 'parameters',
        before: ['tools', 'seed'],
        after: ['tools', 'temperature'],
      },
    ],
  },
];

let wire: MemoryWire;
let app: AppState;

// Queries are limited to the current view, because jsdom is slow to decide whether each element is visible.
beforeAll(() => configure({ defaultHidden: true }));
afterAll(() => configure({ defaultHidden: false }));

beforeEach(async () => {
  wire = new MemoryWire(
    Array.from({ length: 4 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true })),
    NOW,
  );
  wire.settings = { ...wire.settings, language: 'en' };
  wire.models.models = { models: [AURORA, BOREAS, FREE, UNKNOWN], embeddings: [] };
  wire.models.refreshes = REFRESHES;
  wire.models.news = { [AURORA.id]: [wire.rows[0]!] };
  wire.models.workloads = [
    { id: 1, name: 'Chat', tokensIn: 1_000_000, tokensOut: 0, tokensCached: 0, requestsAMonth: 10 },
  ];
  ({ app } = await openPage(wire));
  app.navigation.showView('models');
  await waitFor(() => expect(document.querySelector('#models-list')).not.toBeNull(), { timeout: 15_000 });
  await settle();
});

const shown = () => within(document.querySelector<HTMLElement>('.view:not(.away) ')!);
const text = (selector: string): string =>
  (document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();

async function openModel(id: string): Promise<void> {
  const { name } = wire.models.models.models.find((model) => model.id === id)!;
  app.views.models.openModel(id);
  await waitFor(() => expect(text('#model-title')).toBe(name), { timeout: 15_000 });
  await settle();
}

async function press(name: string | RegExp, role = 'button'): Promise<void> {
  await fireEvent.click(shown().getByRole(role, { name }));
  await settle();
}

/** The value of a field on the page. */
function factOf(name: string): string {
  const term = [...document.querySelectorAll('#models-reading dt')].find((dt) => dt.textContent.trim() === name);
  return (term?.nextElementSibling?.textContent ?? 'no such field').replace(/\s+/g, ' ').trim();
}

async function unfold(details: HTMLDetailsElement): Promise<void> {
  details.open = true;
  await fireEvent(details, new Event('toggle'));
}

describe('the page of a model', () => {
  // Holds: models-1-properties, models-2-canonical-slug, models-2-created, models-2-context-length, models-2-modality
  // Holds: models-2-instruct-type, models-2-tokenizer, models-2-supported-voices, models-2-default-parameters
  // Holds: models-2-knowledge-cutoff, models-2-per-request-limits, models-2-links-details, models-2-provider-context
  // Holds: models-2-provider-moderated, models-2-provider-max-completion
  it.each([
    ['Context', '131,072'],
    ['Context at the top provider', '65,536'],
    ['Max output', '8,192'],
    ['Modality', 'text+image->text'],
    ['Tokenizer', 'BPE'],
    ['Instruct type', 'not provided'],
    ['Moderated', 'yes'],
    ['Default parameters', 'temperature: 0.7'],
    ['Voices', 'alloy'],
    ['Limits per request', 'not provided'],
    ['Vendor', 'northlight'],
    ['Canonical slug', 'northlight/aurora-20260901'],
    ['Created', 'Sep 1, 2026'],
    ['Knowledge cutoff', 'Mar 31, 2026'],
    ['Hugging Face', 'northlight/aurora'],
    ['Details', '/api/v1/models/northlight/aurora/endpoints'],
  ])('shows %s: %s', async (name, value) => {
    await openModel(AURORA.id);
    expect(factOf(name)).toBe(value);
  });

  // Holds: models-2-pricing, models-2-price-prompt, models-2-price-completion, models-2-price-image
  // Holds: models-2-price-request
  it('shows each kind of price with its unit', async () => {
    await openModel(AURORA.id);
    const prices = text('[aria-labelledby="model-prices"]');
    expect(prices).toContain('Input $0.15 per million tokens');
    expect(prices).toContain('Output free');
    expect(prices).toContain('Cache read not provided');
    expect(prices).toContain('Image empty (invalid)');
    expect(prices).toContain('Request varies');
    expect(prices).toContain('Web search $0.01 per search');
    expect(prices).toContain('per_moon 0.5 (unit not specified)');
  });

  // Holds: models-2-description
  it('shows undocumented fields, and markup as plain text', async () => {
    await openModel(AURORA.id);
    const footer = text('#models-reading footer');
    expect(footer).toContain('surprise');
    expect(footer).toContain('architecture.moon full');
    expect(shown().getByText(/window.broken = true/)).toBeTruthy();
    expect('broken' in window).toBe(false);
  });

  // Holds: models-2-expiration-date
  it('warns of a near expiry', async () => {
    await openModel(AURORA.id);
    expect(shown().getByText(/^Expires \w+ \d+, 20\d\d\.$/)).toBeTruthy();
  });

  it('shows the cost of the workload', async () => {
    await openModel(BOREAS.id);
    expect(factOf('Monthly cost, Chat')).toBe('$1.50');
    await openModel(AURORA.id);
    expect(factOf('Monthly cost, Chat')).toBe('varies');
    await openModel(UNKNOWN.id);
    expect(factOf('Monthly cost, Chat')).toBe('unknown');
  });

  it('shows the prices of tiers, and the cost at the right one', async () => {
    const overrides = [
      { min_prompt_tokens: 32_000, prompt: '0.0000001', completion: '0.000004' },
      { utc_start: '16:30', utc_end: '00:30', prompt: '0.00000002' },
      { region: 'eu', prompt: '-1' },
    ];
    const pricing = { prompt: '0.00000005', completion: '0.000002', overrides };
    const tiered = madeUpModel('models', { id: 'harbor/tern', name: 'Harbor: Tern', pricing });
    wire.models.models.models.push(tiered);
    await openModel(tiered.id);
    const prices = text('[aria-labelledby="model-prices"]');
    expect(prices).toContain(
      'Input $0.05 per million tokens above 32,000 input tokens: $0.10 16:30 to 00:30 UTC: $0.02 region: eu: varies',
    );
    expect(prices).toContain('Output $2.00 per million tokens above 32,000 input tokens: $4.00');
    expect(prices).not.toContain('overrides');
    expect(factOf('Monthly cost, Chat')).toBe('$1.00');
    const notes = [...document.querySelectorAll('#models-reading .aside')].map((note) => note.textContent);
    expect(notes).toEqual([
      'Price tier: above 32,000 input tokens',
      '16:30 to 00:30 UTC: $0.20',
      'region: eu: unknown',
    ]);
  });

  it('leads from an alias to its model, if that is listed', async () => {
    const alias = (id: string, target: string) =>
      madeUpModel('models', { id, name: `Alias ${id}`, alias_target: { slug: target, name: target } });
    wire.models.models.models.push(alias('~northlight/latest', BOREAS.id), alias('~north/gone', 'north/gone-1'));
    await app.views.models.load();
    await openModel('~northlight/latest');
    expect(text('#models-reading .kicker')).toBe('northlight');
    expect(factOf('Vendor')).toBe('northlight');
    await press('Alias for Northlight: Boreas');
    await waitFor(() => expect(text('#model-title')).toBe(BOREAS.name));
    await openModel('~north/gone');
    expect(text('.alias')).toBe('Alias for north/gone-1');
    expect(shown().queryByRole('button', { name: /^Alias for/ })).toBeNull();
  });

  it('says that a placeholder is no expiry', async () => {
    const record = { id: 'harbor/knot', name: 'Harbor: Knot', expiration_date: '2098-12-31' };
    wire.models.models.models.push(madeUpModel('models', record, { expirationDate: null }));
    await openModel('harbor/knot');
    expect(factOf('Expiry')).toBe('none (placeholder: 2098-12-31)');
    expect(shown().queryByText(/^Expires/)).toBeNull();
  });

  it('draws the history of a price, with a table', async () => {
    await openModel(AURORA.id);
    const chart = shown().getByRole('img', { name: 'Input over time. First: $0.30. Now: $0.15.' });
    expect(chart.querySelectorAll('path.run')).toHaveLength(1);
    await unfold(chart.closest('figure')!.querySelector('details')!);
    const rows = within(shown().getByRole('table', { name: 'Input' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent.includes('$0.15'))).toEqual([false, true, false]);
  });

  it('lists its changes and no others', async () => {
    await openModel(AURORA.id);
    const changed = text('[aria-labelledby="model-changed"]');
    expect(changed).toContain('Input $0.30 $0.15 per million tokens down $0.15 (-50%)');
    expect(changed).toContain('Context 65,536 131,072 up 65,536 (+100%)');
    expect(changed).toMatch(/\+ added temperature.*− removed seed/);
    expect(changed).not.toContain('Boreas');
  });

  it('lists news as possible matches, and opens one in the feed', async () => {
    await openModel(AURORA.id);
    const news = within(shown().getByRole('region', { name: 'In the news' }));
    expect(news.getByText(/^Saved items that may mention this model/)).toBeTruthy();
    await fireEvent.click(news.getByRole('button'));
    await settle();
    expect(app.views.current).toBe('feed');
    expect(app.reading.item?.id).toBe(wire.rows[0]!.id);
  });

  // Holds: models-2-links-details
  it('opens its details at the gateway, and its page at Hugging Face', async () => {
    wire.status = { ...wire.status, gateway: wire.models.gateway.source };
    wire.emit('sync.changed', wire.status);
    await openModel(AURORA.id);
    await press('/api/v1/models/northlight/aurora/endpoints', 'link');
    await press('northlight/aurora', 'link');
    expect(wire.calls.filter(({ method }) => method === 'links.open').map(({ args }) => args)).toEqual([
      { url: 'http://127.0.0.1:4001/api/v1/models/northlight/aurora/endpoints' },
      { url: 'https://huggingface.co/northlight/aurora' },
    ]);
  });

  it('copies the id, the record and a page of Markdown', async () => {
    const copied: string[] = [];
    const clipboard = { writeText: async (text: string) => void copied.push(text) };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    await openModel(AURORA.id);
    await press('Copy ID');
    await press('Share');
    await press('Copy as JSON', 'menuitem');
    await press('Share');
    await press('Copy as Markdown', 'menuitem');
    Reflect.deleteProperty(navigator, 'clipboard');
    expect(copied[0]).toBe(AURORA.id);
    expect(JSON.parse(copied[1]!)).toEqual(AURORA.record);
    expect(copied[2]).toMatch(/^# Northlight: Aurora/);
  });

  it('adds it to the favourites, and removes it again if that could not be saved', async () => {
    await openModel(AURORA.id);
    const page = within(document.querySelector<HTMLElement>('#models-reading')!);
    const star = () => page.getByRole('button', { name: 'Favourite' });
    await fireEvent.click(star());
    await settle();
    expect(star().getAttribute('aria-pressed')).toBe('true');
    wire.failing.set('models.favourite', { code: 'disk_full', message: 'full', retryable: true });
    await fireEvent.click(star());
    await settle();
    expect(star().getAttribute('aria-pressed')).toBe('true');
    expect(app.toasts.note?.text).toContain('The disk is full');
  });

  it('says that a removed model is no longer listed', async () => {
    app.views.models.openModel('harbor/heron');
    await waitFor(() => shown().getByText('No longer listed'), { timeout: 15_000 });
  });
});

describe('the aliases of a model', () => {
  const names = () => wire.models.models.models.find(({ id }) => id === AURORA.id)!.aliases;

  async function add(name: string): Promise<void> {
    await fireEvent.input(shown().getByRole('textbox', { name: 'New name' }), { target: { value: name } });
    await press('Add');
  }

  it('are added and removed', async () => {
    await openModel(AURORA.id);
    await add(' 极光 ');
    await add('Aurora One');
    expect(names()).toEqual(['极光', 'Aurora One']);
    await press('Remove “极光”');
    expect(names()).toEqual(['Aurora One']);
  });

  it('are refused with a reason', async () => {
    await openModel(AURORA.id);
    const alert = () => text('#models-reading [role="alert"]');
    await add('x');
    expect(alert()).toBe('Use 2 to 80 characters.');
    await add('Aurora One');
    await add('aurora one');
    expect(alert()).toBe('This name is already in the list.');
    wire.failing.set('models.setAliases', { code: 'invalid_argument', message: 'taken', retryable: false });
    await add('Boreas');
    expect(alert()).toBe('Another model already uses this name.');
    expect(names()).toEqual(['Aurora One']);
  });
});

describe('the comparison', () => {
  async function compare(...ids: string[]): Promise<void> {
    for (const id of ids) app.views.models.choose(id);
    app.views.models.compare();
    await waitFor(() => shown().getByRole('table', { name: 'Model comparison' }), { timeout: 15_000 });
    await settle();
  }
  const table = () => within(shown().getByRole('table', { name: 'Model comparison' }));
  const rowOf = (name: string) =>
    table()
      .getByRole('rowheader', { name: new RegExp(`^${name}`) })
      .closest('tr')!;

  it('says of each row whether it differs', async () => {
    await compare(AURORA.id, BOREAS.id);
    expect(rowOf('Output price').textContent).toContain('different');
    // 0.00000015 and 1.5e-7 are the same price.
    expect(rowOf('Input price').textContent).not.toContain('different');
    expect(rowOf('Context').textContent).not.toContain('different');
    expect(rowOf('Supported parameters').querySelectorAll('.own')).toHaveLength(1);
    expect(rowOf('Monthly cost, Chat').textContent).toMatch(/varies\s*\$1\.50/);
  });

  it('can hide equal rows', async () => {
    await compare(AURORA.id, BOREAS.id);
    const all = table().getAllByRole('row').length;
    await press('Only differences', 'switch');
    expect(table().getAllByRole('row').length).toBeLessThan(all);
    expect(table().queryByRole('rowheader', { name: /^Tokenizer/ })).toBeNull();
  });

  it('removes a model, and closes when only one is left', async () => {
    await compare(AURORA.id, BOREAS.id, FREE.id);
    await press('Remove Harbor: Gull from comparison');
    expect(table().getAllByRole('columnheader')).toHaveLength(3);
    await press('Remove Northlight: Boreas from comparison');
    expect(app.views.models.comparing).toBe(false);
  });

  it('opens the page of a model', async () => {
    await compare(AURORA.id, BOREAS.id);
    await fireEvent.click(table().getByRole('button', { name: BOREAS.name }));
    expect(app.views.models.open?.id).toBe(BOREAS.id);
  });
});

describe('the chart of prices', () => {
  const chart = () => shown().getByRole('listbox', { name: /^2 models by context/ });
  const said = () => within(chart()).getByRole('option').textContent.trim();

  beforeEach(async () => {
    app.views.models.panel = 'chart';
    await waitFor(chart, { timeout: 15_000 });
  });

  it('moves through the models by keyboard, names each, and opens one', async () => {
    expect(said()).toBe('Northlight: Aurora: 131,072 tokens, $0.15');
    await fireEvent.keyDown(chart(), { key: 'ArrowRight' });
    expect(said()).toMatch(/^Northlight: Boreas/);
    await fireEvent.keyDown(chart(), { key: 'ArrowRight' });
    expect(said()).toMatch(/^Northlight: Boreas/);
    await fireEvent.keyDown(chart(), { key: 'Home' });
    expect(chart().getAttribute('aria-activedescendant')).toBe(within(chart()).getByRole('option').id);
    await fireEvent.keyDown(chart(), { key: 'Enter' });
    expect(app.views.models.open?.id).toBe(AURORA.id);
  });

  it('lists models without a point apart', async () => {
    for (const [summary, name] of [
      ['1 free model isn’t shown on the logarithmic axis', 'Harbor: Gull'],
      ['1 model without a price or context', 'Harbor: Reed'],
    ] as const) {
      const details = shown().getByText(summary).closest('details')!;
      await unfold(details);
      expect(within(details).getByRole('button', { name })).toBeTruthy();
    }
  });

  it('has a table of its points', async () => {
    const details = shown().getByText('Show as table (2 models)').closest('details')!;
    await unfold(details);
    const rows = within(within(details).getByRole('table')).getAllByRole('row');
    expect(rows[1]?.textContent.replace(/\s+/g, ' ')).toMatch(/Northlight: Aurora.*northlight.*131,072.*\$0\.15/);
  });
});

describe('the change log', () => {
  const articles = () => shown().getAllByRole('article');
  const flat = (element: Element | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ');

  beforeEach(async () => {
    app.views.models.panel = 'changes';
    await waitFor(articles, { timeout: 15_000 });
    await settle();
  });

  it('has one entry for each refresh, newest first, grouped by kind', () => {
    expect(articles()).toHaveLength(2);
    expect(flat(articles()[0])).toMatch(
      /2 changes.*Different key.*Added \(1\).*Boreas.*131,072 tokens.*Removed \(1\).*Heron/,
    );
    expect(flat(articles()[1])).toMatch(/Price \(1\).*Aurora.*Input.*\$0\.30.*\$0\.15.*down \$0\.15 \(-50%\)/);
  });

  it('is filtered by kind and by text', async () => {
    await fireEvent.change(shown().getByRole('combobox', { name: 'Type of change' }), { target: { value: 'context' } });
    expect(articles()).toHaveLength(1);
    expect(flat(articles()[0])).toContain('up 65,536 (+100%)');
    await fireEvent.input(shown().getByRole('searchbox', { name: 'Filter by model' }), { target: { value: 'heron' } });
    expect(shown().queryAllByRole('article')).toHaveLength(0);
    expect(shown().getByText('No matching changes')).toBeTruthy();
  });

  it('opens a model', async () => {
    await fireEvent.click(within(articles()[1]!).getAllByRole('button', { name: AURORA.name })[0]!);
    expect(app.views.models.open).toEqual({ modelList: 'models', id: AURORA.id });
  });

  it('updates itself, and says if it is empty', async () => {
    wire.models.refreshes = [];
    wire.emit('models.changed', { modelLists: ['models'] });
    await settle();
    expect(shown().getByText('No changes yet')).toBeTruthy();
  });
});

it('has a name for every control of the page', async () => {
  await openModel(AURORA.id);
  const nameless = screen
    .getAllByRole('button')
    .filter((button) => !button.textContent.trim() && !button.getAttribute('aria-label'));
  expect(nameless).toEqual([]);
});

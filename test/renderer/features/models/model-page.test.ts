import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import {
  AURORA,
  BOREAS,
  factOf,
  modelScene,
  openModel,
  press,
  showAllFields,
  text,
  unfold,
  UNKNOWN,
} from '../../support/model-scene.ts';
import { MODEL_FIELDS } from '../../../../src-main/render/model-fields.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { shown } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

const scene = modelScene();

const sectionText = (name: string): string =>
  shown().getByRole('region', { name }).textContent.replace(/\s+/g, ' ').trim();

/** Lets the gateway list more models. */
async function list(...records: Parameters<typeof scene.wire.addModel>[0][]): Promise<void> {
  for (const record of records) scene.wire.addModel(record);
  await scene.wire.sync(['models']);
  await settle();
}

describe('the page of a model', () => {
  // Holds: models-1-properties, models-2-canonical-slug, models-2-created, models-2-context-length, models-2-modality
  // Holds: models-2-instruct-type, models-2-tokenizer, models-2-supported-voices, models-2-default-parameters
  // Holds: models-2-knowledge-cutoff, models-2-per-request-limits, models-2-links-details, models-2-provider-context
  // Holds: models-2-provider-moderated, models-2-provider-max-completion
  // Holds: models-2-pricing, models-2-price-prompt, models-2-price-completion, models-2-price-image
  // Holds: models-2-price-request, models-2-description, models-2-expiration-date
  it('shows each field, price and change of its record, has a place for every field, and shows markup as text', async () => {
    await openModel(scene, AURORA.id);
    await showAllFields();
    const facts = {
      Context: '131,072 tokens',
      'Context at the top provider': '65,536 tokens',
      'Max output': '8,192 tokens',
      Modality: 'text+image->text',
      Tokenizer: 'BPE',
      'Instruct type': '—',
      Moderated: 'Yes',
      'Default parameters': 'temperature: 0.7',
      Voices: 'alloy, echo',
      'Limits per request': '—',
      Vendor: 'Northlight',
      ID: 'northlight/aurora',
      'Canonical slug': 'northlight/aurora-20260901',
      Created: 'Sep 1, 2026',
      'Knowledge cutoff': 'Mar 31, 2026',
      'Hugging Face': 'northlight/aurora',
      Details: '/api/v1/models/northlight/aurora/endpoints',
    };
    expect(Object.fromEntries(Object.keys(facts).map((name) => [name, factOf(name)]))).toEqual(facts);
    const missing = Object.entries(MODEL_FIELDS).filter(([, { label }]) => factOf(label()) === 'no such field');
    // The first two are in the title, and the last has a longer name.
    expect(missing.map(([id]) => id)).toEqual(['name', 'aliasTarget', 'firstSeen']);
    const fields = text('#models-reading .all');
    expect(fields).toContain('surprise');
    expect(fields).toContain('architecture.moon full');
    const prices = sectionText('Prices');
    expect(prices).toContain('Prices USD per million tokens Input $0.15');
    expect(prices).toContain('Output Free');
    expect(prices).toContain('Cache read —');
    expect(prices).toContain('Request (USD per request) Varies');
    expect(prices).toContain('Web search (USD per search) $0.01');
    const others = sectionText('Other prices');
    expect(others).toContain('Image (USD) no valid price');
    expect(others).toContain('per_moon (unit unknown) 0.5');
    const figures = [...document.querySelectorAll('#models-reading .figures > div')];
    expect(figures.map((figure) => figure.textContent.replace(/\s+/g, ' ').trim())).toEqual([
      ...['Input $0.15', 'Output Free', 'Context 131K', 'Max output 8.2K'],
    ]);
    expect(text('#models-reading .meta')).toBe('Northlight since Sep 1, 2026');
    expect(shown().getByText(/^Expires/).textContent).toMatch(/^Expires \w+ \d+, 20\d\d\.$/);
    expect(shown().getByText(/window.broken = true/).textContent).toContain(AURORA.description);
    expect('broken' in window).toBe(false);
    const nameless = screen
      .getAllByRole('button')
      .filter((button) => !button.textContent.trim() && !button.getAttribute('aria-label'));
    expect(nameless).toEqual([]);

    const chart = shown().getByRole('img', { name: 'Input over time. First: $0.30. Now: $0.15.' });
    expect(chart.querySelectorAll('path.run')).toHaveLength(1);
    await unfold(chart.closest('figure')!.querySelector('details')!);
    const rows = within(shown().getByRole('table', { name: 'Input' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent.includes('$0.15'))).toEqual([false, true, false]);
    const changed = sectionText('Changes');
    expect(changed).toContain('Input $0.30 $0.15 -50%');
    expect(changed).toContain('Context 65,536 131,072 tokens +100%');
    expect(changed).toMatch(/\+ added temperature.*− removed seed/);
    expect(changed).not.toContain('Boreas');
  });

  const estimate = (): string => text('#models-reading output');

  it('estimates the cost of the workload, also while it is typed in, and saves nothing until asked to', async () => {
    await openModel(scene, BOREAS.id);
    expect(estimate()).toBe('$1.50 a month');
    await openModel(scene, AURORA.id);
    expect(estimate()).toBe('Varies The price of this model varies.');
    await openModel(scene, UNKNOWN.id);
    expect(estimate()).toBe('— A price needed for this estimate isn’t available.');
    const type = (name: string, value: string) =>
      fireEvent.input(shown().getByRole('textbox', { name }), { target: { value } });
    await openModel(scene, BOREAS.id);
    await type('Requests per month', '1,000');
    expect(estimate()).toBe('$150.00 a month');
    await type('Cached input tokens', '2000000');
    expect(estimate()).toMatch(/^Cached tokens can’t exceed/);
    await type('Cached input tokens', '0');
    expect(scene.wire.argsOf('workloads.save')).toEqual([]);
    await press('I use this model');
    expect(scene.wire.argsOf('workloads.save').at(-1)?.workload).toMatchObject({ name: 'Chat', requestsAMonth: 1_000 });
    expect(scene.wire.argsOf('models.favourite')).toEqual([{ id: BOREAS.id, favourite: true }]);
    expect(shown().queryByRole('button', { name: 'I use this model' })).toBeNull();
  });

  it('says what the workload cost before the latest change of a price, unless another key may be its cause', async () => {
    const cheaper = { ...BOREAS, pricing: { ...BOREAS.pricing, prompt: '0.0000001' } };
    scene.wire.service.editModel('models', BOREAS.id, cheaper);
    await list();
    await openModel(scene, BOREAS.id);
    expect(estimate()).toBe('$1.00 a month');
    scene.wire.answer('models.changes', (args) => scene.wire.ask('models.changes', args));
    scene.wire.emit('models.changed', { modelLists: ['models'] });
    await settle();
    expect(estimate()).toMatch(/^\$1\.00 a month, instead of \$1\.50 until .+$/);
  });

  it('shows the prices of tiers, and the cost at the right one', async () => {
    const overrides = [
      { min_prompt_tokens: 32_000, prompt: '0.0000001', completion: '0.000004' },
      { utc_start: '16:30', utc_end: '00:30', prompt: '0.00000002' },
      { region: 'eu', prompt: '-1' },
    ];
    const pricing = { prompt: '0.00000005', completion: '0.000002', overrides };
    await list({ id: 'harbor/tern', name: 'Harbor: Tern', pricing });
    await openModel(scene, 'harbor/tern');
    const prices = sectionText('Prices');
    expect(prices).toMatch(
      /Input \$0\.05 above 32,000 input tokens: \$0\.10\s?16:30 to 00:30 UTC: \$0\.02\s?region: eu: Varies/,
    );
    expect(prices).toContain('Output $2.00 above 32,000 input tokens: $4.00');
    expect(prices).not.toContain('overrides');
    expect(estimate()).toBe('$1.00 a month');
    const notes = [...document.querySelectorAll('#models-reading output ~ p.foreign')].map((note) => note.textContent);
    expect(notes).toEqual(['Price tier: above 32,000 input tokens', '16:30 to 00:30 UTC: $0.20', 'region: eu: —']);
  });

  it('leads from an alias to its model, if that is listed, and says that a placeholder is no expiry, and which model was removed', async () => {
    const alias = (id: string, target: string) => ({
      ...{ id, name: `Alias ${id}`, alias_target: { slug: target, name: target } },
    });
    await list(alias('~northlight/latest', BOREAS.id), alias('~north/gone', 'north/gone-1'));
    await openModel(scene, '~northlight/latest');
    expect(text('#models-reading .meta bdi')).toBe('northlight');
    await showAllFields();
    expect(factOf('Vendor')).toBe('northlight');
    await press('Alias for Northlight: Boreas');
    await waitFor(() => expect(text('#model-title')).toBe('Boreas'));
    await openModel(scene, '~north/gone');
    expect(shown().getByText('Alias for north/gone-1').tagName).toBe('P');
    expect(shown().queryByRole('button', { name: /^Alias for/ })).toBeNull();
    await list({ id: 'harbor/knot', name: 'Harbor: Knot', expiration_date: '2098-12-31' });
    await openModel(scene, 'harbor/knot');
    await showAllFields();
    expect(factOf('Expiry')).toBe('None (placeholder: 2098-12-31)');
    expect(shown().queryByText(/^Expires/)).toBeNull();
    scene.app.views.models.openModel('harbor/heron');
    await waitFor(() => shown().getByText('No longer listed'));
  });

  // Holds: models-2-links-details
  it('opens its details, is copied in three forms, marked as in use, and leads to news that may mention it', async () => {
    await openModel(scene, AURORA.id);
    await showAllFields();
    await press('/api/v1/models/northlight/aurora/endpoints', 'link');
    await press('northlight/aurora', 'link');
    expect(scene.wire.argsOf('links.open')).toEqual([
      { url: `${scene.wire.app.service.modelsAddress}/api/v1/models/northlight/aurora/endpoints` },
      { url: 'https://huggingface.co/northlight/aurora' },
    ]);
    const copied: string[] = [];
    const clipboard = { writeText: async (text: string) => void copied.push(text) };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    await press('More actions for this model');
    await press('Copy ID', 'menuitem');
    await press('Share');
    await press('Copy as JSON', 'menuitem');
    await press('Share');
    await press('Copy as Markdown', 'menuitem');
    Reflect.deleteProperty(navigator, 'clipboard');
    expect(copied[0]).toBe(AURORA.id);
    expect(JSON.parse(copied[1]!)).toEqual(AURORA);
    expect(copied[2]).toMatch(/^# Northlight: Aurora/);
    const page = within(document.querySelector<HTMLElement>('#models-reading')!);
    const star = () => page.getByRole('button', { name: 'In use' });
    await clickOn(star());
    expect(star().getAttribute('aria-pressed')).toBe('true');
    scene.wire.failing.set('models.favourite', { code: 'disk_full', message: 'full', retryable: true });
    await clickOn(star());
    expect(star().getAttribute('aria-pressed')).toBe('true');
    expect(scene.app.toasts.note?.text).toContain('The disk is full');
    const news = within(shown().getByRole('region', { name: 'In the news' }));
    expect(news.getAllByText(/^Saved items that may mention this model/)).toHaveLength(1);
    await clickOn(news.getByRole('button'));
    expect(scene.app.views.current).toBe('feed');
    expect(scene.app.reading.item?.id).toBe(scene.wire.rows[0]!.id);
  });
});

describe('the aliases of a model', () => {
  const names = async (): Promise<string[]> =>
    (await scene.wire.ask('models.get', { modelList: 'models', id: AURORA.id })).aliases;

  async function add(name: string): Promise<void> {
    await fireEvent.input(shown().getByRole('textbox', { name: 'New name' }), { target: { value: name } });
    await press('Add');
  }

  it('are added and removed, or refused with a reason', async () => {
    await openModel(scene, AURORA.id);
    await add(' 极光 ');
    await add('Aurora One');
    expect(await names()).toEqual(['极光', 'Aurora One']);
    await press('Remove “极光”');
    expect(await names()).toEqual(['Aurora One']);
    const alert = () => text('#models-reading [role="alert"]');
    await add('x');
    expect(alert()).toBe('Use 2 to 80 characters.');
    await add('aurora one');
    expect(alert()).toBe('This name is already in the list.');
    await scene.wire.ask('models.setAliases', { id: BOREAS.id, aliases: ['Northern wind'] });
    await add('Northern wind');
    expect(alert()).toBe('Another model already uses this name.');
    expect(await names()).toEqual(['Aurora One']);
  });
});

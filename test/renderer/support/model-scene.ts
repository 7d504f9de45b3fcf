import { fireEvent } from '@testing-library/svelte';
import { beforeEach, expect } from 'vitest';
import { nameWithoutVendor } from '../../../src-main/common/model-line.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from './core.ts';
import { madeUpRow } from './made-up-items.ts';
import { openPage } from './page.ts';
import { settle } from './settle.ts';
import { askShownView, shown } from './shown-view.ts';
import { waitFor } from './wait.ts';

const DAY = 86_400_000;
const SCRIPT = '<script>window.broken = true</script><b>bold</b>';

export const AURORA = {
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
  supported_voices: ['alloy', 'echo'],
  per_request_limits: null,
  expiration_date: new Date(NOW + 20 * DAY).toISOString().slice(0, 10),
  knowledge_cutoff: '2026-03-31',
  links: { details: '/api/v1/models/northlight/aurora/endpoints' },
  hugging_face_id: 'northlight/aurora',
  surprise: { a: 1 },
};
export const BOREAS = {
  id: 'northlight/boreas',
  name: 'Northlight: Boreas',
  context_length: 131_072,
  architecture: { input_modalities: ['text'], output_modalities: ['text'], modality: 'text->text', tokenizer: 'BPE' },
  pricing: { prompt: '1.5e-7', completion: '0.000002', discount: '0' },
  supported_parameters: ['tools'],
};
export const FREE = {
  id: 'harbor/gull',
  name: 'Harbor: Gull',
  context_length: 8192,
  pricing: { prompt: '0' },
};
export const UNKNOWN = {
  id: 'harbor/reed',
  name: 'Harbor: Reed',
  context_length: 8192,
  pricing: {},
};

const HERON = { id: 'harbor/heron', name: 'Harbor: Heron', pricing: {} };

/** Fields of Aurora at the first sync. */
const EARLIER = {
  context_length: 65_536,
  pricing: { ...AURORA.pricing, prompt: '0.0000003' },
  supported_parameters: ['tools', 'seed'],
};

export interface ModelScene {
  wire: CoreWire;
  app: AppState;
}

/** Opens the catalogue with four models before each test. What it returns has the wire and the app of the present one. */
export function modelScene(): ModelScene {
  const scene = {} as ModelScene;

  askShownView();

  beforeEach(async () => {
    const items = Array.from({ length: 4 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true }));
    items[0] = { ...items[0]!, title: `${AURORA.name} is out` };
    const catalogue = [{ ...AURORA, ...EARLIER }, FREE, UNKNOWN, HERON];
    const wire = await openCore({ items, catalogue });
    wire.pass(2 * DAY);
    wire.service.editModel('models', AURORA.id, AURORA);
    await wire.sync(['models']);
    wire.pass(2 * DAY);
    wire.service.removeModel('models', HERON.id);
    wire.addModel(BOREAS);
    await wire.sync(['models']);
    // The gateway lists other models for another key.
    wire.answer('models.changes', async (args) => {
      const { refreshes } = await wire.ask('models.changes', args);
      return { refreshes: refreshes.map((refresh, index) => ({ ...refresh, otherKey: index === 0 })) };
    });
    await wire.ask('workloads.save', {
      workload: { name: 'Chat', tokensIn: 1_000_000, tokensOut: 0, tokensCached: 0, requestsAMonth: 10 },
    });
    const { app } = await openPage(wire, { withoutRows: true });
    app.navigation.showView('models');
    await waitFor(() => expect(document.querySelector('#models-list')).not.toBeNull());
    await settle();
    Object.assign(scene, { wire, app });
  });
  return scene;
}

export const text = (selector: string): string =>
  (document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();

export async function openModel({ wire, app }: ModelScene, id: string): Promise<void> {
  const { name } = await wire.ask('models.get', { modelList: 'models', id });
  app.views.models.openModel(id);
  await waitFor(() => expect(text('#model-title')).toBe(nameWithoutVendor(name)));
  await settle();
}

export async function press(name: string | RegExp, role = 'button'): Promise<void> {
  await fireEvent.click(shown().getByRole(role, { name }));
  await settle();
}

/** Opens the fields that are behind a disclosure. */
export async function showAllFields(): Promise<void> {
  await unfold(shown().getByText('All fields').closest('details')!);
  await settle();
}

/** The value of a field on the page. */
export function factOf(name: string): string {
  const term = [...document.querySelectorAll('#models-reading dt')].findLast((dt) => dt.textContent.trim() === name);
  return (term?.nextElementSibling?.textContent ?? 'no such field').replace(/\s+/g, ' ').trim();
}

export async function unfold(details: HTMLDetailsElement): Promise<void> {
  details.open = true;
  await fireEvent(details, new Event('toggle'));
}

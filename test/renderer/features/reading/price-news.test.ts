import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

const DAY = 86_400_000;
const PETRICHOR = {
  id: 'copperleaf/petrichor-8b',
  name: 'Copperleaf: Petrichor 8B',
  pricing: { prompt: '0.00000025', completion: '0.00000048' },
};
const CUT = { ...PETRICHOR, pricing: { ...PETRICHOR.pricing, prompt: '0.00000012' } };
const WORKLOAD = { name: 'Chat', tokensIn: 16_000, tokensOut: 2_500, tokensCached: 0, requestsAMonth: 10_000 };

/** Opens news after the gateway has changed a price, `after` so many days. */
async function openNews(after = 0): Promise<{ wire: CoreWire; app: AppState }> {
  const wire = await openCore({ items: [madeUpRow(1, NOW, { inSelectedSet: true })], catalogue: [PETRICHOR] });
  wire.service.editModel('models', PETRICHOR.id, CUT);
  await wire.sync(['models']);
  wire.pass(after * DAY);
  const published = { inSelectedSet: true, publishedAt: new Date(NOW + after * DAY).toISOString(), summary: null };
  await wire.arrive([
    madeUpRow(0, NOW, { ...published, title: 'Copperleaf cuts the price of Petrichor 8B' }),
    madeUpRow(2, NOW, { ...published, title: 'Petrichor 8B can be interrupted' }),
  ]);
  await wire.ask('models.favourite', { id: PETRICHOR.id, favourite: true });
  await wire.ask('workloads.save', { workload: WORKLOAD });
  const { app } = await openPage(wire);
  await open(app, 'item-0');
  return { wire, app };
}

async function open(app: AppState, id: string): Promise<void> {
  app.navigation.open({ view: 'item', id });
  await settle();
  expect(document.querySelector('#article-title')?.textContent).toContain('Petrichor 8B');
}

const meaning = (): HTMLElement | null => screen.queryByRole('note', { name: 'What it means for you' });
const said = (): string => (meaning()?.querySelector('p')?.textContent ?? 'nothing').replace(/\s+/g, ' ').trim();

describe('news about the price of a model in use', () => {
  it('says what it means for the workload, which can be changed there, and is asked for', async () => {
    const { wire, app } = await openNews();
    expect(said()).toBe('For your 10,000 requests on Petrichor 8B: $31.20 a month instead of $52.00.');
    await fireEvent.click(within(meaning()!).getByRole('button', { name: 'Change workload' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Cost estimate' }));
    await fireEvent.input(dialog.getByRole('textbox', { name: 'Requests per month' }), { target: { value: '1000' } });
    await clickOn(dialog.getByRole('button', { name: 'Save' }));
    expect(said()).toBe('For your 1,000 requests on Petrichor 8B: $3.12 a month instead of $5.20.');

    const [workload] = (await wire.ask('workloads.list', {})).workloads;
    await wire.ask('workloads.remove', { id: workload!.id! });
    await settle();
    expect(said()).toBe('nothing');
    expect(within(meaning()!).queryAllByRole('button', { name: 'Estimate my cost' })).toHaveLength(1);

    // Nothing is said of other news, and of a model that the reader does not use.
    await open(app, 'item-2');
    expect(meaning()).toBeNull();
    await open(app, 'item-0');
    await wire.ask('models.favourite', { id: PETRICHOR.id, favourite: false });
    await settle();
    expect(meaning()).toBeNull();
  });

  it('says only what it costs today if no price changed near it', async () => {
    await openNews(30);
    expect(said()).toBe('For your 10,000 requests on Petrichor 8B: $31.20 a month at today’s price.');
  });
});

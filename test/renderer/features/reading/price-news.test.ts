import { fireEvent, screen, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openPage } from '../../support/page.ts';
import { settle } from '../../support/settle.ts';

const DAY = 86_400_000;
const PETRICHOR = {
  id: 'copperleaf/petrichor-8b',
  name: 'Copperleaf: Petrichor 8B',
  pricing: { prompt: '0.00000025', completion: '0.00000048' },
};
const CUT = { ...PETRICHOR, pricing: { ...PETRICHOR.pricing, prompt: '0.00000012' } };
const WORKLOAD = { name: 'Chat', tokensIn: 16_000, tokensOut: 2_500, tokensCached: 0, requestsAMonth: 10_000 };

interface Scene {
  title?: string;
  isUsed?: boolean;
  hasWorkload?: boolean;
  /** Days from the change of the price to the news. */
  after?: number;
}

/** Opens news after the gateway has changed a price. */
async function openNews({
  title = 'Copperleaf cuts the price of Petrichor 8B',
  isUsed = true,
  hasWorkload = true,
  after = 0,
}: Scene = {}): Promise<CoreWire> {
  const wire = await openCore({ items: [madeUpRow(1, NOW, { inSelectedSet: true })], catalogue: [PETRICHOR] });
  wire.service.editModel('models', PETRICHOR.id, CUT);
  await wire.sync(['models']);
  wire.pass(after * DAY);
  const published = new Date(NOW + after * DAY).toISOString();
  await wire.arrive([madeUpRow(0, NOW, { inSelectedSet: true, title, publishedAt: published, summary: null })]);
  if (isUsed) await wire.ask('models.favourite', { id: PETRICHOR.id, favourite: true });
  if (hasWorkload) await wire.ask('workloads.save', { workload: WORKLOAD });
  const { app } = await openPage(wire);
  app.navigation.open({ view: 'item', id: 'item-0' });
  await settle();
  return wire;
}

const meaning = (): HTMLElement | null => screen.queryByRole('note', { name: 'What it means for you' });
const said = (): string => (meaning()?.querySelector('p')?.textContent ?? 'nothing').replace(/\s+/g, ' ').trim();

describe('news about the price of a model in use', () => {
  it('says what it means for the workload, which can be changed there', async () => {
    await openNews();
    expect(said()).toBe('For your 10,000 requests on Petrichor 8B: $31.20 a month instead of $52.00.');
    await fireEvent.click(within(meaning()!).getByRole('button', { name: 'Change workload' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Cost estimate' }));
    await fireEvent.input(dialog.getByRole('textbox', { name: 'Requests per month' }), { target: { value: '1000' } });
    await fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await settle();
    expect(said()).toBe('For your 1,000 requests on Petrichor 8B: $3.12 a month instead of $5.20.');
  });

  it('says only what it costs today if no price changed near it', async () => {
    await openNews({ after: 30 });
    expect(said()).toBe('For your 10,000 requests on Petrichor 8B: $31.20 a month at today’s price.');
  });

  it('asks for a workload if there is none', async () => {
    await openNews({ hasWorkload: false });
    expect(said()).toBe('nothing');
    expect(within(meaning()!).queryAllByRole('button', { name: 'Estimate my cost' })).toHaveLength(1);
  });

  it.each<[string, Scene]>([
    ['is not about prices', { title: 'Petrichor 8B can be interrupted' }],
    ['is about a model that the reader does not use', { isUsed: false }],
  ])('has no such remark if it %s', async (_, scene) => {
    await openNews(scene);
    expect(document.querySelector('#article-title')?.textContent).toContain('Petrichor 8B');
    expect(meaning()).toBeNull();
  });
});

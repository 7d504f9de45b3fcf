import { screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MentionedModel } from '../../../../src-main/contract/model/model.ts';
import { mentionFacts } from '../../../../src-renderer/features/reading/mention-facts.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';

const named = (name: string, changes: Partial<MentionedModel> = {}): MentionedModel => ({
  modelList: 'models',
  id: `northlight/${name.toLowerCase()}`,
  name,
  contextLength: 131_072,
  pricing: { prompt: '0.00000015', completion: '0.0000006' },
  ...changes,
});

const MENTIONED: Record<string, MentionedModel[]> = {
  'item-0': [named('Aurora'), named('Aurora Small'), named('<img src=x>')],
  'item-1': [named('Northlight: Borealis', { modelList: 'embeddings' })],
};

let wire: CoreWire;
let app: AppState;

async function open(): Promise<void> {
  wire = await openCore({ items: [0, 1, 3].map((n) => madeUpRow(n, NOW, { inSelectedSet: true })) });
  const mentioning = <Row extends { id: string }>(row: Row) => ({ ...row, models: MENTIONED[row.id] ?? [] });
  wire.answer('items.page', async (args) => {
    const page = await wire.ask('items.page', args);
    return { ...page, rows: page.rows.map(mentioning) };
  });
  wire.answer('items.rows', async (args) => {
    const { rows } = await wire.ask('items.rows', args);
    return { rows: rows.map((row) => row && mentioning(row)) };
  });
  wire.answer('items.get', async (args) => mentioning(await wire.ask('items.get', args)));
  ({ app } = await openPage(wire));
}

describe('a model that an item seems to mention', () => {
  beforeEach(open);

  const lines = (): HTMLElement => screen.getByRole('list', { name: 'Models in this item' });

  it('has a line with its prices, called a possible match by its name and its tooltip, and leads to its page', async () => {
    app.actions.step(1);
    await settle();
    const [first] = within(lines()).getAllByRole('button');
    expect(first!.textContent.replace(/\s+/g, ' ').trim()).toBe('Possible match: Aurora · $0.15 in · $0.60 out');
    expect(first!.title).toBe('Matched by words in the text. It may be a different model.');
    expect(lines().querySelector('img')).toBeNull();
    expect(lines().parentElement?.textContent).toContain('USD per million tokens');
    await clickOn(within(lines()).getAllByRole('button')[1]!);
    expect(app.views.current).toBe('models');
    expect(app.views.models.open).toMatchObject({ modelList: 'models', id: 'northlight/aurora small' });
  });

  it('is in the row with the number of the others, and is not a tab stop', () => {
    const [first, second, third] = within(screen.getByRole('listbox')).getAllByRole('option');
    expect(first!.getAttribute('aria-description')).toContain('May mention Aurora and 2 more models');
    expect(second!.getAttribute('aria-description')).toContain('May mention Borealis');
    expect(third!.getAttribute('aria-description')).not.toContain('May mention');
    expect(first!.querySelectorAll('button, a, [tabindex]')).toHaveLength(0);
  });
});

describe('the prices in a line', () => {
  const facts = (changes: Partial<MentionedModel>): string[] => mentionFacts(named('Aurora', changes), 'en');

  it.each<[string, MentionedModel['pricing'], string[]]>([
    ['of what is free', { prompt: '0', completion: '0' }, ['Free']],
    ['of no price', {}, ['No price available']],
    ['of one below zero', { prompt: '-2', completion: '1e-7' }, ['— in', '$0.10 out']],
    ['of one that varies', { prompt: '-1', completion: '1e-7' }, ['Input varies', '$0.10 out']],
    ['of what varies', { prompt: '-1', completion: '-1' }, ['Price varies']],
  ])('%s', (_name, pricing, said) => {
    expect(facts({ pricing })).toEqual(said);
  });
});

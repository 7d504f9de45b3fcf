import { fireEvent, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { AURORA, modelScene, press, unfold, BOREAS } from '../../support/model-scene.ts';
import { settle } from '../../support/settle.ts';
import { headings, shown } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

const scene = modelScene();

describe('the change log', () => {
  const articles = () => shown().getAllByRole('article');
  const flat = (element: Element | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ');

  beforeEach(async () => {
    scene.app.views.models.panel = 'changes';
    await waitFor(articles);
    await settle();
  });

  it('has one entry for each day and key, newest first, grouped by kind, opens a model, is filtered, and says when it is empty', async () => {
    expect(articles()).toHaveLength(2);
    expect(flat(articles()[0])).toMatch(/Different key.*Added.*Boreas.*131,072 tokens.*Removed.*Heron/);
    expect(flat(articles()[1])).toMatch(/Price.*Aurora.*Input.*\$0\.30.*\$0\.15.*-50%/);
    await fireEvent.click(within(articles()[1]!).getAllByRole('button', { name: 'Aurora' })[0]!);
    expect(scene.app.views.models.open).toMatchObject({ modelList: 'models', id: AURORA.id });
    scene.app.history.close();
    await settle();

    await press('Filters');
    await fireEvent.change(shown().getByRole('combobox', { name: 'Type of change' }), { target: { value: 'context' } });
    expect(articles()).toHaveLength(1);
    expect(flat(articles()[0])).toContain('131,072 tokens +100%');
    await fireEvent.input(shown().getByRole('textbox', { name: 'Filter by model' }), { target: { value: 'heron' } });
    await waitFor(() => shown().getByText('No matching changes'));
    expect(shown().queryAllByRole('article')).toHaveLength(0);
    scene.wire.answer('models.changes', () => ({ refreshes: [] }));
    scene.wire.emit('models.changed', { modelLists: ['models'] });
    await settle();
    expect(headings()).toContain('No changes yet');
  });
});

describe('the chart of prices', () => {
  const chart = () => shown().getByRole('listbox', { name: /^2 models by context/ });
  const said = () => within(chart()).getByRole('option').textContent.trim();

  beforeEach(async () => {
    scene.app.views.models.panel = 'chart';
    await waitFor(chart);
  });

  it('names each model, lists those without a point apart, has a table of its points, and is walked by keyboard to open one', async () => {
    for (const [summary, name] of [
      ['Free models, not shown: 1', 'Harbor: Gull'],
      ['Models without a price or context: 1', 'Harbor: Reed'],
    ] as const) {
      const details = shown().getByText(summary).closest('details')!;
      await unfold(details);
      expect(within(details).getAllByRole('button', { name })).toHaveLength(1);
    }
    const details = shown().getByText('Show as table').closest('details')!;
    await unfold(details);
    const rows = within(within(details).getByRole('table')).getAllByRole('row');
    expect(rows[1]?.textContent.replace(/\s+/g, ' ')).toMatch(/Northlight: Aurora.*Northlight.*131,072.*\$0\.15/);

    expect(said()).toBe('Northlight: Aurora: 131,072 tokens, $0.15');
    await fireEvent.keyDown(chart(), { key: 'ArrowRight' });
    expect(said()).toMatch(/^Northlight: Boreas/);
    await fireEvent.keyDown(chart(), { key: 'ArrowRight' });
    expect(said()).toMatch(/^Northlight: Boreas/);
    await fireEvent.keyDown(chart(), { key: 'Home' });
    expect(chart().getAttribute('aria-activedescendant')).toBe(within(chart()).getByRole('option').id);
    await fireEvent.keyDown(chart(), { key: 'Enter' });
    expect(scene.app.views.models.open?.id).toBe(AURORA.id);
  });
});

describe('the comparison', () => {
  async function compare(...ids: string[]): Promise<void> {
    for (const id of ids) scene.app.views.models.toggleCompared(id);
    scene.app.views.models.compare();
    await waitFor(() => shown().getByRole('table', { name: 'Model comparison' }));
    await settle();
  }
  const table = () => within(shown().getByRole('table', { name: 'Model comparison' }));
  const rowOf = (name: string) =>
    table()
      .getByRole('rowheader', { name: new RegExp(`^${name}`) })
      .closest('tr')!;

  it('says of each row whether it differs, explains words of developers, and can hide equal rows', async () => {
    await compare(AURORA.id, BOREAS.id);
    expect(rowOf('Output different').textContent).toMatch(/^\s*Output\s*different/);
    // 0.00000015 and 1.5e-7 are the same price.
    expect(rowOf('Input$').textContent).not.toContain('different');
    expect(rowOf('Context').textContent).not.toContain('different');
    expect(rowOf('Supported parameters').querySelectorAll('.own')).toHaveLength(1);
    expect(rowOf('Monthly cost, Chat').textContent).toMatch(/Varies\s*\$1\.50/);
    const titleOf = (name: string): string | null | undefined =>
      rowOf(name).querySelector('th span')?.getAttribute('title');
    expect(['Tokenizer', 'Context'].map(titleOf)).toEqual(['Splits text into tokens', null]);
    // A discount of nothing has no row.
    expect(table().queryByRole('rowheader', { name: /^Discount/ })).toBeNull();
    const all = table().getAllByRole('row').length;
    await press('Only differences', 'switch');
    expect(table().getAllByRole('row').length).toBeLessThan(all);
    expect(table().queryByRole('rowheader', { name: /^Tokenizer/ })).toBeNull();
  });
});

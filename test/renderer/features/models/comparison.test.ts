import { fireEvent, within } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { AURORA, BOREAS, FREE, modelScene, press, shown } from '../../support/model-scene.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

const scene = modelScene();

describe('the comparison', () => {
  async function compare(...ids: string[]): Promise<void> {
    for (const id of ids) scene.app.views.models.toggleCompared(id);
    scene.app.views.models.compare();
    await waitFor(() => shown().getByRole('table', { name: 'Model comparison' }), { timeout: 15_000 });
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

  it('removes a model, closes when only one is left, and opens the page of a model', async () => {
    await compare(AURORA.id, BOREAS.id, FREE.id);
    await press('Remove Harbor: Gull from comparison');
    expect(table().getAllByRole('columnheader')).toHaveLength(3);
    await press('Remove Northlight: Boreas from comparison');
    expect(scene.app.views.models.comparing).toBe(false);
    await compare(BOREAS.id);
    await fireEvent.click(table().getByRole('button', { name: 'Boreas' }));
    expect(scene.app.views.models.open?.id).toBe(BOREAS.id);
  });
});

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

  it('says of each row whether it differs', async () => {
    await compare(AURORA.id, BOREAS.id);
    expect(rowOf('Output different')).toBeTruthy();
    // 0.00000015 and 1.5e-7 are the same price.
    expect(rowOf('Input$').textContent).not.toContain('different');
    expect(rowOf('Context').textContent).not.toContain('different');
    expect(rowOf('Supported parameters').querySelectorAll('.own')).toHaveLength(1);
    expect(rowOf('Monthly cost, Chat').textContent).toMatch(/Varies\s*\$1\.50/);
  });

  it('explains words of developers', async () => {
    await compare(AURORA.id, BOREAS.id);
    expect(rowOf('Tokenizer').querySelector('th span')?.getAttribute('title')).toBe('Splits text into tokens');
    expect(rowOf('Context').querySelector('th span')?.getAttribute('title')).toBeNull();
  });

  it('has no row for a discount of nothing', async () => {
    await compare(AURORA.id, BOREAS.id);
    expect(table().queryByRole('rowheader', { name: /^Discount/ })).toBeNull();
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
    expect(scene.app.views.models.comparing).toBe(false);
  });

  it('opens the page of a model', async () => {
    await compare(AURORA.id, BOREAS.id);
    await fireEvent.click(table().getByRole('button', { name: 'Boreas' }));
    expect(scene.app.views.models.open?.id).toBe(BOREAS.id);
  });
});

import { fireEvent, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { AURORA, modelScene, shown, unfold } from '../../support/model-scene.ts';
import { waitFor } from '../../support/wait.ts';

const scene = modelScene();

describe('the chart of prices', () => {
  const chart = () => shown().getByRole('listbox', { name: /^2 models by context/ });
  const said = () => within(chart()).getByRole('option').textContent.trim();

  beforeEach(async () => {
    scene.app.views.models.panel = 'chart';
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
    expect(scene.app.views.models.open?.id).toBe(AURORA.id);
  });

  it('lists models without a point apart, and has a table of its points', async () => {
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
  });
});

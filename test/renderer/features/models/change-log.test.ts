import { fireEvent, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { AURORA, modelScene, press, shown } from '../../support/model-scene.ts';
import { settle } from '../../support/settle.ts';
import { headings } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

const scene = modelScene();

describe('the change log', () => {
  const articles = () => shown().getAllByRole('article');
  const flat = (element: Element | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ');

  beforeEach(async () => {
    scene.app.views.models.panel = 'changes';
    await waitFor(articles, { timeout: 15_000 });
    await settle();
  });

  it('has one entry for each day, and another for another key, newest first, grouped by kind, and opens a model', async () => {
    expect(articles()).toHaveLength(2);
    expect(flat(articles()[0])).toMatch(/Different key.*Added.*Boreas.*131,072 tokens.*Removed.*Heron/);
    expect(flat(articles()[1])).toMatch(/Price.*Aurora.*Input.*\$0\.30.*\$0\.15.*-50%/);
    await fireEvent.click(within(articles()[1]!).getAllByRole('button', { name: 'Aurora' })[0]!);
    expect(scene.app.views.models.open).toMatchObject({ modelList: 'models', id: AURORA.id });
  });

  it('is filtered by kind and by text, updates itself, and says if it is empty', async () => {
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

import type { Locator, Page } from 'playwright';
import { beforeAll, describe, expect } from 'vitest';
import { changeLogKinds } from '../../../src-main/common/i18n/model-labels.ts';
import type { InLocale } from '../../../src-main/common/i18n/locale.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { DEMO_KEY } from '../../../src-main/contract/model/model.ts';
import { modelLine, nameWithoutVendor } from '../../../src-main/common/model-line.ts';
import { callsOf } from '../support/calls.ts';
import { titled, whyNoPage } from '../support/chromium.ts';
import { openView } from '../support/desktop.ts';
import { WAIT } from '../support/open-page.ts';
import { openScene, withGateway, type Scene as SharedScene } from '../support/scene.ts';
import { takeScenes, type Scene } from './support/take-scene.ts';

const ADDED = 'made-up/newcomer';

/** Pictures of table, filters, model page, comparison, chart and change log, saved as output of the run. */
describe.skipIf(whyNoPage !== null)(titled('pictures of the models views'), () => {
  let shared: SharedScene;
  /** A model with a changed price. */
  let repriced: { id: string; name: string };

  beforeAll(async () => {
    shared = await openScene({
      content: { selected: 60, days: 12 },
      settings: withGateway,
      environment: { BROADSHEET_MODELS_KEY: DEMO_KEY },
    });
    const { call } = await callsOf(shared.reader.address);
    await call('sync.run', { urgency: 'now' });
    repriced = changeSomething();
    await call('sync.run', { urgency: 'now', resources: ['models', 'embeddings'] });
    const chat = { name: 'Chat', tokensIn: 3000, tokensOut: 800, tokensCached: 1500, requestsAMonth: 40_000 };
    await call('workloads.save', { workload: chat });
    await call('models.favourite', { id: repriced.id, favourite: true });
    return shared.close;
  });

  function changeSomething(): { id: string; name: string } {
    const { control } = shared.service;
    const [first, second, third] = control.models('models');
    control.editModel('models', first!.id, {
      pricing: { prompt: '0.00000125', completion: '-1', image: '' },
      context_length: 1_048_576,
      expiration_date: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
    });
    control.removeModel('models', second!.id);
    control.editModel('models', third!.id, { supported_parameters: ['tools', 'verbosity'] });
    control.addModel('models', { id: ADDED, name: 'A newcomer with a name that needs a second line in most columns' });
    return { id: first!.id, name: modelLine(first!).name };
  }

  /** Chooses an entry of the view's menu. */
  async function showPanel(page: Page, panel: string, by: InLocale): Promise<void> {
    await page
      .locator('#models-list')
      .getByRole('button', { name: m.list_more({}, by), exact: true })
      .click();
    await page.getByRole('menuitem', { name: panel, exact: true }).click();
  }

  /** The models entry of the change log, once it exists. */
  async function changeLog(page: Page, by: InLocale): Promise<Locator> {
    await openView(page, m.views_models({}, by));
    await showPanel(page, m.model_page_changed({}, by), by);
    const entry = page.locator('#models-list article');
    await entry.first().waitFor();
    return entry;
  }

  async function showModel(page: Page, by: InLocale): Promise<void> {
    const log = await changeLog(page, by);
    await log
      .getByRole('button', { name: nameWithoutVendor(repriced.name), exact: true })
      .first()
      .click();
    await page.locator('#model-title').waitFor();
  }

  async function showComparison(page: Page, by: InLocale): Promise<void> {
    await openView(page, m.views_models({}, by));
    const boxes = page.locator('#models-list').getByRole('checkbox');
    for (const row of [0, 1, 2]) await boxes.nth(row).click();
    await page
      .locator('#models-list')
      .getByRole('group')
      .getByRole('button', { name: m.models_compare({}, by) })
      .click();
    await page.getByRole('table', { name: m.compare_table({}, by) }).waitFor();
  }

  const scene = (name: string, setUp: Scene['setUp']): Scene => ({ name, address: () => shared.reader.address, setUp });

  takeScenes(
    () => shared.browser,
    [
      {
        ...scene('models-table', async (page, by) => {
          await openView(page, m.views_models({}, by));
          const grid = page.locator('#models-list').getByRole('grid');
          for (const row of [3, 5]) await grid.getByRole('checkbox').nth(row).click();
        }),
        // Under `models-filters`.
        rare: true,
      },
      {
        ...scene('forced-colors-models', async (page, by) => {
          await openView(page, m.views_models({}, by));
          await page.locator('#models-list').getByRole('grid').getByRole('checkbox').nth(3).click();
        }),
        options: { forcedColors: 'active' },
        rare: true,
      },
      scene('models-filters', async (page, by) => {
        await openView(page, m.views_models({}, by));
        await page.getByRole('button', { name: m.filters_label({}, by), exact: true }).click();
        const form = page.getByRole('group', { name: m.filters_label({}, by), exact: true });
        await form.getByRole('checkbox').first().check();
        await form.getByRole('checkbox').nth(1).check();
        await form.getByRole('textbox', { name: m.model_filter_price_to({}, by) }).fill('3');
        await form.getByText(m.model_filter_moderation_no({}, by), { exact: true }).click();
      }),
      {
        ...scene('models-columns', async (page, by) => {
          await openView(page, m.views_models({}, by));
          await showPanel(page, m.models_columns_chosen({}, by), by);
          await page.getByRole('dialog').waitFor();
        }),
        // A dialog as in `models-workload`.
        rare: true,
      },
      scene('models-workload', async (page, by) => {
        await openView(page, m.views_models({}, by));
        await showPanel(page, m.workload_edit({}, by), by);
        await page.getByRole('dialog').waitFor();
      }),
      scene('model-changes', async (page, by) => {
        const log = await changeLog(page, by);
        await expect.poll(() => log.count(), WAIT).toBe(1);
        const said = await log.innerText();
        for (const field of ['added', 'removed', 'price', 'context', 'parameters', 'expiry'] as const) {
          expect(said).toContain(changeLogKinds[field]({}, by));
        }
        await log.locator(`button[title$="${ADDED}"]`).waitFor();
      }),
      // The view has the changes open since the scene before.
      { ...scene('model', showModel), afresh: true },
      { ...scene('model-comparison', showComparison), afresh: true },
      {
        ...scene('model-chart', async (page, by) => {
          await openView(page, m.views_models({}, by));
          await showPanel(page, m.models_panels_chart({}, by), by);
          await page.locator('.chart[role="listbox"]').waitFor();
        }),
        afresh: true,
      },
    ],
    'zh',
  );
});

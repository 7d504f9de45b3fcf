import { rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe } from 'vitest';
import { archiveKinds } from '../../../src-main/common/i18n/labels.ts';
import type { InLocale } from '../../../src-main/common/i18n/locale.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { StoredNotification } from '../../../src-main/contract/model/notification.ts';
import { startDemoService, type DemoService, type ServedItem } from '../../../src-main/demo/service.ts';
import { makesLine } from '../../../src-renderer/charts/shapes.ts';
import { fakeClock } from '../../support/clock.ts';
import { servedReport } from '../../support/reports.ts';
import { newDataFolder, startTestServer, type TestServer } from '../../support/test-server.ts';
import { callsOf, type Calls } from '../support/calls.ts';
import { launchChromium, titled, whyNoPage } from '../support/chromium.ts';
import { rowsOfView, openView, runFromPalette, storyRows } from '../support/desktop.ts';
import { readRankings } from '../support/earlier-rankings.ts';
import { openSearch, rowsOf } from '../support/open-page.ts';
import { beginning, takeScenes, type Scene } from './support/take-scene.ts';

/** For how long the ranking was synced before. */
const HOURS = 30;

/** Pictures of the views besides the feed, saved as output of the run. */
describe.skipIf(whyNoPage !== null)(titled('pictures of the other views'), () => {
  let browser: Browser;
  let dataFolder: string;
  let service: DemoService;
  let reader: TestServer;
  let corrected: string;
  let revised: ServedItem;
  let revisions = 1;

  beforeAll(async () => {
    dataFolder = await newDataFolder();
    const clock = fakeClock(Date.now() - HOURS * 3_600_000);
    [service, browser] = await Promise.all([startDemoService({ clock, ...beginning(clock.now()) }), launchChromium()]);
    await readRankings(dataFolder, service, clock, HOURS);
    reader = await startTestServer({ dataFolder, settings: { newsAddress: service.newsAddress } });
    const calls = await callsOf(reader.address);
    await calls.call('sync.run', { urgency: 'now' });
    corrected = await changeSomething(calls);
    await calls.call('sync.run', { urgency: 'now' });
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  /** New, updated and removed items, and a corrected daily. Returns its label. */
  async function changeSomething({ call }: Calls): Promise<string> {
    const { control } = service;
    const [first, second] = control.selectedItems();
    control.addItem({ title: 'A new arrival, with a title long enough to need its second line in every column' });
    revised = first!;
    control.editItem(revised.id, { title: `${revised.title} (updated)`, summary: 'A summary that was edited.' });
    control.withdraw(second!.id);
    const { lines } = await call('reports.index', { kind: 'daily' });
    const label = lines[1]!.label;
    const report = await servedReport({ service }, `/dailies/${label}`);
    const full = report.sections.filter(({ items }) => items.length > 0);
    full[0]!.items[0]!.title += ' (put right)';
    full.at(-1)!.items.pop();
    control.correctDaily(label, { sections: report.sections } as never);
    return label;
  }

  /** The visit may have ended since the first revision: leaving the list ends it. */
  async function reviseAgain({ call }: Calls): Promise<void> {
    service.control.editItem(revised.id, { title: `${revised.title} (updated ${(revisions += 1)} times)` });
    await call('sync.run', { urgency: 'now' });
  }

  /** Opens a topic that was ranked often enough for a chart. */
  async function openTopic(page: Page, by: InLocale, { call }: Calls): Promise<void> {
    await openView(page, m.views_topics({}, by));
    const { topics } = await call('hotTopics.list', {});
    const charted = topics.findIndex(({ history }) => makesLine(history.points));
    await rowsOfView(page, 'hotTopics').nth(charted).click();
    await page.getByRole('heading', { name: m.rank_history_title({}, by) }).waitFor();
  }

  async function latest(page: Page, by: InLocale, kind: 'daily' | 'weekly' | 'monthly'): Promise<void> {
    await openView(page, m.views_archive({}, by));
    await page.locator('#archive-list').getByText(archiveKinds[kind]({}, by), { exact: true }).click();
    await page.locator('#archive-list li button').first().click();
    await page.locator('#report-title').waitFor();
  }

  const scene = (name: string, setUp: Scene['setUp']): Scene => ({ name, address: () => reader.address, setUp });

  takeScenes(
    () => browser,
    [
      {
        ...scene('topics', async (page, by) => {
          await openView(page, m.views_topics({}, by));
          await rowsOfView(page, 'hotTopics').nth(1).waitFor();
        }),
        // Beside `topic`.
        rare: true,
      },
      scene('topic', openTopic),
      {
        ...scene('forced-colors-daily', (page, by) => latest(page, by, 'daily')),
        options: { forcedColors: 'active' },
        rare: true,
      },
      {
        ...scene('stories', async (page, by) => {
          await openView(page, m.views_topics({}, by), m.stories_lists_all({}, by));
          await rowsOfView(page, 'stories').first().waitFor();
        }),
        // Beside `story`.
        rare: true,
      },
      scene('story', async (page, by) => {
        await openView(page, m.views_topics({}, by), m.stories_lists_all({}, by));
        await storyRows(page).first().click();
        await page.locator('#story-title').waitFor();
      }),
      scene('calendar', async (page, by) => {
        await openView(page, m.views_archive({}, by));
        await page.locator('#archive-list h2 button').click();
        await page.locator('#archive-list table button').first().waitFor();
      }),
      ...(['daily', 'weekly', 'monthly'] as const).map((kind) => ({
        ...scene(kind, (page, by) => latest(page, by, kind)),
        // `corrections` is a daily, and the others are like it.
        rare: true,
      })),
      scene('corrections', async (page, by, open) => {
        await latest(page, by, 'daily');
        const { headline } = await open.call('reports.get', { kind: 'daily', label: corrected });
        await page.getByRole('button', { name: m.report_previous({}, by) }).click();
        await page
          .locator('#report-title')
          .getByText(headline ?? '')
          .waitFor();
        await page
          .locator('#archive-reading')
          .getByRole('heading', { name: m.report_corrections({}, by) })
          .scrollIntoViewIfNeeded();
      }),
      scene('health', async (page, by) => {
        await runFromPalette(page, m.sync_status_title({}, by));
        await page.getByRole('dialog').getByRole('listitem').first().waitFor();
      }),
      scene('notifications', async (page, by) => {
        // A reader without earlier notifications shows the ones that others had. A route would cost a separate window.
        await page.evaluate((notifications) => {
          const ask = window.fetch.bind(window);
          window.fetch = (input, init) =>
            input === '/call/notifications.list'
              ? Promise.resolve(Response.json({ ok: true, value: { notifications } }))
              : ask(input, init);
        }, oneOfEachKind());
        await runFromPalette(page, m.notifications_title({}, by));
        const dialog = page.getByRole('dialog', { name: m.notifications_title({}, by) });
        await dialog.getByRole('listitem').nth(4).waitFor();
      }),
      scene('today', async (page, by) => {
        await page
          .getByRole('navigation')
          .getByRole('button', { name: new RegExp(`^${m.views_today({}, by)}`) })
          .click();
        await page.locator('#today-title').waitFor();
      }),
      scene('revision', async (page, by, open) => {
        await reviseAgain(open);
        await page.getByRole('button', { name: m.list_more({}, by) }).click();
        await page.getByRole('menuitem', { name: m.since_last_visit_counts_revised({ count: 1 }, by) }).click();
        await page.locator('.overlay').getByRole('listbox').getByRole('option').first().click();
        await page.locator('article ins').first().waitFor();
      }),
      scene('online', async (page, by) => {
        await openSearch(page);
        // Rows above it move it until they are there.
        await page.getByText(m.search_operator_source({}, by), { exact: true }).waitFor();
        await page.getByRole('option', { name: m.online_search_open({}, by) }).click();
        await page.getByRole('textbox', { name: m.online_search_open({}, by) }).fill('AI');
        await page
          .locator('.overlay')
          .getByRole('button', { name: m.search({}, by), exact: true })
          .click();
        await page.locator('.overlay').getByRole('listbox').getByRole('option').first().waitFor();
      }),
      {
        ...scene('pause', (page) => rowsOf(page).first().waitFor()),
        again: async (page, by) => {
          while ((await page.locator('.panel, dialog').count()) > 0) await page.keyboard.press('Escape');
          const menu = page.getByRole('button', { name: m.sidebar_open({}, by) });
          if (await menu.isVisible()) await menu.click();
          await page.getByRole('button', { name: new RegExp(`^${m.sync_label({}, by)}:`) }).click();
          await page.getByRole('button', { name: m.sync_pause_open({}, by) }).click();
          await page.getByRole('group', { name: m.sync_pause_open({}, by) }).waitFor();
        },
      },
    ],
    'zh',
  );
});

function oneOfEachKind(): StoredNotification[] {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const told = { id: 1, at, toldAt: at, label: null, count: 1, title: '' };
  const targets = { view: 'report', kind: 'daily', label: '2026-11-20' } as const;
  return [
    { ...told, kind: 'daily', label: '2026-11-20', title: 'A model that reads its own manual', target: targets },
    { ...told, id: 2, kind: 'story', count: 3, title: '推理模型的价格战', target: { view: 'story', publicId: 'a' } },
    { ...told, id: 3, kind: 'models', count: 12, target: { view: 'modelChanges' }, toldAt: null },
    { ...told, id: 4, kind: 'weekly', label: '2026-W47', target: { ...targets, kind: 'weekly', label: '2026-W47' } },
    { ...told, id: 5, kind: 'monthly', label: '2026-10', target: { ...targets, kind: 'monthly', label: '2026-10' } },
  ];
}

import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveLatest, archiveKinds } from '../../src-main/common/i18n/labels.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { casesOf } from '../support/proofs.ts';
import { servedReport } from '../support/reports.ts';
import { newDataFolder, startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { rowsOfView, openView } from './support/desktop.ts';
import { readRankings } from './support/earlier-rankings.ts';
import { openPage, type OpenPage } from './support/open-page.ts';

const FOLDER = fileURLToPath(new URL('../../test-output/screenshots/', import.meta.url));

/** For how long the ranking was synced before. */
const HOURS = 30;

/** Each language is shown in every size and both schemes, in combinations that the other language does not have. */
const TAKES = [
  {
    locale: 'en-GB',
    name: 'en',
    by: { locale: 'en' } as const,
    sizes: [
      { width: 1440, height: 900, colorScheme: 'light' },
      { width: 1000, height: 700, colorScheme: 'dark' },
      { width: 480, height: 800, colorScheme: 'light' },
    ],
  },
  {
    locale: 'zh-CN',
    name: 'zh',
    by: { locale: 'zh-CN' } as const,
    sizes: [
      { width: 1440, height: 900, colorScheme: 'dark' },
      { width: 1000, height: 700, colorScheme: 'light' },
      { width: 480, height: 800, colorScheme: 'dark' },
    ],
  },
] as const;

/** Pictures of the views besides the feed, saved as output of the run. */
describe.skipIf(whyNoPage !== null)(titled('pictures of the other views'), () => {
  let browser: Browser;
  let dataFolder: string;
  let service: DemoService;
  let reader: TestServer;
  let corrected: string;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    dataFolder = await newDataFolder();
    const clock = fakeClock(Date.now() - HOURS * 3_600_000);
    [service, browser] = await Promise.all([startDemoService({ clock }), launchChromium()]);
    await readRankings(dataFolder, service, clock, HOURS);
    reader = await startTestServer({ dataFolder, settings: { newsAddress: service.newsAddress } });
    const open = await openPage(browser, reader.address);
    await open.call('sync.run', { urgency: 'now' });
    corrected = await changeSomething(open);
    await open.call('sync.run', { urgency: 'now' });
    await open.close();
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  /** New, updated and removed items, and a corrected daily. Returns its label. */
  async function changeSomething(open: OpenPage): Promise<string> {
    const { control } = service;
    const [first, second] = control.selectedItems();
    control.addItem({ title: 'A new arrival, with a title long enough to need its second line in every column' });
    control.editItem(first!.id, { title: `${first!.title} (updated)`, summary: 'A summary that was edited.' });
    control.withdraw(second!.id);
    const { lines } = await open.call('reports.index', { kind: 'daily' });
    const label = lines[1]!.label;
    const report = await servedReport({ service }, `/dailies/${label}`);
    const full = report.sections.filter(({ items }) => items.length > 0);
    full[0]!.items[0]!.title += ' (put right)';
    full.at(-1)!.items.pop();
    control.correctDaily(label, { sections: report.sections } as never);
    return label;
  }

  describe.each(TAKES)('in $name', ({ locale, name, by, sizes }) => {
    /** Prepares a scene once and takes it in every size of this language. */
    async function take(scene: string, setUp: (page: Page, open: OpenPage) => Promise<void>): Promise<void> {
      const open = await openPage(browser, reader.address, { locale });
      await setUp(open.page, open);
      for (const { width, height, colorScheme } of casesOf(sizes, [name === 'en' ? 0 : 2])) {
        await open.page.setViewportSize({ width, height });
        await open.page.emulateMedia({ colorScheme });
        const path = `${FOLDER}${scene}-${width}-${colorScheme}-${name}.png`;
        await open.page.screenshot({ path, animations: 'disabled' });
      }
      expect(open.complaints).toEqual([]);
      await open.close();
    }

    const latest = async (page: Page, kind: 'daily' | 'weekly'): Promise<void> => {
      await openView(page, m.views_archive({}, by));
      await page.locator('#archive-list').getByText(archiveKinds[kind]({}, by), { exact: true }).click();
      await page.getByRole('button', { name: archiveLatest[kind]({}, by) }).click();
      await page.locator('#report-title').waitFor();
    };

    it('shows a topic with its history', async () => {
      await take('topic', async (page) => {
        await openView(page, m.views_hot_topics({}, by));
        await rowsOfView(page, 'hotTopics').nth(1).click();
        await page.getByRole('heading', { name: m.rank_history_title({}, by) }).waitFor();
      });
    });

    it('shows a story', async () => {
      await take('story', async (page) => {
        await openView(page, m.views_stories({}, by));
        await rowsOfView(page, 'stories').first().click();
        await page.locator('#story-title').waitFor();
      });
    });

    it('shows the calendar', async () => {
      await take('calendar', async (page) => {
        await openView(page, m.views_archive({}, by));
        await page.locator('#archive-list table button').first().waitFor();
      });
    });

    it.each(['daily', 'weekly'] as const)('shows a %s report', async (kind) => {
      await take(kind, (page) => latest(page, kind));
    });

    it('shows corrections', async () => {
      await take('corrections', async (page, open) => {
        await latest(page, 'daily');
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
      });
    });

    it('shows data health', async () => {
      await take('health', async (page) => {
        await page.getByRole('button', { name: m.sync_status_open({}, by) }).click();
        await page.getByRole('dialog').getByRole('listitem').first().waitFor();
      });
    });

    it('shows a revision, from the line about the last visit', async () => {
      await take('revision', async (page) => {
        const line = page.getByRole('region', { name: m.since_last_visit_label({}, by) });
        await line.getByRole('button', { name: m.since_last_visit_counts_revised({ count: 1 }, by) }).click();
        await page.locator('.overlay').getByRole('listbox').getByRole('option').first().click();
        await page.locator('article ins').first().waitFor();
      });
    });

    it('shows the line about the last visit, and the options of a pause', async () => {
      await take('caught-up', async (page) => {
        await page.getByRole('region', { name: m.since_last_visit_label({}, by) }).waitFor();
        await page.getByRole('button', { name: m.sync_pause_open({}, by) }).click();
        await page.getByRole('group', { name: m.sync_pause_title({}, by) }).waitFor();
      });
    });

    it('shows the results of a search on the service', async () => {
      await take('online', async (page) => {
        await page.getByRole('button', { name: m.online_search_open({}, by) }).click();
        await page.getByRole('textbox', { name: m.online_search_label({}, by) }).fill('AI');
        await page
          .locator('.overlay')
          .getByRole('button', { name: m.online_search_start({}, by), exact: true })
          .click();
        await page.locator('.overlay').getByRole('listbox').getByRole('option').first().waitFor();
      });
    });
  });
});

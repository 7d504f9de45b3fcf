import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { newDataFolder, startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openView, pressGo } from './support/desktop.ts';
import { readRankings } from './support/earlier-rankings.ts';
import { openPage, type OpenPage } from './support/open-page.ts';

/** For how long the ranking was synced before. */
const HOURS = 30;

describe.skipIf(whyNoPage !== null)(titled('hot topics, stories and the archive'), () => {
  let dataFolder: string;
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    dataFolder = await newDataFolder();
    const clock = fakeClock(Date.now() - HOURS * 3_600_000);
    service = await startDemoService({ clock, content: { selected: 60, days: 12 } });
    // A rank chart is drawn from three rankings on.
    await readRankings(dataFolder, service, clock, HOURS);
    [reader, browser] = await Promise.all([
      startTestServer({ dataFolder, settings: { newsAddress: service.newsAddress } }),
      launchChromium(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  describe("with the page's policy", () => {
    let open: OpenPage;

    beforeAll(async () => {
      open = await openPage(browser, reader.address);
    });
    afterAll(() => open.close());

    it('draw, print and export without an exception from it', async () => {
      const { page } = open;
      await openCharted(open);
      await page.getByRole('img', { name: /^Rank over time/ }).waitFor();
      await openView(page, 'Reports');
      await pressGo(page, 'd');
      await page.locator('#report-title').waitFor();
      await page.getByRole('button', { name: 'More actions for this report' }).click();
      await page.getByRole('menuitem', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export', exact: true });
      await dialog.getByText(/^Dailies: all/).click();
      const download = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Export' }).click();
      expect((await download).suggestedFilename()).toBe('broadsheet-daily-md.zip');
      await page.keyboard.press('Escape');
      expect(open.complaints).toEqual([]);
      expect(open.outside).toEqual([]);
    });

    it('print the open report without the rest of the page', async () => {
      const { page } = open;
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('#report-title').isVisible()).toBe(true);
      expect(await page.getByRole('navigation').isVisible()).toBe(false);
      expect(await page.locator('#archive-list').isVisible()).toBe(false);
      expect(await page.locator('#hotTopics-reading').isVisible()).toBe(false);
      await page.emulateMedia({ media: 'screen' });
    });
  });
});

/** Opens the first topic with enough ranks for a chart. One that stayed where it was has none. */
async function openCharted({ page, call }: OpenPage): Promise<void> {
  await openView(page, 'Topics', 'Hot');
  const { topics } = await call('hotTopics.list', {});
  const charted = topics.find(({ history }) => history.points.filter(({ rank }) => rank !== null).length >= 3)!;
  await page.locator(`#hotTopics-list [data-entry="${charted.id}"]`).click();
}

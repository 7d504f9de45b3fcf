import { rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { casesOf, isWhole } from '../support/proofs.ts';
import { newDataFolder, startTestServer, type TestServer } from '../support/test-server.ts';
import { axeResults } from './support/axe.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openView, pressGo, storyRows } from './support/desktop.ts';
import { drawn } from './support/drawn.ts';
import { readRankings } from './support/earlier-rankings.ts';
import { openPage, type OpenPage } from './support/open-page.ts';

const HEIGHT = 800;
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

  const windows = [
    { width: 1440, colorScheme: 'light' },
    { width: 480, colorScheme: 'dark' },
  ] as const;

  // `npm test` takes the narrow one, without axe: the pictures of the same views are checked (pictures/views.test.ts).
  describe.each(casesOf(windows, [1]))('$width px wide, $colorScheme', ({ width, colorScheme }) => {
    it('are shown without accessibility problems or policy violations', async () => {
      const window = { viewport: { width, height: HEIGHT }, colorScheme, bypassCSP: true };
      const open = await openPage(browser, reader.address, window);
      const { page, complaints, close } = open;
      await openCharted(open);
      await page.getByRole('heading', { name: 'Rank over time' }).waitFor();
      expect(await faultsOf(page), 'a topic').toEqual([]);
      if (width < 700) await page.getByRole('button', { name: 'Back to the list' }).click();
      await openView(page, 'Topics', 'All');
      await storyRows(page).first().click();
      await page.getByRole('heading', { name: 'Coverage' }).waitFor();
      expect(await faultsOf(page), 'a story').toEqual([]);
      if (width < 700) await page.getByRole('button', { name: 'Back to the list' }).click();
      await openView(page, 'Reports');
      await page.locator('#archive-list h2 button').click();
      expect(await faultsOf(page), 'the calendar').toEqual([]);
      await pressGo(page, 'd');
      await page.locator('#report-title').waitFor();
      expect(await faultsOf(page), 'a daily').toEqual([]);
      expect(await overflowOf(page)).toEqual([0, 0]);
      expect(complaints).toEqual([]);
      await close();
    });
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

/** How far the page can be scrolled as a whole, down and sideways: not at all. */
function overflowOf(page: Page): Promise<number[]> {
  return page
    .locator('html')
    .evaluate((root) => [root.scrollHeight - root.clientHeight, root.scrollWidth - root.clientWidth]);
}

async function faultsOf(page: Page): Promise<string[]> {
  await drawn(page);
  if (!isWhole) return [];
  const { violations } = await axeResults(page);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ''}`);
}

import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openFilled, rowsOf, WAIT, type OpenPage } from './support/open-page.ts';

/** One load of the page; each step continues where the one before ended. */
describe.skipIf(whyNoPage !== null)(titled('a morning'), () => {
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    service = await startDemoService({ clock: systemClock, content: { selected: 120, days: 6 } });
    [reader, browser] = await Promise.all([
      startTestServer({ settings: { newsAddress: service.newsAddress } }),
      launchChromium(),
    ]);
    open = await openFilled(browser, reader.address, { atLastPlace: true });
    ({ page } = open);
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  const today = () => page.locator('#today-list');
  const paper = () => page.locator('#archive-reading');
  const daily = async () => (await open.call('today.get', {})).daily!;

  it('begins with Today over the width of list and article, which follows what is read in the feed', async () => {
    await today().getByRole('button', { name: 'Read the daily' }).waitFor();
    await today().getByRole('region', { name: 'Hot now' }).waitFor();
    expect((await today().boundingBox())?.width).toBe(1440 - 240);
    const { label } = await daily();
    const report = await open.call('reports.get', { kind: 'daily', label });
    const ids = report.sections.flatMap(({ items }) => items.flatMap(({ itemId }) => itemId ?? []));
    await open.call('items.mark', { ids: ids.slice(0, 3), mark: 'read' });
    const { unread, next } = await daily();
    await today()
      .getByRole('heading', { name: `${unread} to go` })
      .waitFor();
    await today().getByRole('heading', { level: 2, name: next!.title }).waitFor();
  });

  it('goes on with the daily: its length, and its unread stories one by one', async () => {
    const { stories, minutes, read } = await daily();
    const onward = today().getByRole('button', { name: 'Continue the daily' });
    await onward.click();
    await page.locator('#report-title').waitFor();
    await paper().getByRole('button', { name: 'Back', exact: true }).click();
    await onward.click();
    await paper().getByText(`${stories} stories, ${minutes} minutes`).waitFor();
    // A story whose end has been in view for a second counts meanwhile.
    const shown = paper().getByText(new RegExp(`^\\d+ of ${stories}$`));
    await expect
      .poll(async () => (await shown.innerText()) === `${(await daily()).read} of ${stories}`, WAIT)
      .toBe(true);
    expect((await paper().boundingBox())?.width).toBe(1440 - 240);
    await page.keyboard.press('n');
    const first = paper().locator('[aria-current="true"]');
    await expect.poll(() => first.evaluate((story) => document.activeElement === story), WAIT).toBe(true);
    const title = await first.locator('.title, .meta').first().innerText();
    await page.keyboard.press('n');
    await expect.poll(() => first.locator('.title, .meta').first().innerText(), WAIT).not.toBe(title);
    expect(await first.evaluate((story) => story.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    // Stories whose end is in view count, too.
    await expect.poll(async () => (await daily()).read, WAIT).toBeGreaterThan(read);
  });

  it('comes to an end, and leads back to Today', async () => {
    const end = paper().getByRole('region', { name: 'End of the report' });
    await end.getByRole('button', { name: /^Mark all \d+ unread as read$/ }).click();
    await end.getByText(/^That’s /).waitFor();
    await expect.poll(async () => (await daily()).unread, WAIT).toBe(0);
    await end.getByRole('button', { name: 'Back to Today' }).click();
    await today()
      .getByText(/^Next daily about /)
      .waitFor();
    expect(
      await today()
        .getByText(/to go$/)
        .count(),
    ).toBe(0);
  });

  it('in a narrow window is one column, and Back leads to it from what was opened', async () => {
    await page.setViewportSize({ width: 480, height: 800 });
    const menu = page.locator('.view:not(.away)').getByRole('button', { name: 'Show views' });
    await menu.click();
    await page.getByRole('navigation').getByRole('button', { name: 'Today' }).click();
    await page.getByRole('heading', { level: 1, name: /^Today/ }).waitFor();
    expect(await rowsOf(page).first().isVisible()).toBe(false);
    const topic = today().getByRole('region', { name: 'Hot now' }).locator('[data-headline]').last();
    const title = await topic.innerText();
    await topic.click();
    await page.locator('#topic-title').waitFor();
    await page.getByRole('button', { name: 'Back' }).first().click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), WAIT).toBe(title);
  });

  it('violates no policy, and sends no request to other hosts', () => {
    expect(open.complaints).toEqual([]);
    expect(open.outside).toEqual([]);
  });
});

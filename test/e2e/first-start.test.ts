import { rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoOptions, type DemoService } from '../../src-main/demo/service.ts';
import { newDataFolder, startTestServer, type ReaderOptions, type TestServer } from '../support/test-server.ts';
import { callsOf } from './support/calls.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { WAIT, openPage, rowOf, rowsOf, shows, titlesOf, type OpenPage } from './support/open-page.ts';
import { Gate } from '../support/gate.ts';

describe.skipIf(whyNoPage !== null)(titled('the first start'), () => {
  let browser: Browser;
  /** Everything that a test has started, latest first, to be closed after it. */
  const started: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const end of started.splice(0).reverse()) await end();
  });
  afterAll(() => browser.close());

  async function serve(options: Partial<DemoOptions> = {}): Promise<DemoService> {
    const service = await startDemoService({ clock: systemClock, content: { selected: 40, days: 5 }, ...options });
    started.push(() => service.close());
    return service;
  }

  async function read(options: ReaderOptions = {}): Promise<OpenPage & { reader: TestServer }> {
    const reader = await startTestServer(options);
    started.push(() => reader.close());
    const open = await openPage(browser, reader.address);
    started.push(() => open.close());
    return { ...open, reader };
  }

  it('shows demo news, labels them, and links to the setting for a real service', async () => {
    const other = await serve();
    other.control.addItem({ title: 'From the other service' });
    const { page, complaints, outside } = await read();
    await rowsOf(page).first().waitFor();
    await page.getByText('Demo: these stories are invented.').waitFor();
    await page.getByRole('button', { name: 'Connect a news service' }).click();
    const news = page.getByRole('region', { name: 'News service' });
    const address = news.getByLabel('Address');
    expect(await address.evaluate((input) => input === document.activeElement)).toBe(true);
    await address.fill('no address');
    await address.press('Enter');
    await page.getByText('Enter a web address without').waitFor();
    await address.fill('http://127.0.0.1:9');
    await address.press('Enter');
    await page.getByText('No service is running at this address.').waitFor();
    await address.fill(other.newsAddress);
    await news.getByRole('button', { name: 'Save address' }).click();
    await news.getByText('Connected').waitFor();
    await page.keyboard.press('Escape');
    await shows(page, 'From the other service');
    await page.getByText('Demo: these stories are invented.').waitFor({ state: 'hidden' });
    await expect.poll(() => rowsOf(page).count(), WAIT).toBeGreaterThan(5);
    expect([complaints, outside]).toEqual([[], []]);
  });

  it('welcomes on one screen, connects a service only once it answers, and moves nothing meanwhile', async () => {
    const service = await serve();
    const { page, complaints } = await read({ settings: { welcomed: false } });
    const dialog = page.getByRole('dialog', { name: 'Welcome to Broadsheet' });
    for (const viewport of [
      { width: 480, height: 800 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, ...viewport });
      await expect.poll(() => dialog.getByRole('button', { name: 'Read the demo' }).isVisible(), WAIT).toBe(true);
    }
    const field = dialog.getByRole('textbox', { name: 'Connect a news service' });
    const before = await field.boundingBox();
    await field.fill('http://127.0.0.1:9');
    await field.press('Enter');
    await dialog.getByText('No service is running at this address.').waitFor();
    expect(await field.boundingBox()).toEqual(before);
    await field.fill(service.newsAddress);
    await field.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Demo: these stories are invented.').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
  });

  it('shows the newest items and the progress of the first download, and then the whole selected set', async () => {
    const gate = new Gate((url) => url.includes('/selected/snapshot'));
    const service = await serve({ content: { selected: 2100, days: 20 }, intercept: gate.intercept });
    const { page } = await read({ settings: { newsAddress: service.newsAddress } });
    const list = page.locator('#feed-list');
    for (const stored of [null, '1,000', '2,000']) {
      await list.getByRole('progressbar', { name: 'Downloading your news' }).waitFor();
      if (stored !== null) await list.getByText(`${stored} downloaded so far`).waitFor();
      await rowsOf(page).first().waitFor();
      await expect.poll(() => gate.waiting, WAIT).toBe(1);
      gate.letThrough();
    }
    // Some rows stand for several articles on one topic.
    const rowCount = async (): Promise<number> => Number(await rowsOf(page).first().getAttribute('aria-setsize'));
    await expect.poll(rowCount, WAIT).toBeGreaterThan(2_050);
    await expect.poll(() => rowsOf(page).count(), WAIT).toBeGreaterThan(5);
  });

  it('continues a failed first download', async () => {
    let down = true;
    const service = await serve({
      intercept: (request, response) => {
        if (!down || !request.url?.includes('/selected/')) return false;
        response.writeHead(500, { 'content-type': 'text/plain' }).end('out of paper');
        return true;
      },
    });
    const { page } = await read({ settings: { newsAddress: service.newsAddress } });
    const list = page.locator('#feed-list');
    await list.getByText('The download stopped.').waitFor();
    await list.getByText('The server reported an error. Try again later.').waitFor();
    down = false;
    await list.getByRole('button', { name: 'Try again' }).click();
    await list.getByText('The download stopped.').waitFor({ state: 'detached' });
    await rowsOf(page).first().waitFor();
  });

  it('shows saved news at once while the service is down, with their age', async () => {
    const dataFolder = await newDataFolder();
    started.push(() => rm(dataFolder, { recursive: true, force: true }));
    const service = await serve();
    // Stories that come after the list would fold its rows at the next start.
    const settings = { newsAddress: service.newsAddress, foldStories: false };
    const first = await startTestServer({ dataFolder, settings });
    const { call: ask } = await callsOf(first.address);
    await ask('sync.run', { urgency: 'now' });
    const query = { scope: 'selected', window: 'any', state: 'any' } as const;
    const stored = (await ask('items.page', { query, limit: 10 })).rows.map(({ title }) => title);
    await first.close();
    await service.close();

    const { page, call } = await read({ dataFolder });
    await rowsOf(page).first().waitFor();
    await expect.poll(() => topTitlesOf(page), WAIT).toEqual(stored);
    await call('sync.run', { urgency: 'now' });
    await page.getByRole('button', { name: /^Sync: *Can’t sync since/ }).click();
    await page.getByText('(unreachable)').waitFor();
    await rowsOf(page).first().click();
    await rowsOf(page).first().locator('.row:not(.unread)').waitFor();

    const port = Number(new URL(service.newsAddress).port);
    const back = await serve({ port });
    back.control.addItem({ title: 'Back on the air' });
    await call('sync.run', { urgency: 'now' });
    await page.getByRole('button', { name: /^Sync: *Synced/ }).waitFor();
    await page.getByRole('button', { name: /new items?$/ }).click();
    await shows(page, 'Back on the air');
  });

  it('reports that the service is down, and keeps the list', async () => {
    let down = false;
    const service = await serve({
      intercept: (_request, response) => {
        if (down) {
          const body = { title: 'Down', status: 503, code: 'temporarily_unavailable', requestId: 'req-7' };
          response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '120' });
          response.end(JSON.stringify(body));
        }
        return down;
      },
    });
    const { page, call } = await read({ settings: { newsAddress: service.newsAddress } });
    await rowsOf(page).first().waitFor();
    // The rows are there before the first sync ends, which another one would only join.
    expect((await call('sync.run', { urgency: 'now' })).ok).toBe(true);
    const rows = await rowsOf(page).count();
    down = true;
    expect((await call('sync.run', { urgency: 'now' })).ok).toBe(false);
    await page.getByRole('button', { name: /^Sync: *Can’t sync since/ }).click();
    await page.getByText('The server is temporarily unavailable.').waitFor();
    await page.getByText('req-7').waitFor();
    await expect.poll(() => rowsOf(page).count(), WAIT).toBe(rows);
  });

  it('reverts a status that could not be saved, and reports that Broadsheet has ended', async () => {
    const service = await serve();
    service.control.addItem({ title: 'The last thing read' });
    const { page, reader } = await read({ settings: { newsAddress: service.newsAddress } });
    await shows(page, 'The last thing read');
    await reader.close();
    await rowOf(page, 'The last thing read').click();
    await page.getByText('Couldn’t save the change. Broadsheet isn’t responding.').waitFor();
    await rowOf(page, 'The last thing read').locator('.row.unread').waitFor();
  });
});

/** The titles of the first rows; how many more are drawn depends on what stands above the list. */
async function topTitlesOf(page: Page): Promise<string[]> {
  return (await titlesOf(page)).slice(0, 10);
}

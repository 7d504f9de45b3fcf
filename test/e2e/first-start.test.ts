import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoOptions, type DemoService } from '../../src-main/demo/service.ts';
import { startTestServer, type ReaderOptions, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { WAIT, openPage, rowOf, rowsOf, shows, type OpenPage } from './support/open-page.ts';
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

  it('welcomes, moves nothing meanwhile, shows invented news as such, and leads to a real service', async () => {
    const other = await serve();
    other.control.addItem({ title: 'From the other service' });
    const { page, call, complaints, outside } = await read({ settings: { welcomed: false } });
    const dialog = page.getByRole('dialog', { name: 'Welcome to Broadsheet' });
    const demo = dialog.getByRole('button', { name: 'Read the demo' });
    for (const viewport of [
      { width: 480, height: 800 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, ...viewport });
      await expect.poll(() => demo.isVisible(), WAIT).toBe(true);
    }
    const field = dialog.getByRole('textbox', { name: 'Connect a news service' });
    const before = await field.boundingBox();
    await field.fill('http://127.0.0.1:9');
    await field.press('Enter');
    await dialog.getByText('No service is running at this address.').waitFor();
    expect(await field.boundingBox()).toEqual(before);
    await demo.click();
    await rowsOf(page).first().waitFor();
    // Until this is saved, it would take back what is typed into the settings.
    await expect.poll(async () => (await call('settings.get', {})).welcomed, WAIT).toBe(true);
    await page.getByText('Demo: these stories are invented.').waitFor();
    await page.getByRole('button', { name: 'Connect a news service' }).click();
    const news = page.getByRole('region', { name: 'News service' });
    const address = news.getByLabel('Address');
    expect(await address.evaluate((input) => input === document.activeElement)).toBe(true);
    await address.fill(other.newsAddress);
    await news.getByRole('button', { name: 'Save address' }).click();
    await news.getByText('Connected').waitFor();
    await page.keyboard.press('Escape');
    await shows(page, 'From the other service');
    await page.getByText('Demo: these stories are invented.').waitFor({ state: 'hidden' });
    expect([complaints, outside]).toEqual([[], []]);
  });

  it('continues a failed first download, with its newest items and its progress, to the whole selected set', async () => {
    let down = true;
    const gate = new Gate((url) => url.includes('/selected/snapshot'));
    const service = await serve({
      content: { selected: 1_100, days: 20 },
      intercept: (request, response) => {
        if (!down || !request.url?.includes('/selected/')) return gate.intercept(request, response);
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
    for (const stored of [null, '1,000']) {
      await list.getByRole('progressbar', { name: 'Downloading your news' }).waitFor();
      if (stored !== null) await list.getByText(`${stored} downloaded so far`).waitFor();
      await rowsOf(page).first().waitFor();
      await expect.poll(() => gate.waiting, WAIT).toBe(1);
      gate.letThrough();
    }
    // Some rows stand for several articles on one topic.
    const rowCount = async (): Promise<number> => Number(await rowsOf(page).first().getAttribute('aria-setsize'));
    await expect.poll(rowCount, WAIT).toBeGreaterThan(1_050);
  });

  it('keeps its list while the service is down, which it explains, and when Broadsheet itself has ended', async () => {
    let down = false;
    const service = await serve({
      intercept: (_request, response) => {
        if (down) {
          const body = { title: 'Down', status: 503, code: 'temporarily_unavailable', requestId: 'req-7' };
          response.writeHead(503, { 'content-type': 'application/problem+json' });
          response.end(JSON.stringify(body));
        }
        return down;
      },
    });
    const { page, call, reader } = await read({ settings: { newsAddress: service.newsAddress } });
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
    down = false;
    service.control.addItem({ title: 'Back on the air' });
    await call('sync.run', { urgency: 'now' });
    await page.getByRole('button', { name: /^Sync: *Synced/ }).waitFor();
    await page.getByRole('button', { name: /new items?$/ }).click();
    await shows(page, 'Back on the air');
    await reader.close();
    await rowOf(page, 'Back on the air').click();
    await page.getByText('Couldn’t save the change. Broadsheet isn’t responding.').waitFor();
    await rowOf(page, 'Back on the air').locator('.row.unread').waitFor();
  });
});

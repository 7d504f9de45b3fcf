import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { startTestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { resize } from './support/drawn.ts';
import { WAIT, openPage, rowsOf, shows } from './support/open-page.ts';
import { cutIn, faultsOf } from './support/page-checks.ts';

describe.skipIf(whyNoPage !== null)(titled('the first start'), () => {
  it('welcomes, moves nothing meanwhile, shows invented news as such, and leads to a real service', async () => {
    const other = await startDemoService({ clock: systemClock, content: { selected: 40, days: 5 } });
    other.control.addItem({ title: 'From the other service' });
    const reader = await startTestServer({ settings: { welcomed: false } });
    const browser = await launchChromium();
    onTestFinished(async () => {
      await browser.close();
      await reader.close();
      await other.close();
    });
    // The page's policy keeps axe out.
    const { page, call, complaints, outside } = await openPage(browser, reader.address, { bypassCSP: true });
    const dialog = page.getByRole('dialog', { name: 'Welcome to Broadsheet' });
    const demo = dialog.getByRole('button', { name: 'Read the demo' });
    for (const viewport of [
      { width: 480, height: 800 },
      { width: 1440, height: 900 },
    ]) {
      await resize(page, viewport.width, viewport.height);
      expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, ...viewport });
      await expect.poll(() => demo.isVisible(), WAIT).toBe(true);
      expect(await cutIn(page)).toEqual([]);
    }
    expect(await faultsOf(page)).toEqual([]);
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
});

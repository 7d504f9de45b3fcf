import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { drawn } from './support/drawn.ts';

const STYLE = `<style>
  @keyframes breathe { to { opacity: 0.5 } }
  .loading { animation: breathe 1s infinite alternate }
  .arrived { animation: breathe 200ms forwards }
</style>`;

describe.skipIf(whyNoPage !== null)(titled('waiting until a page is drawn'), () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
  });
  afterAll(() => browser.close());

  it('ends when what was loading has been replaced, and that has faded in', async () => {
    await page.setContent(`${STYLE}<p class="loading">Loading</p>`);
    const waiting = drawn(page);
    await page.evaluate(() => {
      document.querySelector('p')!.outerHTML = '<p class="arrived">Arrived</p>';
    });
    await waiting;
    expect(await page.locator('p').evaluate((element) => getComputedStyle(element).opacity)).toBe('0.5');
  });

  it('includes what starts to fade in the next frame', async () => {
    await page.setContent(`${STYLE}<p>Text</p>`);
    await page.evaluate(() => requestAnimationFrame(() => document.querySelector('p')!.classList.add('arrived')));
    await drawn(page);
    expect(await page.locator('p').evaluate((element) => getComputedStyle(element).opacity)).toBe('0.5');
  });
});

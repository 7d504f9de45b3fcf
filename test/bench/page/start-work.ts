import type { Browser } from 'playwright';

const EMPTY = 'data:text/html,<title>empty</title><p>empty';

/** In ms, from opening a window: the app's newest rows, and an empty page beside it. */
export async function startOnce(browser: Browser, address: string): Promise<{ rows: number; empty: number }> {
  return { empty: await opened(browser, EMPTY, 'p'), rows: await opened(browser, address, '[role=option]') };
}

async function opened(browser: Browser, address: string, until: string): Promise<number> {
  const begun = performance.now();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(until).first().waitFor();
  // It is painted when the frame after the next begins.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const ms = performance.now() - begun;
  await context.close();
  return ms;
}

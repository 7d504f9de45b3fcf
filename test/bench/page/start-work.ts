import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright';

declare global {
  interface Window {
    /** Ends in the task after the frame with the first entry. */
    firstRows: Promise<void>;
  }
}

export interface EmptyPage {
  address: string;
  close(): Promise<void>;
}

/** What the floor opens: the plainest page with one entry, from a server on this computer, as the app's page is. */
export async function serveEmptyPage(): Promise<EmptyPage> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><title>empty</title><div role="listbox"><p role="option">empty</p></div>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** In ms, from opening a window: the app's newest rows, and an empty page beside it. */
export async function startOnce(
  browser: Browser,
  address: string,
  emptyAddress: string,
): Promise<{ rows: number; empty: number }> {
  return { empty: await opened(browser, emptyAddress), rows: await opened(browser, address) };
}

async function opened(browser: Browser, address: string): Promise<number> {
  const begun = performance.now();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watchForRows);
  await page.goto(address, { waitUntil: 'commit' });
  // A locator would look again after 20, 50, 100, 100 and then every 500 ms: too coarse for what takes less than that.
  await page.evaluate(() => window.firstRows);
  const ms = performance.now() - begun;
  await context.close();
  return ms;
}

/** Runs in the page, before anything else of it. */
function watchForRows(): void {
  window.firstRows = new Promise((resolve) => {
    const look = (): void => {
      if (document.querySelector('[role=option]') === null) return;
      watcher.disconnect();
      requestAnimationFrame(() => {
        // The frame is painted before the next task.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      });
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document, { childList: true, subtree: true });
  });
}

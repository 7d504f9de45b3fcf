import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { LAUNCH } from '../../e2e/support/chromium.ts';

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

/** Serves the floor: the simplest page with one entry, from a server on this computer, as the app's page is. */
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

const WINDOW = { viewport: { width: 1440, height: 900 } };

/** How a window comes to be; `page` is a name for what it shows, which has a profile of its own. */
type Opening = (page: string) => Promise<BrowserContext>;

/** A window of a browser that runs, and knows nothing: no cache, nothing compiled. */
export function freshWindow(browser: Browser): Opening {
  return () => browser.newContext(WINDOW);
}

/** A browser that starts, with the profile that it had before, as a desktop app or a reader's browser does. */
export function startedBrowser(profiles: string): Opening {
  return (page) => chromium.launchPersistentContext(join(profiles, page), { ...LAUNCH, ...WINDOW });
}

/** In ms, until the first rows are painted: the app's newest ones, and an empty page beside it. */
export async function startOnce(
  open: Opening,
  address: string,
  emptyAddress: string,
): Promise<{ rows: number; empty: number }> {
  return { empty: await shown(() => open('empty'), emptyAddress), rows: await shown(() => open('app'), address) };
}

async function shown(open: () => Promise<BrowserContext>, address: string): Promise<number> {
  const begun = performance.now();
  const context = await open();
  const page = context.pages()[0] ?? (await context.newPage());
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
  // A day begins with Today. The list, which is loaded behind it, is not seen; the empty page has no views.
  const shown = '.view:not(.away) :is([role=option], [data-headline]), body > [role=listbox] > [role=option]';
  window.firstRows = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`No entries: ${document.body.innerText.slice(0, 500)}`)), 60_000);
    const look = (): void => {
      if (document.querySelector(shown) === null) return;
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

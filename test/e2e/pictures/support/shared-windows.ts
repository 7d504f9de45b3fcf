import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { openPage, type OpenPage } from '../../support/open-page.ts';

/** What a window is opened with. */
export interface Opening {
  address: () => string;
  options?: BrowserContextOptions;
  prepare?: (page: Page) => Promise<unknown>;
}

const FIRST_SIZE = { width: 1440, height: 900 };

/**
 * Windows that are used several times, one user after the other: each starts the page anew, without what the one before it
 * stored.
 */
export class SharedWindows {
  readonly #browser: () => Browser;
  readonly #windows: { key: unknown; prepare: Opening['prepare']; open: OpenPage }[] = [];

  constructor(browser: () => Browser) {
    this.#browser = browser;
  }

  /** A window whose user fails is closed: nobody knows what it shows. */
  async use(opening: Opening, locale: string, run: (open: OpenPage) => Promise<void>): Promise<void> {
    // The page's policy keeps axe out.
    const { viewport = FIRST_SIZE, ...options } = { bypassCSP: true, ...opening.options };
    const key = { address: opening.address(), locale, options };
    const known = this.#windows.find(
      (window) => window.prepare === opening.prepare && isDeepStrictEqual(window.key, key),
    );
    if (known) await startAgain(known.open, key.address, viewport ?? FIRST_SIZE);
    const open =
      known?.open ?? (await openPage(this.#browser(), key.address, { ...options, locale, viewport }, opening.prepare));
    if (!known) this.#windows.push({ key, prepare: opening.prepare, open });
    try {
      await run(open);
    } catch (error) {
      this.#windows.splice(
        this.#windows.findIndex((window) => window.open === open),
        1,
      );
      await open.close();
      throw error;
    }
  }
}

async function startAgain(
  { page, complaints }: OpenPage,
  address: string,
  viewport: { width: number; height: number },
): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme: null });
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  complaints.length = 0;
  const listening = page.waitForResponse((response) => response.url().endsWith('/events'));
  await page.goto(address);
  await listening;
}

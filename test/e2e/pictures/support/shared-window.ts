import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { expect } from 'vitest';
import { openPage, reopen, WAIT, type OpenPage } from '../../support/open-page.ts';

/** The needs of a scene. */
export interface Opening {
  address: () => string;
  options?: BrowserContextOptions;
  /** True if the page has to be reloaded in a window that was used before. */
  afresh?: boolean;
}

const FIRST_SIZE = { width: 1440, height: 900 };

/**
 * A window that is used several times, one user after the other: each begins at the first view, with nothing open. What the
 * one before it chose there is as it was left, unless the page is loaded afresh.
 */
export class SharedWindow {
  readonly #browser: () => Browser;
  #open: OpenPage | null = null;

  constructor(browser: () => Browser) {
    this.#browser = browser;
  }

  /** Closes the window if its user fails: its state is unknown. Of the options only the size is used. */
  async use(opening: Opening, locale: string, run: (open: OpenPage) => Promise<void>): Promise<void> {
    const viewport = opening.options?.viewport ?? FIRST_SIZE;
    const known = this.#open;
    // The page's policy keeps axe out.
    const open = known ?? (await openPage(this.#browser(), opening.address(), { bypassCSP: true, locale, viewport }));
    this.#open = open;
    try {
      if (known) await begin(open, viewport, opening);
      await run(open);
    } catch (error) {
      this.#open = null;
      await open.close();
      throw error;
    }
  }
}

/** Makes a window that was used before ready for its next user. */
async function begin(open: OpenPage, viewport: { width: number; height: number }, { afresh }: Opening): Promise<void> {
  const { page, complaints } = open;
  if (!afresh) await closeAll(page);
  await page.setViewportSize(viewport);
  complaints.length = 0;
  await (afresh ? startAgain(open) : goBack(page));
}

/** Reloads the page without its stored data. Its key stays. */
async function startAgain(open: OpenPage): Promise<void> {
  await open.page.evaluate(() => {
    for (const name of Object.keys(localStorage)) if (name !== 'broadsheet.key') localStorage.removeItem(name);
    sessionStorage.clear();
  });
  await reopen(open);
}

/** Elements that Escape closes. */
const OVER = 'dialog[open], [role=menu], .panel';

/** Closes what lies over the page. */
async function closeAll(page: Page): Promise<void> {
  // A popover gets the key only with the focus in it, but closes when something else is pressed.
  await page.evaluate(() => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })));
  // An element that was just opened may appear only after the first look. The keyboard is the page's when a closed
  // dialog is removed.
  const left = async (): Promise<number> => {
    for (let over = await page.locator(OVER).count(); over > 0; over -= 1) await page.keyboard.press('Escape');
    return page.locator(`dialog, ${OVER}`).count();
  };
  await expect.poll(left, WAIT).toBe(0);
}

/** Goes back to the page's first location: a load costs as much as the rest of a scene. */
async function goBack(page: Page): Promise<void> {
  const went = await page.evaluate(async () => {
    const popped = (): Promise<unknown> => new Promise((done) => addEventListener('popstate', done, { once: true }));
    // The button of a mouse for "back", for the page has to note first where it is.
    const first = popped();
    const from = (history.state as { at: number }).at;
    dispatchEvent(new MouseEvent('mouseup', { button: 3, cancelable: true }));
    if (from === 0 && (history.state as { at: number }).at === 0) return false;
    await first;
    const { at } = history.state as { at: number };
    if (at === 0) return true;
    const last = popped();
    history.go(-at);
    await last;
    return true;
  });
  await page.locator('#feed-list').getByRole('heading', { level: 1 }).waitFor();
  // The way back ends when the list has the focus.
  if (went) await expect.poll(() => page.evaluate(() => document.activeElement !== document.body), WAIT).toBe(true);
}

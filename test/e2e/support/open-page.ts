import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { Args, MethodName, Reply, Result } from '../../../src-main/contract/methods.ts';
import { fromFailure } from '../../../src-main/contract/errors.ts';
import { writeLocation } from '../../../src-main/contract/location.ts';
import { callsOf, type Calls } from './calls.ts';
import type { Scene } from './scene.ts';

/** How long to wait for something to appear on a busy computer. */
export const WAIT = { timeout: 30_000, interval: 40 };

export interface OpenPage extends Calls {
  page: Page;
  /** Console errors, including policy violations, and uncaught exceptions. */
  complaints: string[];
  /** Requested addresses on other hosts; the browser reaches none of them. */
  outside: string[];
  close(): Promise<void>;
}

/** How a page is opened. */
export interface PageOptions extends BrowserContextOptions {
  /** True to begin at the last place, or with Today. Default: at the list, because tests share a server. */
  atLastPlace?: boolean;
}

/**
 * Opens a separate browser window, without cookies or storage, at the printed address, and waits until it receives
 * events and notes where the reader goes. `prepare` runs before the page is loaded, so that its replacements apply from the start, without a second
 * load. Costs more than twice as much as {@link reopen}.
 */
export async function openPage(
  browser: Browser,
  address: string,
  { atLastPlace = false, ...options }: PageOptions = {},
  prepare: (page: Page) => Promise<unknown> = () => Promise.resolve(),
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  context.setDefaultTimeout(WAIT.timeout);
  const outside: string[] = [];
  context.on('request', (request) => {
    if (isOutside(new URL(request.url()))) outside.push(request.url());
  });
  const page = await context.newPage();
  if (!atLastPlace) await page.addInitScript(startAtList, LIST);
  const complaints = listenToComplaints(page);
  await prepare(page);
  await load(page, address);
  return {
    page,
    complaints,
    outside,
    // A call that bypasses the page's code, with its cookie, key and origin.
    async call(method, args) {
      const reply = await callFrom(page, method, args);
      if (reply.ok) return reply.value;
      throw fromFailure(reply.error);
    },
    close: () => context.close(),
  };
}

/**
 * Opens a page once the first download is complete: rows that still arrive would be none of a test's, and a page that shows
 * them as they come has more work than one that is loaded again.
 */
export async function openFilled({ browser, reader }: Scene, options: PageOptions = {}): Promise<OpenPage> {
  await (await callsOf(reader.address)).call('sync.run', { urgency: 'now' });
  return openPage(browser, reader.address, options);
}

const LIST = writeLocation({ view: 'feed', query: { scope: 'selected', window: 'any', state: 'any' }, open: [] });

const begun = new WeakSet<OpenPage>();

/** Before each test of a window: the page as it was opened, and from the second test on as {@link reopen} loads it. */
export async function begin(open: OpenPage): Promise<void> {
  if (begun.has(open)) await reopen(open);
  begun.add(open);
}

let loads = 0;

/** Reloads the page in the same window, at the list. */
export async function reopen({ page }: OpenPage): Promise<void> {
  for (const other of page.context().pages()) if (other !== page) await other.close();
  const { origin } = new URL(page.url());
  // At the same address it would be where it was. A detour by an empty page would start another process.
  loads += 1;
  await load(page, `${origin}/?load=${loads}`);
}

async function load(page: Page, address: string): Promise<void> {
  const listening = page.waitForResponse((response) => response.url().endsWith('/events'));
  await page.goto(address);
  await listening;
  // Where the reader goes before it follows the history is its first location, in place of the list.
  await page.waitForFunction(() => history.state !== null);
}

/** Runs before the page's code. */
function startAtList(place: string): void {
  const ask = window.fetch.bind(window);
  window.fetch = (input, init) =>
    input === '/call/app.lastPlace'
      ? Promise.resolve(Response.json({ ok: true, value: { place, savedAt: new Date().toISOString() } }))
      : ask(input, init);
}

function listenToComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

function isOutside({ protocol, hostname }: URL): boolean {
  return protocol.startsWith('http') && hostname !== '127.0.0.1';
}

function callFrom<M extends MethodName>(page: Page, method: M, args: Args<M>): Promise<Reply<Result<M>>> {
  const sent = { path: `/call/${method}`, body: JSON.stringify(args) };
  return page.evaluate(async ({ path, body }) => {
    const authorization = `Bearer ${localStorage.getItem('broadsheet.key') ?? ''}`;
    const headers = { 'content-type': 'application/json', authorization };
    const response = await fetch(path, { method: 'POST', headers, body });
    return (await response.json()) as Reply<Result<M>>;
  }, sent);
}

/** The rendered rows of the list, from the top; rows far outside the viewport are not rendered. */
export function rowsOf(page: Page): Locator {
  return page.getByRole('listbox').getByRole('option');
}

export function rowOf(page: Page, title: string): Locator {
  return rowsOf(page).filter({ hasText: title });
}

/** Chooses an entry of the list's menu. */
export async function chooseInList(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More actions for this list' }).click();
  await page.getByRole('menuitem', { name }).click();
}

export function titlesOf(page: Page): Promise<string[]> {
  return rowsOf(page).locator('.title').allInnerTexts();
}

/** The box of the search. */
function searchBoxOf(page: Page): Locator {
  return page.getByRole('textbox', { name: /^(Search items|搜索条目)/ });
}

/** The rows of the search, in place of the list. */
export function foundIn(page: Page): Locator {
  return page.locator('#search-list').getByRole('option');
}

/** Opens the search by its key. */
export async function openSearch(page: Page): Promise<Locator> {
  // Nothing handles the key until the page is there.
  await page.locator('.app').waitFor();
  await page.keyboard.press('/');
  await page.locator('#search-list').waitFor();
  return searchBoxOf(page);
}

/** Searches for a text, and shows the list of all items that match. */
export async function searchItems(page: Page, text: string): Promise<void> {
  const box = await openSearch(page);
  const list = page.locator('#search-list').getByRole('button', { name: /^(Filters|筛选)$/ });
  // The search index follows what was saved after a moment.
  const found = async (): Promise<number> => {
    await box.fill('');
    await box.fill(text);
    await list.waitFor({ timeout: 2_000 }).catch(() => undefined);
    return list.count();
  };
  await expect.poll(found, WAIT).toBe(1);
  await list.click();
  await page.locator('#feed-list h1', { hasText: /match|结果/ }).waitFor();
  // The filters are open then.
  await page
    .locator('#feed-list')
    .getByRole('button', { name: /^(Filters|筛选)$/ })
    .click();
}

/** Waits until the list has a row with this title. */
export async function shows(page: Page, title: string): Promise<void> {
  await rowOf(page, title).first().waitFor();
}

/** The title of the open item. */
export async function readingTitle(page: Page): Promise<string> {
  return page.locator('#article-title').innerText();
}

export async function expectReading(page: Page, title: string): Promise<void> {
  await expect.poll(() => readingTitle(page), WAIT).toBe(title);
}

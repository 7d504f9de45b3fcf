import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEMO_KEY } from '../../src-main/contract/model/model.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { noteFigures } from '../support/figures.ts';
import { HOSTILE_TEXTS, RAN, startHostileTexts, type HostileTexts } from '../support/hostile/hostile-texts.ts';
import { isWhole } from '../support/proofs.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { callsOf, type Calls } from './support/calls.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openView, pressGo, rowsOfView, storeEverything } from './support/desktop.ts';
import { foundIn, openPage, openSearch, rowsOf, WAIT, type OpenPage } from './support/open-page.ts';

const WIDE = { width: 1440, height: 900 };
const WINDOWS = isWhole ? [WIDE, { width: 480, height: 800 }] : [WIDE];
/** Each turn puts other attacks before the same texts. */
const TURNS = isWhole ? HOSTILE_TEXTS.length / 4 : 1;
/** Items, topics and stories that are opened in each window. */
const OPENED = isWhole ? 6 : 1;
/** ms. The page never stands still for so long, however busy the computer is. */
const ENDLESS = 15_000;
/** px. What scrolls sideways, such as the table of models, may be wider than the window, but not without a bound. */
const WIDEST = 12_000;

/** Actions of the page since it was opened that no text may cause. */
interface Watched {
  dialogs: string[];
  violations: string[];
  longest: number;
}

const counts = {
  views: 0,
  'scripts run': 0,
  dialogs: 0,
  'requests to other hosts': 0,
  'policy violations': 0,
  'layouts too wide': 0,
};
let longest = 0;

/** Before the page is loaded: records violations of its policy, and its tasks. */
function watch(): void {
  const kept = { violations: [] as string[], longest: 0 };
  Object.assign(window, { watched: kept });
  addEventListener('securitypolicyviolation', (event) =>
    kept.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  );
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) kept.longest = Math.max(kept.longest, duration);
  }).observe({ entryTypes: ['longtask'] });
}

/** Elements that only markup in a text can have made, and what is wider than it may be. */
function wrongInPage([ran, widest]: [string, number]): { injected: string[]; wide: string[] } {
  const injected: string[] = [];
  const wide: string[] = [];
  if (ran in window) injected.push('a script ran');
  for (const element of document.querySelectorAll<HTMLElement>('*')) {
    const name = element.tagName.toLowerCase();
    if (['iframe', 'object', 'embed', 'base'].includes(name)) injected.push(name);
    if (name === 'script' && !(element as HTMLScriptElement).src.startsWith(location.origin)) injected.push(name);
    for (const attribute of element.getAttributeNames()) if (attribute.startsWith('on')) injected.push(attribute);
    const address = element.getAttribute('href') ?? element.getAttribute('src') ?? '';
    if (/^\s*(javascript|vbscript|data:text|file):?/i.test(address)) injected.push(address.slice(0, 60));
    const { overflowX } = getComputedStyle(element);
    const scrolls = overflowX === 'auto' || overflowX === 'scroll';
    if (scrolls && element.clientWidth > 0 && element.scrollWidth > widest)
      wide.push(`${name}.${element.className} ${element.scrollWidth}`);
  }
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) wide.push(`the page, by ${over} px`);
  return { injected, wide };
}

describe.skipIf(whyNoPage !== null)(titled('hostile texts in every view'), () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    if (isWhole)
      noteFigures({
        what: 'looks at a view with hostile texts',
        amount: counts.views,
        counts: { ...counts, 'longest task of the page': `${longest.toFixed(0)} ms` },
      });
  });

  /** A host whose mirror is full of hostile texts, and a page of it in each window. */
  async function openScene(turn: number) {
    const service = await startDemoService({
      clock: systemClock,
      content: { selected: 40, unselected: 10, days: 8, until: systemClock.now() - 3_600_000 },
      models: 30,
    });
    const news: HostileTexts = await startHostileTexts(service.newsAddress, turn);
    const reader: TestServer = await startTestServer({
      settings: { newsAddress: news.address, modelsAddress: news.address },
      environment: { BROADSHEET_MODELS_KEY: DEMO_KEY },
    });
    onTestFinished(async () => {
      await reader.close();
      await news.close();
      await service.close();
    });
    return { service, news, reader };
  }

  /** A page that records what no text may make it do. */
  async function openWatched(address: string, viewport: { width: number; height: number }) {
    const watched: Watched = { dialogs: [], violations: [], longest: 0 };
    const open = await openPage(browser, address, { viewport }, (page) => {
      page.on('dialog', (dialog) => {
        watched.dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      return page.addInitScript(watch);
    });
    return { open, watched };
  }

  /** Fills the reader's data with the same texts, and changes the service since. */
  async function fill({ call }: Calls, service: DemoService, turn: number): Promise<void> {
    await call('sync.run', { urgency: 'now' });
    const { rows } = await call('items.page', { query: { scope: 'all', window: 'any', state: 'any' }, limit: 10 });
    for (const [at, { id }] of rows.entries()) {
      const text = HOSTILE_TEXTS[(at + turn) % HOSTILE_TEXTS.length] ?? '';
      await call('notes.set', { kind: 'item', id, text: text.slice(0, 5_000) });
    }
    const name = (HOSTILE_TEXTS[turn % 8] ?? '').slice(0, 60);
    await call('saved.add', { name, query: 'the', notify: true });
    service.control.addItem({ title: `The newest ${turn}`, selected: true });
    const [model] = service.control.models('models');
    if (model) service.control.editModel('models', model.id, { name: 'A new name for the model' });
    await call('sync.run', { urgency: 'now' });
  }

  /** Expects the page to be safe, wherever it is. */
  async function look(open: OpenPage, watched: Watched, what: string): Promise<void> {
    const { page, complaints, outside } = open;
    const { injected, wide } = await page.evaluate(wrongInPage, [RAN, WIDEST] as [string, number]);
    const seen = await page.evaluate(() => (window as never as { watched: Omit<Watched, 'dialogs'> }).watched);
    longest = Math.max(longest, seen.longest);
    counts.views += 1;
    counts['scripts run'] += injected.length;
    counts.dialogs += watched.dialogs.length;
    counts['requests to other hosts'] += outside.length;
    counts['policy violations'] += seen.violations.length;
    counts['layouts too wide'] += wide.length;
    expect({ what, injected, wide, outside, complaints, ...watched, violations: seen.violations }).toEqual({
      what,
      injected: [],
      wide: [],
      outside: [],
      complaints: [],
      dialogs: [],
      violations: [],
      longest: 0,
    });
    expect(seen.longest, what).toBeLessThan(ENDLESS);
    expect(page.context().pages()).toHaveLength(1);
  }

  it.each(Array.from({ length: TURNS }, (_, turn) => turn))('are shown as text, turn %i', async (turn) => {
    const { service, news, reader } = await openScene(turn);
    const filling = await callsOf(reader.address);
    await fill(filling, service, turn);
    await storeEverything(filling);
    expect(news.sent()).toBeGreaterThan(5);
    // Each window is opened by itself: a narrow one would go on with what was opened in another.
    for (const viewport of WINDOWS) {
      const { open, watched } = await openWatched(reader.address, viewport);
      const at = (what: string): Promise<void> => look(open, watched, `${what}, ${viewport.width} px, turn ${turn}`);
      await lookAtNews(open.page, at);
      await lookAtStories(open.page, at);
      await lookAtReports(open.page, at);
      await lookAtModels(open.page, at);
      await lookAtOthers(open.page, at);
      await open.close();
    }
  });
});

type Look = (what: string) => Promise<void>;

/** In a narrow window, back to the list. */
async function back(page: Page): Promise<void> {
  const button = page.locator('.view:not(.away)').getByRole('button', { name: /^Back to the (list|table)$/ });
  if (await button.isVisible()) await button.click();
}

/** A view, from whatever is open. */
async function goTo(page: Page, view: string, tab?: string): Promise<void> {
  await back(page);
  await openView(page, view, tab);
}

async function lookAtNews(page: Page, look: Look): Promise<void> {
  await goTo(page, 'All items');
  await rowsOf(page).first().waitFor();
  await look('the list');
  for (let n = 0; n < OPENED; n += 1) {
    const row = rowsOf(page).nth(n);
    if ((await row.count()) === 0) break;
    await row.click();
    await page.locator('#article-title').waitFor();
    await look(`item ${n}`);
    await back(page);
  }
}

async function lookAtStories(page: Page, look: Look): Promise<void> {
  for (const [name, view] of [
    ['Hot', 'hotTopics'],
    ['All', 'stories'],
  ] as const) {
    await goTo(page, 'Topics', name);
    await expect.poll(() => page.locator(`#${view}-list`).count(), WAIT).toBe(1);
    await look(name);
    const rows = rowsOfView(page, view);
    await rows.first().waitFor();
    for (let n = 0; n < Math.min(OPENED, await rows.count()); n += 1) {
      await rows.nth(n).click();
      await page.locator(`#${view}-reading`).getByRole('heading').first().waitFor();
      await look(`${name} ${n}`);
      await back(page);
    }
  }
}

async function lookAtReports(page: Page, look: Look): Promise<void> {
  await goTo(page, 'Reports');
  const reports = page.getByRole('list', { name: 'List: Dailies' }).getByRole('button');
  await reports.first().waitFor();
  await look('the reports');
  await reports.first().click();
  await page.locator('#report-title').waitFor();
  await look('a daily');
  await back(page);
}

async function lookAtModels(page: Page, look: Look): Promise<void> {
  await goTo(page, 'Models');
  const rows = page.getByRole('grid').getByRole('row');
  await rows.nth(1).waitFor();
  await look('the models');
  await page.locator('#models-list').getByRole('grid').focus();
  for (const key of ['Home', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.locator('#model-title').waitFor();
  await look('a model');
  await back(page);
  await page.locator('#models-list').getByRole('button', { name: 'More actions for this list' }).click();
  await page.getByRole('menuitem', { name: 'Changes' }).click();
  await look('the changes of the models');
  await page.getByRole('button', { name: 'Back to the table' }).click();
}

async function lookAtOthers(page: Page, look: Look): Promise<void> {
  for (const [key, name] of [
    ['o', 'Sources'],
    ['c', 'Sources'],
    ['n', 'Saved'],
  ] as const) {
    await pressGo(page, key);
    await page.locator('.view:not(.away)').getByRole('heading', { level: 1, name }).waitFor();
    await look(`${name} by ${key}`);
  }
  const box = await openSearch(page);
  const hits = foundIn(page);
  for (const text of ['the', 'script', HOSTILE_TEXTS[8] ?? '', '"'.repeat(200)]) {
    await box.fill(text);
    // The search at the service is offered at once; what is found comes after it.
    if (/^\w+$/.test(text)) await expect.poll(() => hits.count(), WAIT).toBeGreaterThan(1);
    await look(`a search for ${JSON.stringify(text.slice(0, 20))}`);
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog').getByRole('combobox');
  await palette.waitFor();
  for (const text of ['', 'script', 'the']) {
    await palette.fill(text);
    await look(`the palette for "${text}"`);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await goTo(page, 'All items');
  const bell = page.getByRole('button', { name: /^(Notifications|New notifications)/ });
  if (await bell.first().isVisible()) {
    await bell.first().click();
    await page.getByRole('dialog').waitFor();
    await look('the notifications');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

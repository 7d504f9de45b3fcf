import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { callsOf, type Calls } from './support/calls.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import {
  begin,
  expectReading,
  openFilled,
  type OpenPage,
  rowOf,
  rowsOf,
  searchItems,
  shows,
  titlesOf,
  WAIT,
} from './support/open-page.ts';

/** Somewhat longer than a row has to be in view to count as seen. */
const SEEN_MS = 450;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FIRST = 'A new reasoning model from a small lab';
const SECOND = '小实验室发布新的推理模型';
const THIRD = 'Nothing to reason about';

/** One installation, service and window for all tests; each test reloads the page and resets its changes. */
describe.skipIf(whyNoPage !== null)(titled('reading the news'), () => {
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;
  let calls: Calls;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    const now = systemClock.now();
    service = await startDemoService({
      clock: systemClock,
      content: { selected: 240, days: 6, until: now - HOUR },
    });
    for (const [index, title] of [FIRST, SECOND, THIRD].entries()) {
      const discoveredAt = new Date(now - index * MINUTE).toISOString();
      service.control.addItem({ title, discoveredAt, category: 'paper', score: 88 });
    }
    [reader, browser] = await Promise.all([
      startTestServer({ settings: { newsAddress: service.newsAddress } }),
      launchChromium(),
    ]);
    calls = await callsOf(reader.address);
    open = await openFilled(browser, reader.address);
    page = open.page;
  });
  beforeEach(async () => {
    await begin(open);
    await shows(page, FIRST);
    return async () => {
      const ids = await idsWithMarks(calls);
      for (const mark of ['unread', 'unstar'] as const)
        if (ids.length > 0) await calls.call('items.mark', { ids, mark });
      await calls.call('settings.set', { patch: { singleKeys: true, readOnScroll: false } });
    };
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  it('lists the newest first and opens an item, which marks it as read, and its original', async () => {
    expect((await titlesOf(page)).slice(0, 3)).toEqual([FIRST, SECOND, THIRD]);
    await expect.poll(() => rowOf(page, SECOND).locator('.row.unread').count(), WAIT).toBe(1);
    await rowOf(page, SECOND).click();
    await expectReading(page, SECOND);
    await rowOf(page, SECOND).locator('.row:not(.unread)').waitFor();
    expect(await rowOf(page, SECOND).getAttribute('aria-selected')).toBe('true');
    await page.getByText('About this item').click();
    await expect.poll(() => page.getByRole('meter', { name: 'Score 88 of 100' }).count(), WAIT).toBe(1);
    await page.getByRole('button', { name: 'More actions for this article' }).click();
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
    await rowOf(page, SECOND).locator('.row.unread').waitFor();
    expect(open.outside).toEqual([]);
    const original = page.context().waitForEvent('page');
    await page.keyboard.press('o');
    await original;
    await expect.poll(() => open.outside).toHaveLength(1);
  });

  it('finds single characters and phrases, one search after the other, and highlights them', async () => {
    const searches = [
      ['模', SECOND, ['模']],
      ['"new reasoning model"', FIRST, ['new reasoning model']],
    ] as const;
    for (const [text, title, hits] of searches) {
      await searchItems(page, text);
      await page.locator('#feed-list h1', { hasText: / match(es)?$/ }).waitFor();
      await shows(page, title);
      const marked = rowOf(page, title).locator('.title mark');
      await expect.poll(() => marked.allInnerTexts(), { ...WAIT, message: text }).toEqual(hits);
      await page.keyboard.press('Escape');
      await shows(page, THIRD);
    }
  });

  it('does not move the list while news are added, changed and removed', async () => {
    await page.getByRole('listbox').evaluate((list) => list.scrollTo({ top: 600 }));
    await expect.poll(async () => (await titlesOf(page)).length > 0 && (await topOf(page)) === 600, WAIT).toBe(true);
    const [revised, withdrawn] = (await rowsInSight(page)) as [string, string];
    const before = await placeOf(page, revised);
    const arrival = service.control.addItem({ title: 'Hot off the press' });
    service.control.editItem(idOf(revised), { title: 'Put right by the service' });
    service.control.withdraw(idOf(withdrawn));
    await open.call('sync.run', { urgency: 'now' });
    const pill = page.getByRole('button', { name: '1 new item' });
    await pill.waitFor();
    await page.locator(`[id="${revised}"]`).filter({ hasText: 'Put right by the service' }).waitFor();
    await page.locator(`[id="${withdrawn}"]`).getByText('Withdrawn').waitFor();
    expect(await placeOf(page, revised)).toEqual(before);
    await pill.click();
    await shows(page, 'Hot off the press');
    expect((await titlesOf(page))[0]).toBe('Hot off the press');
    service.control.withdraw(arrival.id);
    service.control.restore(idOf(withdrawn));
    await open.call('sync.run', { urgency: 'now' });
  });

  it('marks rows that were seen and scrolled past, if that is set, and the undo takes them back', async () => {
    const marked = (): Promise<string[]> => idsWithMarks(calls);
    const list = page.getByRole('listbox');
    /** Turns the wheel over the list, as a reader does, until it is there. */
    const scroll = async (by: number): Promise<void> => {
      const to = Math.max(0, (await topOf(page)) + by);
      await list.hover();
      await page.mouse.wheel(0, by);
      await expect.poll(() => topOf(page), WAIT).toBe(to);
    };
    const height = (await rowsOf(page).first().boundingBox())?.height ?? 0;
    await lookFor(page, SEEN_MS);
    await scroll(height * 4);
    // Nothing is marked before it is set: what was passed until now stays unread.
    await scroll(-height * 4);
    await open.call('settings.set', { patch: { readOnScroll: true, singleKeys: false } });
    await page.getByText('to browse the list').waitFor({ state: 'hidden' });
    const before = await rowsInSight(page);
    await lookFor(page, SEEN_MS);
    await scroll(height * 4);
    await expect.poll(async () => (await marked()).toSorted(), WAIT).toEqual(before.slice(0, 4).map(idOf).toSorted());
    await lookFor(page, SEEN_MS);
    await scroll(height * 2);
    await expect.poll(async () => (await marked()).toSorted(), WAIT).toEqual(before.slice(0, 6).map(idOf).toSorted());
    await expect.poll(() => rowsOf(page).locator('.row:not(.unread)').count(), WAIT).toBe(6);
    await page.keyboard.press('Control+z');
    await expect.poll(marked, WAIT).toEqual([]);
    await expect.poll(() => rowsOf(page).locator('.row:not(.unread)').count(), WAIT).toBe(0);
  });
});

/** Lets the page be seen for this many ms of its own clock. */
async function lookFor(page: Page, ms: number): Promise<void> {
  const until = (await page.evaluate(() => performance.now())) + ms;
  await page.waitForFunction((end) => performance.now() > end, until);
}

async function idsWithMarks({ call }: Calls): Promise<string[]> {
  const { rows } = await call('items.page', { query: { scope: 'all', window: 'any', state: 'any' }, limit: 500 });
  return rows.filter(({ state }) => state.readAt !== null || state.starredAt !== null).map(({ id }) => id);
}

/** The `id` attributes of the rows that are completely visible. */
function rowsInSight(page: Page): Promise<string[]> {
  return page.getByRole('listbox').evaluate((list) => {
    const window = list.getBoundingClientRect();
    const inside = [...list.querySelectorAll('[role=option]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= window.top && bottom <= window.bottom;
    });
    return inside.map((row) => row.id);
  });
}

function topOf(page: Page): Promise<number> {
  return page.getByRole('listbox').evaluate((list) => list.scrollTop);
}

function placeOf(page: Page, row: string) {
  return page.locator(`[id="${row}"]`).boundingBox();
}

function idOf(row: string): string {
  return row.replace(/^item-/, '');
}

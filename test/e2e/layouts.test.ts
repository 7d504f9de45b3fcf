import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openView } from './support/desktop.ts';
import {
  WAIT,
  begin,
  chooseInList,
  expectReading,
  openPage,
  rowOf,
  rowsOf,
  shows,
  type OpenPage,
} from './support/open-page.ts';

const TITLE =
  'A headline that goes on for so long that no line of any window could hold the whole of it without breaking it';
const HEIGHT = 800;
const ENTRIES = ['Today', 'Picks', 'All items', 'Saved', 'Topics', 'Reports', 'Models'];

describe.skipIf(whyNoPage !== null)(titled('the page in different windows'), () => {
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    const until = systemClock.now() - 3_600_000;
    service = await startDemoService({ clock: systemClock, content: { selected: 60, days: 5, until } });
    service.control.addItem({ title: TITLE, source: { name: 'x'.repeat(300) } });
    [reader, browser] = await Promise.all([
      startTestServer({ settings: { newsAddress: service.newsAddress, modelsAddress: service.modelsAddress } }),
      launchChromium(),
    ]);
    open = await openPage(browser, reader.address);
    ({ page } = open);
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  beforeEach(async () => {
    await begin(open);
    await shows(page, TITLE);
  });

  it('shows the panes that fit, without horizontal scrolling', async () => {
    for (const { width, panes, withItem } of [
      { width: 480, panes: ['list'], withItem: ['article'] },
      { width: 720, panes: ['list'], withItem: ['article'] },
      { width: 1000, panes: ['list', 'article'], withItem: ['list', 'article'] },
      { width: 1440, panes: ['views', 'list', 'article'], withItem: ['views', 'list', 'article'] },
    ]) {
      await page.setViewportSize({ width, height: HEIGHT });
      await expect.poll(() => panesOf(page), WAIT).toEqual(panes);
      expect(await overflowOf(page)).toBe(0);
      await rowOf(page, TITLE).click();
      await expectReading(page, TITLE);
      await expect.poll(() => panesOf(page), WAIT).toEqual(withItem);
      expect(await overflowOf(page)).toBe(0);
      await page.keyboard.press('Escape');
    }
  });

  it('shows at least three rows at 200 % of a common screen, which is 720 by 450 px', async () => {
    await page.setViewportSize({ width: 720, height: 450 });
    await shows(page, TITLE);
    await expect.poll(() => wholeRowsOf(page), WAIT).toBeGreaterThanOrEqual(3);
  });

  it('has headings that are not cut, and nothing that overflows, 320 px wide', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const view of ['Reports', 'Models', 'Topics', 'Saved']) {
      await openView(page, view);
      const heading = page.getByRole('heading', { level: 1, name: view });
      expect(await heading.evaluate((h1) => h1.scrollWidth - h1.clientWidth), view).toBe(0);
      // In one line, or broken between words.
      const words = await heading.evaluate((h1) => h1.textContent.split(' ').length);
      const lines = await heading.evaluate(
        (h1) => h1.clientHeight / Number.parseFloat(getComputedStyle(h1).lineHeight),
      );
      expect(Math.round(lines), view).toBeLessThanOrEqual(words);
      expect(await overflowOf(page), view).toBe(0);
    }
  });

  it('opens a panel above its button where there is no room below, and keeps it there as it grows', async () => {
    await page.setViewportSize({ width: 1440, height: HEIGHT });
    const button = page.getByRole('button', { name: /^Sync:/ });
    const top = await button.evaluate((element) => element.getBoundingClientRect().top);
    await button.click();
    const panel = page.locator('.panel');
    const before = await spanOf(panel);
    expect(before).toMatchObject({ isInside: true, cut: 0 });
    expect(before.bottom).toBeLessThanOrEqual(top);
    await grow(panel, 200);
    await expect.poll(() => spanOf(panel), WAIT).toMatchObject({ isInside: true, cut: 0, bottom: before.bottom });
  });

  it('aligns the menus of an article with their buttons', async () => {
    for (const width of [1440, 480]) {
      await page.setViewportSize({ width, height: HEIGHT });
      if (width === 1440) await rowOf(page, TITLE).click();
      await expectReading(page, TITLE);
      const rightOf = (part: Locator): Promise<number> =>
        part.evaluate((element) => element.getBoundingClientRect().right);
      for (const name of ['Share', 'More actions for this article']) {
        const button = page.getByRole('button', { name, exact: true });
        await button.click();
        const menu = page.getByRole('menu', { name, exact: true });
        expect(await rightOf(menu), `${name}, ${width} px wide`).toBe(await rightOf(button));
        await page.keyboard.press('Escape');
      }
    }
  });

  it('keeps a menu at the edge inside the window, with a long label and with more rows', async () => {
    await page.setViewportSize({ width: 480, height: HEIGHT });
    await rowsOf(page)
      .nth(3)
      .click({ button: 'right', position: { x: 450, y: 60 } });
    const menu = page.getByRole('menu');
    const first = menu.getByRole('menuitem').first();
    const height = await first.evaluate((item) => item.clientHeight);
    await first.evaluate((item) => (item.textContent = '屏蔽来源“某个名字很长、还带着副标题的博客”'));
    await expect.poll(() => spanOf(menu), WAIT).toMatchObject({ isInside: true, cut: 0 });
    await grow(menu, 500);
    await expect.poll(() => spanOf(menu), WAIT).toMatchObject({ isInside: true, cut: 0 });
    expect(await first.evaluate((item) => item.clientHeight)).toBe(height);
  });

  it('keeps every entry of the sidebar in its place, in all views', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const before = await entriesOf(page);
    expect(before.map(({ name }) => name)).toEqual(ENTRIES);
    for (const [index, { name }] of before.entries()) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('button').nth(index).click();
      expect(await entriesOf(page), name).toEqual(before);
    }
    await openView(page, 'All items');
    const head = await headOf(page);
    await chooseInList(page, 'Mark all as read');
    await page.getByText(/items marked as read$/).waitFor();
    expect(await entriesOf(page), 'all read').toEqual(before);
    expect(await headOf(page), 'all read').toEqual(head);
    await chooseInList(page, /^Undo: /);
    await page.getByText(/items marked as unread$/).waitFor();
    expect(await headOf(page), 'undone').toEqual(head);
  });

  it('goes from a narrow list to an item and back to the same position', async () => {
    await page.setViewportSize({ width: 480, height: HEIGHT });
    const list = page.getByRole('listbox');
    await list.evaluate((element) => element.scrollTo({ top: 700 }));
    await expect.poll(() => list.evaluate((element) => element.scrollTop), WAIT).toBe(700);
    await rowsOf(page).nth(8).click();
    await page.locator('#article-title').waitFor();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await list.waitFor();
    expect(await list.evaluate((element) => element.scrollTop)).toBe(700);
    await rowsOf(page).nth(8).click();
    await page.keyboard.press('Escape');
    await list.waitFor();
  });
});

/** The visible panes, from left to right. */
async function panesOf(page: Page): Promise<string[]> {
  const panes = {
    views: page.getByRole('navigation', { name: 'Views' }),
    list: page.getByRole('listbox'),
    // It is named after what it shows.
    article: page.getByRole('region', { name: 'Article' }),
  };
  const seen = await Promise.all(
    Object.entries(panes).map(async ([name, pane]) => {
      const box = (await pane.isVisible()) ? await pane.boundingBox() : null;
      return box === null ? [] : [{ name, x: box.x }];
    }),
  );
  return seen
    .flat()
    .sort((a, b) => a.x - b.x)
    .map(({ name }) => name);
}

/** The box of each entry of the sidebar, by the name that is seen. */
function entriesOf(page: Page): Promise<{ name: string; box: number[] }[]> {
  return page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button')
    .evaluateAll((entries) =>
      entries.map((entry) => {
        const { x, y, width, height } = entry.getBoundingClientRect();
        return { name: entry.querySelector('.name')?.textContent ?? '', box: [x, y, width, height] };
      }),
    );
}

/** Where the title and the controls above the list are, and its first row. */
async function headOf(page: Page): Promise<number[][]> {
  await page.locator('#feed-list .place:first-child').waitFor();
  return page.locator('#feed-list :is(header :is(h1, button), .place:first-child)').evaluateAll((parts) =>
    parts.map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return [x, y, width, height];
    }),
  );
}

/** How many rows of the list are visible from top to bottom. */
function wholeRowsOf(page: Page): Promise<number> {
  return page.getByRole('listbox').evaluate((list) => {
    const { top, bottom } = list.getBoundingClientRect();
    const rows = [...list.querySelectorAll('[role="option"]')].map((row) => row.getBoundingClientRect());
    return rows.filter((row) => row.top >= top - 1 && row.bottom <= bottom + 1).length;
  });
}

/** By how many pixels the page is wider than its window. */
function overflowOf(page: Page): Promise<number> {
  return page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
}
/** Where a menu is in its window, and how much of it only scrolling shows. */
function spanOf(menu: Locator): Promise<{ top: number; bottom: number; isInside: boolean; cut: number }> {
  return menu.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isInside = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
    return { top, bottom, isInside, cut: element.scrollHeight - element.clientHeight };
  });
}

/** As by rows that are loaded later. */
function grow(menu: Locator, height: number): Promise<void> {
  return menu.evaluate((element, height) => {
    const row = document.createElement('div');
    row.style.height = `${height}px`;
    element.append(row);
  }, height);
}

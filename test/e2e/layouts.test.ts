import type { Locator, Page } from 'playwright';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { settingsSections } from '../../src-main/common/i18n/settings-texts.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import { NO_DESKTOP, type Capabilities } from '../../src-main/contract/model/capabilities.ts';
import { DEMO_KEY, type ModelLine } from '../../src-main/contract/model/model.ts';
import { SETTINGS_SECTIONS } from '../../src-main/contract/settings.ts';
import { titled, whyNoPage } from './support/chromium.ts';
import { openView, showSection } from './support/desktop.ts';
import { resize } from './support/drawn.ts';
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
import { faultsOf } from './support/page-checks.ts';
import { openScene, type Scene, withGateway } from './support/scene.ts';

const TITLE =
  'A headline that goes on for so long that no line of any window could hold the whole of it without breaking it';
const HEIGHT = 800;
const ENTRIES = ['Today', 'Picks', 'All items', 'Saved', 'Topics', 'Reports', 'Models'];

/** Capabilities of a desktop host, so that every section is shown. */
const DESKTOP: Capabilities = {
  ...NO_DESKTOP,
  version: '0.1.0',
  locale: 'en-GB',
  platform: 'linux',
  tray: true,
  launchAtLogin: true,
  dataFolder: true,
  updates: true,
};

describe.skipIf(whyNoPage !== null)(titled('the page in different windows'), () => {
  let scene: Scene;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    const until = systemClock.now() - 3_600_000;
    scene = await openScene({
      content: { selected: 60, days: 5, until },
      models: 60,
      prepare: ({ control }) => void control.addItem({ title: TITLE, source: { name: 'x'.repeat(300) } }),
      settings: withGateway,
      environment: { BROADSHEET_MODELS_KEY: DEMO_KEY },
    });
    open = await openPage(scene.browser, scene.reader.address);
    ({ page } = open);
    return scene.close;
  });

  beforeEach(async () => {
    await begin(open);
    await shows(page, TITLE);
  });

  it('shows the panes that fit, without horizontal scrolling, and three rows at least', async () => {
    // 200 % of a common screen.
    await resize(page, 720, 450);
    await expect.poll(() => wholeRowsOf(page), WAIT).toBeGreaterThanOrEqual(3);
    for (const { width, panes, withItem } of [
      { width: 480, panes: ['list'], withItem: ['article'] },
      { width: 720, panes: ['list'], withItem: ['article'] },
      { width: 1000, panes: ['list', 'article'], withItem: ['list', 'article'] },
      { width: 1440, panes: ['views', 'list', 'article'], withItem: ['views', 'list', 'article'] },
    ]) {
      await resize(page, width, HEIGHT);
      await expect.poll(() => panesOf(page), WAIT).toEqual(panes);
      expect(await overflowOf(page)).toBe(0);
      await rowOf(page, TITLE).click();
      await expectReading(page, TITLE);
      await expect.poll(() => panesOf(page), WAIT).toEqual(withItem);
      expect(await overflowOf(page)).toBe(0);
      await page.keyboard.press('Escape');
    }
  });

  it('opens a panel above its button where there is no room below, and keeps it there as it grows', async () => {
    await resize(page, 1440, HEIGHT);
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
    await rowOf(page, TITLE).click();
    await expectReading(page, TITLE);
    for (const width of [1440, 480]) {
      await resize(page, width, HEIGHT);
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

  it('keeps a menu at the edge inside a narrow window, whose list is where it was after an item', async () => {
    await resize(page, 480, HEIGHT);
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
    await page.keyboard.press('Escape');

    // From the list to an item, and back to the same position.
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

  it('keeps every entry of the sidebar in its place, in all views', async () => {
    await resize(page, 1440, 900);
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

  it('leaves columns of the models out from the right, and never cuts a number', async () => {
    const { call } = open;
    const table = page.getByRole('grid', { name: 'Table: Models' });
    await resize(page, 1440, 900);
    await openView(page, 'Models');
    await table.getByRole('row').nth(1).waitFor();
    const { lines } = await call('models.list', { modelList: 'models' });
    await call('settings.set', { patch: { modelColumns: everyColumn(lines) } });
    const heads = table.getByRole('columnheader');
    await expect.poll(() => heads.count(), WAIT).toBeGreaterThan(6);
    let most = Infinity;
    for (const width of [1440, 1200]) {
      await resize(page, width, 700);
      await expect.poll(() => cellsCutIn(page), WAIT).toEqual([]);
      const count = await heads.count();
      expect(count).toBeLessThanOrEqual(most);
      most = count;
      expect((await heads.allInnerTexts()).slice(0, 3)).toEqual(['Model', 'Input', 'Output']);
    }
    await resize(page, 480, 700);
    await expect.poll(() => heads.count(), WAIT).toBe(0);
    expect(await cellsCutIn(page)).toEqual([]);
    await call('settings.set', { patch: { modelColumns: null } });
    await resize(page, 1440, 900);
    expect(open.complaints).toEqual([]);
  });

  it('fits in the largest text size, in a narrow window, with accessible settings of a desktop', async () => {
    // The checker injects its script, which the page's policy would block.
    const {
      page: own,
      call,
      close,
    } = await openPage(
      scene.browser,
      scene.reader.address,
      { viewport: { width: 480, height: 800 }, bypassCSP: true },
      (own) => own.route('**/call/app.capabilities', (route) => route.fulfill({ json: { ok: true, value: DESKTOP } })),
    );
    await rowsOf(own).first().waitFor();
    await call('settings.set', { patch: { textSize: 150 } });
    await expect.poll(() => own.locator('html').evaluate((root) => getComputedStyle(root).fontSize), WAIT).toBe('24px');
    expect(await overflowOf(own)).toBe(0);
    await own.getByRole('button', { name: m.filters_label(), exact: true }).click();
    await own.getByRole('button', { name: 'Papers', exact: true }).waitFor();
    expect(await own.locator('#feed-list').evaluate((pane) => pane.scrollWidth - pane.clientWidth)).toBe(0);
    await own.getByRole('button', { name: 'Show views' }).first().click();
    await own.getByRole('button', { name: 'Settings', exact: true }).click();
    const dialog = own.getByRole('dialog', { name: 'Settings' });
    await dialog.waitFor();
    for (const section of SETTINGS_SECTIONS) {
      await showSection(own, settingsSections[section]());
      expect(await wideIn(dialog), section).toEqual([]);
      expect(await faultsOf(own, { part: 'dialog' }), section).toEqual([]);
    }
    await own.keyboard.press('Escape');
    await rowsOf(own).nth(2).click();
    await own.locator('#article-title').waitFor();
    expect(await overflowOf(own)).toBe(0);
    await call('settings.set', { patch: { textSize: 100 } });
    await close();
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

/** All available columns: those of the table, and every price of a model. */
function everyColumn(lines: readonly ModelLine[]): string[] {
  const known = ['name', 'vendor', 'context', 'maxOutput', 'cost', 'inputs', 'outputs', 'created', 'expiry', 'cutoff'];
  const prices = new Set(lines.flatMap(({ pricing }) => Object.keys(pricing)));
  const more = ['moderated', 'parameters', 'tokenizer', 'firstSeen'];
  return [...known, ...more, ...[...prices].map((name) => `price.${name}`)];
}

/** Returns the texts of rows that are wider than their cells. */
function cellsCutIn(page: Page): Promise<string[]> {
  return page
    .locator('.model-row .cell')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent.trim()),
    );
}

/** Elements that overflow the dialog, or their own box. */
function wideIn(dialog: Locator): Promise<string[]> {
  return dialog.evaluate((root) => {
    const { left, right } = root.getBoundingClientRect();
    return [...root.querySelectorAll<HTMLElement>('.panel, .panel *')]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, h3'))
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return (
          box.left < left - 1 ||
          box.right > right + 1 ||
          (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        );
      })
      .map((element) => `${element.tagName} ${element.className}: ${element.textContent.slice(0, 60)}`);
  });
}

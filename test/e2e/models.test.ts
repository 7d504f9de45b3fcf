import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_KEY, type ModelLine } from '../../src-main/contract/model/model.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openView } from './support/desktop.ts';
import { begin, openFilled, WAIT, type OpenPage } from './support/open-page.ts';

describe.skipIf(whyNoPage !== null)(titled('the table of models'), () => {
  let browser: Browser;
  let service: DemoService;
  let reader: TestServer;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    service = await startDemoService({ clock: systemClock, content: { selected: 30, days: 3 }, models: 60 });
    service.control.pageSize(25);
    [reader, browser] = await Promise.all([
      startTestServer({
        settings: { newsAddress: service.newsAddress, modelsAddress: service.modelsAddress },
        environment: { BROADSHEET_MODELS_KEY: DEMO_KEY },
      }),
      launchChromium(),
    ]);
    open = await openFilled(browser, reader.address);
    ({ page } = open);
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  const table = (): Locator => page.getByRole('grid', { name: 'Table: Models' });

  async function openTable(): Promise<void> {
    await begin(open);
    await openView(page, 'Models');
    await table().getByRole('row').nth(1).waitFor();
  }

  it('leaves columns out from the right, and never cuts a number', async () => {
    const { call } = open;
    await openTable();
    const { lines } = await call('models.list', { modelList: 'models' });
    await call('settings.set', { patch: { modelColumns: everyColumn(lines) } });
    const heads = table().getByRole('columnheader');
    await expect.poll(() => heads.count(), WAIT).toBeGreaterThan(6);
    const widths = [1440, 1300, 1200];
    let most = Infinity;
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(() => cutIn(page), WAIT).toEqual([]);
      const count = await heads.count();
      expect(count).toBeLessThanOrEqual(most);
      most = count;
      expect((await heads.allInnerTexts()).slice(0, 3)).toEqual(['Model', 'Input', 'Output']);
    }
    await page.setViewportSize({ width: 480, height: 700 });
    await expect.poll(() => heads.count(), WAIT).toBe(0);
    expect(await cutIn(page)).toEqual([]);
    await call('settings.set', { patch: { modelColumns: null } });
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(open.complaints).toEqual([]);
  });

  it('works by keyboard only: the models of all pages, sorting, models in use, comparison, a model, its menu and back', async () => {
    await openTable();
    await expect.poll(() => table().getAttribute('aria-rowcount'), WAIT).toBe('61');
    const { keyboard } = page;
    const active = page.locator('.model-row.active .title');
    const onTable = (): Promise<boolean> => table().evaluate((grid) => grid === document.activeElement);
    await tabTo(page, /^Max output/);
    await keyboard.press('Enter');
    const column = table().getByRole('columnheader', { name: 'Max output' });
    await expect.poll(() => column.getAttribute('aria-sort'), WAIT).toBe('ascending');
    await keyboard.press('Home');
    for (const key of ['ArrowDown', 'ArrowDown']) await keyboard.press(key);
    const name = await active.innerText();
    await keyboard.press('s');
    const note = page.getByText(`${name} is in use and moved to the top`);
    await note.waitFor();
    await keyboard.press('Escape');
    await note.waitFor({ state: 'detached' });
    await table().focus();
    for (const key of [' ', 'ArrowDown', ' ']) await keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await tabTo(page, /^Compare$/);
    await keyboard.press('Enter');
    await page.getByRole('table', { name: 'Model comparison' }).waitFor();
    await keyboard.press('Escape');
    await expect.poll(onTable, WAIT).toBe(true);
    await keyboard.press('Escape');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    const opened = await active.innerText();
    await keyboard.press('Enter');
    await expect.poll(() => page.locator('#model-title').innerText(), WAIT).toBe(opened);
    await keyboard.press('Escape');
    await expect.poll(onTable, WAIT).toBe(true);
    await keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Copy ID' }).waitFor();
    await keyboard.press('Escape');
    await expect.poll(onTable, WAIT).toBe(true);
    expect(open.complaints).toEqual([]);
  });
});

/** All available columns: those of the table, and every price of a model. */
function everyColumn(lines: readonly ModelLine[]): string[] {
  const known = ['name', 'vendor', 'context', 'maxOutput', 'cost', 'inputs', 'outputs', 'created', 'expiry', 'cutoff'];
  const prices = new Set(lines.flatMap(({ pricing }) => Object.keys(pricing)));
  const more = ['moderated', 'parameters', 'tokenizer', 'firstSeen'];
  return [...known, ...more, ...[...prices].map((name) => `price.${name}`)];
}

/** Returns the texts of rows that are wider than their cells. */
function cutIn(page: Page): Promise<string[]> {
  return page
    .locator('.model-row .cell')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent.trim()),
    );
}

/** Presses Tab until the focused element has the text. */
async function tabTo(page: Page, words: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (words.test(await page.evaluate(() => document.activeElement?.textContent.trim() ?? ''))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach any element with the text ${words.source}.`);
}

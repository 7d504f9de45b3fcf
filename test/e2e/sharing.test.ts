import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_KEY } from '../../src-main/contract/model/model.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { whyNoChinese } from '../../scripts/setup/fonts.mjs';
import { pdfText, plain, printed } from '../support/pdf-text.ts';
import { isWhole } from '../support/proofs.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openView, storeEverything, storyRows } from './support/desktop.ts';
import { openPage, rowsOf, WAIT, type OpenPage } from './support/open-page.ts';
import { cutIn, faultsOf } from './support/page-checks.ts';

/** A folder for pictures of what is tested, to look at; none without it. */
const SHOTS = process.env['BROADSHEET_TEST_SHOTS'];
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1000, height: 700 },
  { width: 720, height: 450 },
  { width: 480, height: 800 },
];

describe.skipIf(whyNoPage !== null)(titled('notes, several rows, sharing and printing'), () => {
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    service = await startDemoService({ clock: systemClock, content: { selected: 60, days: 12 } });
    [reader, browser] = await Promise.all([
      startTestServer({
        settings: {
          newsAddress: service.newsAddress,
          modelsAddress: service.modelsAddress,
          countsAsRead: 'byHand',
          welcomed: true,
        },
        environment: { BROADSHEET_MODELS_KEY: DEMO_KEY },
      }),
      launchChromium(),
    ]);
    open = await openPage(browser, reader.address, {
      bypassCSP: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    ({ page } = open);
    await storeEverything(open);
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  /**
   * Checks the page in both themes and languages during the proofs. `npm test` looks only for what is cut off here: the
   * pictures of the same scenes are checked (pictures/organising.test.ts). With a folder for pictures, these are taken of
   * all, at four sizes.
   */
  async function check(name: string): Promise<void> {
    const whole = isWhole || SHOTS !== undefined;
    for (const theme of whole ? (['light', 'dark'] as const) : []) {
      for (const language of ['en', 'zh-CN'] as const) {
        await open.call('settings.set', { patch: { theme, language } });
        await expect.poll(() => page.evaluate(() => document.documentElement.lang), WAIT).toBe(language);
        expect(await faultsOf(page), `${name}, ${theme}, ${language}`).toEqual([]);
        for (const size of SIZES) {
          if (SHOTS === undefined) continue;
          await page.setViewportSize(size);
          await mkdir(SHOTS, { recursive: true });
          await page.screenshot({ path: join(SHOTS, `${name}-${theme}-${language}-${size.width}.png`) });
        }
        await page.setViewportSize(SIZES[0]!);
      }
    }
    if (whole) await open.call('settings.set', { patch: { theme: 'light', language: 'en' } });
    expect(await cutIn(page), name).toEqual([]);
  }

  it('writes a note by keyboard, keeps it over a reload, and lists it', async () => {
    await rowsOf(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type('Ask about the price. 推理模型值得一试。');
    await page.getByText('Saved', { exact: true }).waitFor();
    await check('note');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByRole('listbox', { name: 'Your notes' }).waitFor();
    await check('notes');
    await page.reload();
    await openView(page, 'Saved', 'Notes');
    await page.getByText('推理模型值得一试').click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue(), WAIT)
      .toBe('Ask about the price. 推理模型值得一试。');
  });

  it('selects several rows', async () => {
    await openView(page, 'Picks');
    const list = page.locator('#item-list');
    await list.focus();
    await page.keyboard.press('j');
    await page.locator('#article-title').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('toolbar', { name: 'Selected items' }).waitFor();
    await check('selection');
    await page.getByRole('button', { name: 'Copy selected as a Markdown list' }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text.split('\n')).toHaveLength(3);
    await list.focus();
    await page.keyboard.press('Escape');
  });

  it('shares from one menu', async () => {
    await page.getByRole('button', { name: 'Share' }).first().click();
    await page.getByRole('menu', { name: 'Share' }).waitFor();
    if (isWhole) expect(await faultsOf(page)).toEqual([]);
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, 'share.png') });
    await page.keyboard.press('Escape');
  });

  it('draws a picture of an item and of a daily', async () => {
    const picture = async (view: string, name: string): Promise<number[]> => {
      await page.locator(`#${view}-reading`).getByRole('button', { name: 'Share' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Save as picture' }).click(),
      ]);
      const png = await readFile(await download.path());
      if (SHOTS !== undefined) await writeFile(join(SHOTS, `card-${name}.png`), png);
      expect(download.suggestedFilename()).toMatch(/\.png$/);
      // The size is in the header of a PNG.
      return [png.readUInt32BE(16), png.readUInt32BE(20)];
    };
    expect(await picture('feed', 'item-light')).toEqual([1200, 630]);
    await open.call('settings.set', { patch: { theme: 'dark' } });
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme']), WAIT).toBe('dark');
    expect(await picture('feed', 'item-dark')).toEqual([1200, 630]);
    await openView(page, 'Reports');
    await page.locator('#archive-list button.row').first().click();
    await page.locator('#report-title').waitFor();
    expect(await picture('archive', 'daily-dark')).toEqual([1200, 1600]);
    await open.call('settings.set', { patch: { theme: 'light' } });
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme']), WAIT).toBe('light');
    expect(await picture('archive', 'daily-light')).toEqual([1200, 1600]);
    await openView(page, 'Picks');
  });

  it('prints what is open, and nothing around it', async ({ skip }) => {
    const noChinese = whyNoChinese();
    skip(noChinese !== null, noChinese ?? '');
    /** Returns the text of the PDF without white space. */
    const print = async (name: string, view: string, heading: string): Promise<string> => {
      await page.locator(heading).waitFor();
      const title = plain(await page.locator(heading).innerText());
      // The rows of the list beside it.
      const others = await page.locator(`#${view}-list :is([role=option], button.row) .title`).allInnerTexts();
      const around = others.map((other) => plain(other)).filter((other) => other !== title);
      if (view === 'feed') expect(around.length).toBeGreaterThan(3);
      const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
      if (SHOTS !== undefined) await writeFile(join(SHOTS, `print-${name}.pdf`), pdf);
      const { pages, text } = pdfText(pdf);
      expect(printed(text, title), `${title} in ${text}`).toBe(true);
      expect(pages).toBeGreaterThan(0);
      // Neither the list, nor the sidebar, nor buttons.
      expect(text).not.toMatch(/Markallread|Settings|Addnote|Share|Readoriginal|Keyboardshortcuts|Showviews/);
      expect(around.filter((other) => text.includes(other))).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      const places = await page.locator(heading).evaluate((element) => {
        const { left, right } = element.closest('article')!.getBoundingClientRect();
        return {
          heading: element.getBoundingClientRect().left,
          left,
          right: document.documentElement.clientWidth - right,
        };
      });
      await page.emulateMedia({ media: null });
      expect(places.left, 'in the middle of the paper').toBeCloseTo(places.right);
      expect(places.heading, 'where it begins').toBe(places.left);
      return text;
    };
    await rowsOf(page).nth(3).click();
    const sourceIn = (view: string): Promise<string> =>
      page
        .locator(`#${view}-reading`)
        .getByRole('button', { name: /^Show items from/ })
        .first()
        .innerText();
    const source = await sourceIn('feed');
    const item = await print('item', 'feed', '#article-title');
    expect(item).toMatch(/https:\/\//);
    expect(printed(item, source), `${source} in ${item}`).toBe(true);
    await openView(page, 'Topics', 'All');
    await storyRows(page).first().click();
    await page.locator('#story-title').waitFor();
    const publisher = await sourceIn('stories');
    const story = await print('story', 'stories', '#story-title');
    expect(story).toMatch(/https:\/\//);
    expect(printed(story, publisher), `${publisher} in ${story}`).toBe(true);
    await openView(page, 'Reports');
    await page.locator('#archive-list button.row').first().click();
    const report = await print('report', 'archive', '#report-title');
    const stories = await page.locator('#archive-reading .citation .title').allInnerTexts();
    expect(stories.length).toBeGreaterThan(0);
    expect(stories.filter((title) => !printed(report, title))).toEqual([]);
    await openView(page, 'Models');
    await page.locator('#models-list').getByRole('grid').focus();
    for (const key of ['Home', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    const model = await print('model', 'models', '#model-title');
    expect(model).toContain('Context');
  });
});

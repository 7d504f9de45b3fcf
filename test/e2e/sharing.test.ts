import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO_KEY } from '../../src-main/contract/model/model.ts';
import { whyNoChinese } from '../../scripts/setup/fonts.mjs';
import { pdfText, plain, printed } from '../support/pdf-text.ts';
import { callsOf } from './support/calls.ts';
import { titled, whyNoPage } from './support/chromium.ts';
import { openView, storeEverything, storyRows } from './support/desktop.ts';
import { openPage, rowsOf, type OpenPage } from './support/open-page.ts';
import { cutIn } from './support/page-checks.ts';
import { openScene, type Scene, withGateway } from './support/scene.ts';

describe.skipIf(whyNoPage !== null)(titled('sharing and printing'), () => {
  let scene: Scene;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    scene = await openScene({
      content: { selected: 60, days: 12 },
      settings: (service) => ({ ...withGateway(service), countsAsRead: 'byHand' }),
      environment: { BROADSHEET_MODELS_KEY: DEMO_KEY },
    });
    await storeEverything(await callsOf(scene.reader.address));
    open = await openPage(scene.browser, scene.reader.address);
    ({ page } = open);
    return scene.close;
  });

  it('draws a picture of an item and of a daily', async () => {
    const picture = async (view: string): Promise<number[]> => {
      await page.locator(`#${view}-reading`).getByRole('button', { name: 'Share' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Save as picture' }).click(),
      ]);
      const png = await readFile(await download.path());
      expect(download.suggestedFilename()).toMatch(/\.png$/);
      // The size is in the header of a PNG.
      return [png.readUInt32BE(16), png.readUInt32BE(20)];
    };
    await rowsOf(page).first().click();
    await page.locator('#article-title').waitFor();
    expect(await picture('feed')).toEqual([1200, 630]);
    await openView(page, 'Reports');
    await page.locator('#archive-list button.row').first().click();
    await page.locator('#report-title').waitFor();
    expect(await picture('archive')).toEqual([1200, 1600]);
    await openView(page, 'Picks');
  });

  it('prints what is open, and nothing around it', async ({ skip }) => {
    const noChinese = whyNoChinese();
    skip(noChinese !== null, noChinese ?? '');
    /** Returns the text of the PDF without white space. */
    const print = async (view: string, heading: string): Promise<string> => {
      await page.locator(heading).waitFor();
      const title = plain(await page.locator(heading).innerText());
      // The rows of the list beside it.
      const others = await page.locator(`#${view}-list :is([role=option], button.row) .title`).allInnerTexts();
      const around = others.map((other) => plain(other)).filter((other) => other !== title);
      if (view === 'feed') expect(around.length).toBeGreaterThan(3);
      const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
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
      expect(await cutIn(page), heading).toEqual([]);
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
    const item = await print('feed', '#article-title');
    expect(item).toMatch(/https:\/\//);
    expect(printed(item, source), `${source} in ${item}`).toBe(true);
    await openView(page, 'Topics', 'All');
    await storyRows(page).first().click();
    await page.locator('#story-title').waitFor();
    const publisher = await sourceIn('stories');
    const story = await print('stories', '#story-title');
    expect(story).toMatch(/https:\/\//);
    expect(printed(story, publisher), `${publisher} in ${story}`).toBe(true);
    await openView(page, 'Reports');
    await page.locator('#archive-list button.row').first().click();
    const report = await print('archive', '#report-title');
    const stories = await page.locator('#archive-reading .citation .title').allInnerTexts();
    expect(stories.length).toBeGreaterThan(0);
    expect(stories.filter((title) => !printed(report, title))).toEqual([]);
    await openView(page, 'Models');
    await page.locator('#models-list').getByRole('grid').focus();
    for (const key of ['Home', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    const model = await print('models', '#model-title');
    expect(model).toContain('Context');
  });
});

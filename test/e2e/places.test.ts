import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDataFolder, startTestServer } from '../support/test-server.ts';
import { callsOf } from './support/calls.ts';
import { titled, whyNoPage } from './support/chromium.ts';
import { storeEverything } from './support/desktop.ts';
import { expectReading, openPage, rowsOf, WAIT } from './support/open-page.ts';
import { openScene, type Scene } from './support/scene.ts';

/** The visible state: the topmost row of the list, the scroll position of the article, and the open item. */
interface Seen {
  row: string | undefined;
  text: number;
  title: string;
}

const seen = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const list = document.querySelector('#item-list')!;
    const top = list.getBoundingClientRect().top;
    const rows = [...list.querySelectorAll('[role="option"]')].sort(
      (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
    );
    return {
      row: rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.id,
      text: Math.round(document.querySelector('#feed-reading .scroller')!.scrollTop),
      title: document.querySelector('#article-title')?.textContent ?? '',
    };
  });

describe.skipIf(whyNoPage !== null)(titled('the place of the reader'), () => {
  let scene: Scene;
  let folder: string;

  beforeAll(async () => {
    folder = await newDataFolder();
    scene = await openScene({ content: { selected: 150, days: 3 }, dataFolder: folder });
    // Stories that arrive later would fold the rows, and show the open item again.
    await storeEverything(await callsOf(scene.reader.address));
  });
  afterAll(async () => {
    await scene.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is there after Back, a reload and a restart at another port', async () => {
    // Low enough that every article scrolls.
    const small = { viewport: { width: 1440, height: 420 } };
    const { page, complaints, close } = await openPage(scene.browser, scene.reader.address, small);
    // The first download is complete.
    const rowCount = async (): Promise<number> => Number(await rowsOf(page).first().getAttribute('aria-setsize'));
    await expect.poll(rowCount, WAIT).toBeGreaterThan(120);
    const list = page.locator('#item-list');
    await list.hover();
    await page.mouse.wheel(0, 2_345);
    await expect.poll(() => list.evaluate(({ scrollTop }) => scrollTop), WAIT).toBeGreaterThan(2_000);
    await list.click();
    await page.locator('#article-title').waitFor();
    const article = page.locator('#feed-reading .scroller');
    await article.hover();
    // An article that isn't laid out yet would not scroll.
    const room = () => article.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    await expect.poll(room, WAIT).toBeGreaterThan(130);
    await page.mouse.wheel(0, 130);
    const noteOf = () => page.evaluate(() => JSON.stringify(history.state));
    const noted = async (part: string) => expect.poll(noteOf, WAIT).toContain(part);
    // A busy computer may still lay the article out, or scroll it: where it rests is what is noted.
    const rests = async (): Promise<boolean> => {
      const { text } = await seen(page);
      return text > 20 && (await noteOf()).includes(`text=${String(text)}`);
    };
    await expect.poll(rests, WAIT).toBe(true);
    const before = await seen(page);
    const stays = () => expect.poll(() => seen(page), WAIT).toEqual(before);

    await page.getByRole('button', { name: /^Reports/ }).click();
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    await noted('archive');
    await page.goBack();
    await stays();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('item-list');
    await page.keyboard.press('Alt+ArrowRight');
    await expect.poll(() => page.locator('.view:not(.away) #archive-list').count(), WAIT).toBe(1);
    // The button of the mouse goes back by one place, not by two.
    const mouse = await page.context().newCDPSession(page);
    for (const type of ['mousePressed', 'mouseReleased'] as const) {
      await mouse.send('Input.dispatchMouseEvent', { type, x: 700, y: 200, button: 'back', clickCount: 1 });
    }
    await stays();

    await page.reload();
    await stays();
    await page.goForward();
    await expect.poll(() => page.locator('.view:not(.away) #archive-list').count(), WAIT).toBe(1);
    await page.goBack();
    await stays();
    // A second after the reader rests.
    const saved = () => readFile(join(folder, 'last-place.json'), 'utf8');
    await expect.poll(saved, WAIT).toContain(`text=${String(before.text)}`);
    expect(complaints).toEqual([]);
    await close();

    await scene.reader.close();
    scene.reader = await startTestServer({ dataFolder: folder });
    const again = await openPage(scene.browser, scene.reader.address, { ...small, atLastPlace: true });
    await expectReading(again.page, before.title);
    await expect.poll(() => seen(again.page), WAIT).toEqual(before);
    await again.close();
  });
});

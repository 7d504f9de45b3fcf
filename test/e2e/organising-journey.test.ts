import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UserDataFile } from '../../src-main/contract/user-data.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { titled, whyNoPage } from './support/chromium.ts';
import { openFilled, foundIn, readingTitle, rowsOf, WAIT, type OpenPage } from './support/open-page.ts';
import { openScene, type Scene } from './support/scene.ts';

const SAVED = 'What scores high';
const QUERY = 'score:>30 -category:tip';
/** A search may offer suggestions and hits above what is looked for, and a page has this many controls at most. */
const MOST_STEPS = 120;

/** One page and no mouse: Tab leads everywhere, and what leaves the page is there. */
describe.skipIf(whyNoPage !== null)(titled('a journey by keyboard through what a reader keeps and shares'), () => {
  let scene: Scene;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    scene = await openScene({
      content: { selected: 120, days: 4, until: systemClock.now() - 3_600_000 },
      settings: ({ newsAddress }) => ({ newsAddress, countsAsRead: 'byHand' }),
    });
    open = await openFilled(scene, { permissions: ['clipboard-read', 'clipboard-write'] });
    page = open.page;
    await rowsOf(page).first().waitFor();
    return scene.close;
  });

  const press = (key: string): Promise<void> => page.keyboard.press(key);

  /** The name of what has the focus; empty if nothing has. */
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return '';
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : undefined;
      return element.getAttribute('aria-label') ?? label ?? element.textContent.trim();
    });

  /** Presses a key until what has the focus is called so. */
  async function goTo(name: RegExp, key = 'Tab'): Promise<void> {
    const seen: string[] = [];
    for (let n = 0; n < MOST_STEPS; n += 1) {
      if (name.test(seen.at(-1) ?? (await focused()))) return;
      await press(key);
      seen.push(await focused());
    }
    expect(seen).toContain(name);
  }

  /** Goes through the options of the open dialog until one is called so, and chooses it. */
  async function choose(name: RegExp): Promise<void> {
    const option = page.getByRole('dialog').getByRole('option', { name });
    await option.first().waitFor();
    for (let n = 0; n < MOST_STEPS; n += 1) {
      const active = await page.getByRole('dialog').locator('[role=option][aria-selected=true]').allInnerTexts();
      if (name.test((active[0] ?? '').replaceAll('\n', ' '))) return press('Enter');
      await press('ArrowDown');
    }
    throw new Error(`No option is called ${String(name)}.`);
  }

  async function palette(text: string, entry: RegExp): Promise<void> {
    await press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type(text);
    await choose(entry);
  }

  it('searches with operators, lists what was found, and saves the search, which becomes a view', async () => {
    await press('/');
    await page.keyboard.type(QUERY);
    await foundIn(page).nth(2).waitFor();
    await press('Enter');
    await goTo(/^Filters$/, 'Shift+Tab');
    await press('Enter');
    await expect
      .poll(() => page.getByRole('list', { name: 'Search terms' }).getByRole('listitem').count(), WAIT)
      .toBe(2);
    await expect.poll(() => rowsOf(page).count(), WAIT).toBeGreaterThan(3);
    await goTo(/^Save search$/, 'Shift+Tab');
    await press('Enter');
    await expect.poll(focused, WAIT).toBe('Name');
    await page.keyboard.type(SAVED);
    await press('Enter');
    await page.locator('.view:not(.away)').getByRole('heading', { level: 1, name: SAVED }).waitFor();
    await page
      .getByRole('navigation')
      .getByRole('button', { name: new RegExp(`^${SAVED}`) })
      .waitFor();
    const { searches } = await open.call('saved.list', {});
    expect(searches).toMatchObject([{ name: SAVED, query: QUERY, problem: null }]);
    await expect.poll(focused, WAIT).toMatch(/^Items/);
  });

  it('shares as Markdown', async () => {
    await press('j');
    await page.locator('#article-title').waitFor();
    const title = await readingTitle(page);
    await press('l');
    await goTo(/^Share$/, 'Shift+Tab');
    await press('Enter');
    await page.getByRole('menu', { name: 'Share' }).waitFor();
    await goTo(/^Copy as Markdown$/, 'ArrowDown');
    await press('Enter');
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied, WAIT).toMatch(/\]\(<https?:\/\//);
    expect((await copied()).replaceAll('\\', '')).toContain(title);
    expect(await focused()).toBe('Share');
  });

  it('exports everything to a file', async () => {
    await palette('Settings sync', /Settings: Sync and data/);
    await page.getByRole('dialog').getByRole('heading', { name: 'Export and import' }).waitFor();
    await goTo(/^Export my data$/);
    const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
    const file = JSON.parse(await readFile(await download.path(), 'utf8')) as UserDataFile;
    expect(download.suggestedFilename()).toMatch(/^broadsheet-\d{4}-\d\d-\d\d\.json$/);
    const records = (kind: string): unknown[] => file.records.flatMap((one) => (one.kind === kind ? [one.value] : []));
    expect(records('saved')).toMatchObject([{ name: SAVED, query: QUERY }]);
    expect(file.settings.recentSearches).toContain(QUERY);
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('selects several rows, and marks them', async () => {
    const unread = async (): Promise<number> => (await open.call('counts.get', {})).all.unread;
    const before = await unread();
    await press('h');
    await press('Shift+ArrowDown');
    await press('Shift+ArrowDown');
    const bar = page.getByRole('toolbar', { name: 'Selected items' });
    await bar.getByText('3 selected').waitFor();
    await goTo(/^Mark selected as read$/);
    await press('Enter');
    await expect.poll(unread, WAIT).toBe(before - 3);
    await press('z');
    await expect.poll(unread, WAIT).toBe(before);
    await goTo(/^End selection$/);
    await press('Enter');
    await bar.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox');
    expect(open.complaints).toEqual([]);
  });
});

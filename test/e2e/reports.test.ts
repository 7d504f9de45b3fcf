import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService, type ServedItem } from '../../src-main/demo/service.ts';
import { servedReport, type ServedCitation, type ServedReport } from '../support/reports.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { neighbor, topic, notifiedStories } from '../support/told-stories.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { rowsOfView, openView, storeEverything } from './support/desktop.ts';
import { chooseInList, expectReading, openPage, WAIT, type OpenPage, openSearch } from './support/open-page.ts';

/** A service that a test can make fail for all clients. */
class Weather {
  bad = false;

  readonly intercept = (_request: IncomingMessage, response: ServerResponse): boolean => {
    if (!this.bad) return false;
    const problem = { status: 503, code: 'temporarily_unavailable' };
    response.writeHead(503, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
    return true;
  };
}

describe.skipIf(whyNoPage !== null)(titled('what is new since the last visit'), () => {
  const stories = notifiedStories();
  const weather = new Weather();
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;
  let open: OpenPage;
  let page: Page;
  let revised: ServedItem;
  let withdrawn: ServedItem;
  let daily: { label: string; edited: ServedCitation; gone: ServedCitation };

  beforeAll(async () => {
    stories.tell('survivor', { title: 'The story that goes on' });
    stories.tell('old', { title: 'The story that was merged' });
    stories.tell('start', { title: 'Where it began', related: [neighbor('old', { title: 'An older link' })] });
    stories.rank([topic(1, 't1', { story: 'start' }), topic(3, 't3', { story: 'survivor' })]);
    service = await startDemoService({
      clock: systemClock,
      content: { selected: 60, days: 12 },
      intercept: (request, response) => weather.intercept(request, response) || stories.intercept(request, response),
    });
    [reader, browser] = await Promise.all([
      startTestServer({ settings: { newsAddress: service.newsAddress } }),
      launchChromium(),
    ]);
    open = await openPage(browser, reader.address, { permissions: ['clipboard-read', 'clipboard-write'] });
    ({ page } = open);
    await storeEverything(open);
    // Not cacheable, so that a failed request can be repeated at once.
    stories.lifetime = 0;
    await changeEverything();
    await open.call('sync.run', { urgency: 'now' });
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  /** Three new items, two updated, one removed; a corrected daily and a merged story. */
  async function changeEverything(): Promise<void> {
    const { control } = service;
    const [first, second, third] = control.selectedItems();
    for (const n of [1, 2, 3]) control.addItem({ title: `Fresh from the press ${n}` });
    revised = control.editItem(first!.id, { title: 'Seven wise models were counted' });
    control.editItem(second!.id, { title: 'Another title, put right' });
    withdrawn = third!;
    control.withdraw(third!.id);
    revised = control.editItem(first!.id, { title: 'Nine wise models were counted' });
    await correctDaily();
    stories.merge('old', 'survivor');
  }

  async function correctDaily(): Promise<void> {
    const { lines } = await open.call('reports.index', { kind: 'daily' });
    const reports = await Promise.all(
      lines.map(async ({ label }) => ({ label, report: await servedReport({ service }, `/dailies/${label}`) })),
    );
    const { label, report } = reports.find(({ report }) => report.sections.some(({ items }) => items.length > 1))!;
    const items = report.sections.find(({ items }) => items.length > 1)!.items;
    const [gone, edited] = structuredClone(items) as [ServedCitation, ServedCitation];
    items.shift();
    items[0]!.title = `${edited.title} (put right)`;
    daily = { label, edited, gone };
    const without: Partial<ServedReport> = {
      sections: report.sections,
      lead: { title: 'A lead put right', leadParagraph: 'Nothing of what was withdrawn.' },
    };
    service.control.correctDaily(label, without as never);
  }

  /** Rows of the overlay list on top of the feed. */
  const found = (): Locator => page.locator('.overlay').getByRole('listbox').getByRole('option');
  const dialog = (name: string): Locator => page.getByRole('dialog', { name });
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

  /** The changes since the last visit that the list's menu has. */
  async function changes(): Promise<string[]> {
    await page.getByRole('button', { name: 'More actions for this list' }).click();
    const entries = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');
    return entries.flatMap((entry) => entry.split(' since ').slice(0, -1));
  }

  async function openNumber(number: string): Promise<void> {
    await chooseInList(page, new RegExp(`^Show ${number} since`));
    await page.locator('.overlay').waitFor();
  }

  async function backToList(): Promise<void> {
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.locator('.overlay').waitFor({ state: 'detached' });
  }

  it('is counted exactly', async () => {
    await expect.poll(changes, WAIT).toEqual(['Show 3 new items', 'Show 2 items updated', 'Show 1 item withdrawn']);
  });

  it('opens a list from its number', async () => {
    await openNumber('3 new items');
    await found().first().waitFor();
    const titles = await found().locator('.title').allInnerTexts();
    expect(titles.sort()).toEqual([1, 2, 3].map((n) => `Fresh from the press ${n}`));
    await backToList();
  });

  it('shows a word diff of an updated item', async () => {
    await openNumber('2 items updated');
    await found().first().waitFor();
    await expect.poll(() => found().count(), WAIT).toBe(2);
    await found().filter({ hasText: revised.title }).click();
    await expectReading(page, revised.title);
    const article = page.getByRole('article');
    await article.getByRole('heading', { name: /^Changed today/ }).waitFor();
    await expect.poll(() => article.locator('ins').allInnerTexts(), WAIT).not.toEqual([]);
    expect((await article.locator('ins').allInnerTexts()).join(' ')).toContain('Nine wise models');
    await expect.poll(() => article.locator('del').count(), WAIT).toBeGreaterThan(0);
    await backToList();
  });

  it('shows that an item was removed, but not its text', async () => {
    await openNumber('1 item withdrawn');
    await page.getByText('Their texts have been deleted').waitFor();
    await page.locator('.overlay').getByText(withdrawn.id).first().waitFor();
    const pane = await page.locator('.overlay').innerText();
    expect(pane).not.toContain(withdrawn.title);
    await backToList();
  });

  it('is told by a divider below the new items, and starts again when the list was left', async () => {
    const divider = page.locator('#feed-list .divider');
    await page.getByRole('button', { name: /new items?$/ }).click();
    await divider.getByText(/^Above: new since /).waitFor();
    // A list that is only passed is not left: the page's clock goes on by more than that.
    await page.evaluate(() => {
      const now = Date.now;
      Date.now = () => now() + 2_100;
    });
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { level: 1, name: 'All items' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.getByRole('heading', { level: 1, name: 'Picks' }).waitFor();
    await divider.waitFor({ state: 'detached' });
    await expect.poll(changes, WAIT).toEqual([]);
  });

  it('is not synced while paused, which the status shows and can end', async () => {
    const state = page.getByRole('button', { name: /^Sync:/ });
    const line = page.getByRole('group', { name: 'Sync', exact: true });
    await state.click();
    await line.getByRole('button', { name: 'Pause updates' }).click();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await state.getByText(/^Paused until /).waitFor();
    expect((await open.call('sync.status', {})).pause?.until).toBeTruthy();
    await line.getByRole('button', { name: 'Resume updates' }).click();
    await line.getByRole('button', { name: 'Pause updates' }).click();
    await line.getByRole('button', { name: 'Until I resume' }).click();
    await state.getByText('Paused', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('can be searched on the service, which is shown, and opened from there', async () => {
    service.control.addItem({ title: 'Only the service knows of zebras', selected: false });
    await openSearch(page);
    // Rows above it move it until they are there.
    await page.getByText('From a source', { exact: true }).waitFor();
    await page.getByRole('option', { name: 'Search online' }).click();
    await page.locator('.overlay').getByRole('heading', { name: 'Online results', exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Search online' }).fill('zebras');
    await page.locator('.overlay').getByRole('button', { name: 'Search', exact: true }).click();
    await found().first().waitFor();
    await expect.poll(() => found().count(), WAIT).toBe(1);
    await found().first().click();
    await expectReading(page, 'Only the service knows of zebras');
    await page.getByText('Online result, not saved on this computer.').waitFor();
    await page.getByRole('button', { name: 'Search saved items' }).click();
    await page.getByRole('button', { name: /^Sync:/ }).click();
    const line = page.getByRole('group', { name: 'Sync', exact: true });
    await line.getByRole('button', { name: 'Resume updates' }).click();
    await line.getByRole('button', { name: 'Pause updates' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('is explained in the guide, whose addresses can be copied', async () => {
    await page.keyboard.press('?');
    await page.getByRole('button', { name: /guide for AI agents/ }).click();
    const guide = dialog('Guide for AI agents');
    await guide.getByRole('heading', { name: 'Where things are' }).waitFor();
    const address = `${service.newsAddress}/api/v1/hot-topics`;
    await guide.getByRole('button', { name: `Copy link: ${address}` }).click();
    await guide.getByText('Copied').waitFor();
    expect(await copied()).toBe(address);
    await page.keyboard.press('Escape');
  });

  it('shows the merged story for its old id', async () => {
    await openView(page, 'Topics', 'All');
    await rowsOfView(page, 'stories').filter({ hasText: 'Where it began' }).click();
    const requestCount = stories.asked.length;
    await page.getByRole('button', { name: /An older link/ }).click();
    const title = () => page.locator('#story-title').innerText();
    await expect.poll(title, WAIT).toBe('The story that goes on');
    await page.getByText('The topic you opened is now part of this one.').waitFor();
    const paths = stories.asked.slice(requestCount).map(({ path }) => path.split('/').at(-1));
    expect(paths.filter((path) => path === 'old').length).toBeLessThanOrEqual(1);
  });

  it('shows the corrections of a daily: edits word by word, removals without text', async () => {
    await openView(page, 'Reports');
    const { lines } = await open.call('reports.index', { kind: 'daily' });
    await page.locator('#archive-list li button').first().click();
    for (let back = lines.findIndex(({ label }) => label === daily.label); back > 0; back--) {
      await page.getByRole('button', { name: 'Previous report' }).click();
    }
    const paper = page.locator('#archive-reading');
    await paper.getByRole('heading', { name: 'Corrections' }).waitFor();
    await paper.getByText('A story was withdrawn. Its text is no longer available.').waitFor();
    expect((await paper.locator('ins').allInnerTexts()).join(' ')).toContain('put right');
    expect(await paper.innerText()).not.toContain(daily.gone.title);
  });

  it('exports that daily without removed stories', async () => {
    await page.getByRole('button', { name: 'More actions for this report' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    await dialog('Export')
      .getByText(/^This report/)
      .click();
    const download = page.waitForEvent('download');
    await dialog('Export').getByRole('button', { name: 'Export' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toContain(`(put right)`);
    expect(text).not.toContain(daily.gone.title);
    await page.keyboard.press('Escape');
  });

  describe('an error of the service', () => {
    beforeAll(async () => {
      weather.bad = true;
      await open.call('sync.run', { urgency: 'now' });
      await page.getByRole('button', { name: /^Sync:/ }).click();
      await page.getByRole('button', { name: 'Details', exact: true }).click();
    });

    it('is explained', async () => {
      const health = dialog('Sync status');
      const failing = health.getByRole('listitem').filter({ hasText: 'Sync failed' });
      await failing.first().waitFor();
      await expect.poll(() => failing.count(), WAIT).toBe(7);
      expect(await health.getByText('The server is temporarily unavailable').count()).toBe(1);
    });

    it('can be copied for support without secrets and titles', async () => {
      await dialog('Sync status').getByRole('button', { name: 'Copy as text' }).click();
      await dialog('Sync status').getByText('Copied, without keys').waitFor();
      const text = await copied();
      expect(text).toContain('temporarily_unavailable');
      expect(text).not.toContain(new URL(reader.address).searchParams.values().next().value ?? reader.address);
      expect(text).not.toContain(revised.title);
    });

    it('can be retried by the user', async () => {
      weather.bad = false;
      const health = dialog('Sync status');
      await health.getByRole('button', { name: /^Try again.*Hot topics/ }).click();
      await health.getByText(/7 checked for updates|Already up to date/).waitFor();
      await health.getByText('Sync failed').first().waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
    });
  });

  it('violates no policy, and sends no request to other hosts', () => {
    expect(open.complaints).toEqual([]);
    expect(open.outside).toEqual([]);
  });
});

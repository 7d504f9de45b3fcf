import { rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportKind } from '../../src-main/contract/model/report.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { TWELVE_DAYS } from '../support/reports.ts';
import { newDataFolder, startTestServer, type TestServer } from '../support/test-server.ts';
import { topic, notifiedStories } from '../support/told-stories.ts';
import { callsOf } from './support/calls.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { rowsOfView, openView, storeEverything, storyRows } from './support/desktop.ts';
import { WAIT, openPage, rowsOf, type OpenPage } from './support/open-page.ts';

const STORIES = ['s1', 's2', 's3'];
const TOLD = /^Sync: *Can’t sync since/;

describe.skipIf(whyNoPage !== null)(titled('a restart without the service'), () => {
  let dataFolder: string;
  let reader: TestServer;
  let browser: Browser;
  let open: OpenPage;

  beforeAll(async () => {
    browser = await launchChromium();
    dataFolder = await newDataFolder();
    await fillAndLeave();
    reader = await startTestServer({ dataFolder });
    open = await openPage(browser, reader.address);
    await open.call('sync.run', { urgency: 'now' });
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  /** 12 dailies, 3 weeklies, 2 monthlies, 3 stories and a ranking with gaps, synced once; then both end. */
  async function fillAndLeave(): Promise<void> {
    const stories = notifiedStories();
    for (const id of STORIES) stories.tell(id, { title: `Story ${id}` });
    stories.rank([
      topic(1, 't1', { story: 's1' }),
      topic(2, 't2', { story: 's2' }),
      topic(4, 't4', { story: 's3' }),
      topic(8, 't8'),
    ]);
    const { start, content } = TWELVE_DAYS;
    const service = await startDemoService({ clock: fakeClock(start), content, intercept: stories.intercept });
    const first = await startTestServer({ dataFolder, settings: { newsAddress: service.newsAddress } });
    await storeEverything(await callsOf(first.address));
    await service.close();
    await first.close();
  }

  /** The visible text of the open item, report or story. */
  const readingOf = (view: string): Promise<string> => open.page.locator(`#${view}-reading`).innerText();

  async function expectTitle(id: string, title: string): Promise<void> {
    await expect.poll(() => open.page.locator(`#${id}`).innerText(), WAIT).toBe(title);
  }

  it('shows the items with their texts, and tells the failure once', async () => {
    const { page } = open;
    await rowsOf(page).first().waitFor();
    await page.getByRole('button', { name: TOLD }).waitFor();
    await rowsOf(page).first().click();
    await page.getByRole('article').waitFor();
    expect((await page.getByRole('article').innerText()).length).toBeGreaterThan(80);
  });

  it('shows the ranking with its gaps, and every topic', async () => {
    const { page } = open;
    await openView(page, 'Topics');
    const rows = rowsOfView(page, 'hotTopics');
    await expect.poll(() => rows.count(), WAIT).toBe(4);
    expect(await rows.getByText(/not listed$/).allInnerTexts()).toEqual([
      expect.stringMatching(/· No. 3 not listed$/),
      expect.stringMatching(/· Nos. 5 to 7 not listed$/),
    ]);
    const described = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-description')));
    expect(described).toEqual([null, null, 'No. 3 not listed', 'Nos. 5 to 7 not listed']);
    for (const [place, id] of ['t1', 't2', 't4', 't8'].entries()) {
      await rows.nth(place).click();
      await expectTitle('topic-title', `Topic ${id}`);
      const coverage = id === 't8' ? /Covered by\s+A\s+A source\s+A\s+Another/ : new RegExp(`Report s${place + 1}-1`);
      expect(await readingOf('hotTopics')).toMatch(coverage);
    }
  });

  it('shows every story with its digest and its coverage', async () => {
    const { page } = open;
    await openView(page, 'Topics', 'All');
    await expect.poll(() => storyRows(page).count(), WAIT).toBe(STORIES.length);
    // A topic of the ranking without a story is in the list, too.
    expect(await rowsOfView(page, 'stories').count()).toBe(STORIES.length + 1);
    for (const id of STORIES) {
      await rowsOfView(page, 'stories')
        .filter({ hasText: `Story ${id}` })
        .click();
      await expectTitle('story-title', `Story ${id}`);
      const reading = await readingOf('stories');
      expect(reading).toContain('What is known.');
      expect(reading).toContain(`Report ${id}-1`);
    }
  });

  it.each([
    { kind: 'daily', list: 'Dailies', count: 12 },
    { kind: 'weekly', list: 'Weeklies', count: 3 },
    { kind: 'monthly', list: 'Monthlies', count: 2 },
  ] as const)('shows every $kind report, from the latest back', async ({ kind, list, count }) => {
    const { page } = open;
    await openView(page, 'Reports');
    await page.locator('#archive-list').getByText(list, { exact: true }).click();
    await page
      .getByRole('list', { name: `List: ${list}` })
      .getByRole('button')
      .first()
      .click();
    const { lines } = await open.call('reports.index', { kind });
    expect(lines).toHaveLength(count);
    for (const [place, { label }] of lines.entries()) {
      if (place > 0) await page.getByRole('button', { name: 'Previous report' }).click();
      await expectReport(page, kind, label);
    }
    expect(await page.getByRole('button', { name: 'Previous report' }).isDisabled()).toBe(true);
  });

  /** Waits for the report, and checks that it shows all its saved texts. */
  async function expectReport(page: Page, kind: ReportKind, label: string): Promise<void> {
    const report = await open.call('reports.get', { kind, label });
    const texts = [
      ...(report.headline === null ? [] : [report.headline]),
      ...[...report.sections.flatMap(({ items }) => items), ...report.flashes].map(({ title }) => title),
    ];
    expect(texts.length, label).toBeGreaterThan(1);
    const missing = async () => {
      const reading = inOneLine(await page.locator('#archive-reading').innerText());
      return texts.filter((text) => !reading.includes(inOneLine(text)));
    };
    await expect.poll(missing, { ...WAIT, message: label }).toEqual([]);
  }

  it('complies with its content security policy', () => {
    expect(open.complaints).toEqual([]);
    expect(open.outside).toEqual([]);
  });
});

/** As rendered: runs of spaces become one. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

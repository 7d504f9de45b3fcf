import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { m } from '../../src-main/common/i18n/messages.ts';
import type { Target } from '../../src-main/contract/refs.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock, type FakeClock } from '../support/clock.ts';
import { casesOf, isWhole } from '../support/proofs.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { axeResults } from './support/axe.ts';
import { callsOf, type Calls } from './support/calls.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openView, runFromPalette, storeEverything, storyRows } from './support/desktop.ts';
import { drawn } from './support/drawn.ts';
import { openPage, reopen, rowsOf, WAIT, type OpenPage } from './support/open-page.ts';

const FOLDER = fileURLToPath(new URL('../../test-output/screenshots/', import.meta.url));
const DAY = 86_400_000;
/** The remaining days in this file. */
const DAYS = 12;

/** Each language is shown in every size and both schemes, in combinations that the other language does not have. */
const TAKES = [
  { locale: 'en-GB', name: 'en', by: { locale: 'en' } as const, width: 1440, height: 900, colorScheme: 'light' },
  { locale: 'en-GB', name: 'en', by: { locale: 'en' } as const, width: 1000, height: 700, colorScheme: 'dark' },
  { locale: 'en-GB', name: 'en', by: { locale: 'en' } as const, width: 480, height: 800, colorScheme: 'light' },
  { locale: 'zh-CN', name: 'zh', by: { locale: 'zh-CN' } as const, width: 1440, height: 900, colorScheme: 'dark' },
  { locale: 'zh-CN', name: 'zh', by: { locale: 'zh-CN' } as const, width: 1000, height: 700, colorScheme: 'light' },
  { locale: 'zh-CN', name: 'zh', by: { locale: 'zh-CN' } as const, width: 480, height: 800, colorScheme: 'dark' },
] as const;

/** Calls of the browser's notifications and printing, recorded by {@link overhearBrowser}. */
declare global {
  interface Window {
    notifications: { title: string; body: string; tag: string; click: () => void }[];
    prints: number;
  }
}

describe.skipIf(whyNoPage !== null)(titled('desktop features'), () => {
  let clock: FakeClock;
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;
  /** Direct calls, not through a page. */
  let driver: Calls;
  /** The window of the tests that need none of their own. */
  let shared: OpenPage;
  let storyId: string;
  let label: string;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    clock = fakeClock(Date.now() - DAYS * DAY);
    [service, browser] = await Promise.all([
      startDemoService({ clock, content: { selected: 80, days: 12 } }),
      launchChromium(),
    ]);
    reader = await startTestServer({ settings: { newsAddress: service.newsAddress } });
    driver = await callsOf(reader.address);
    await storeEverything(driver);
    // The page's policy keeps axe out.
    shared = await openPage(browser, reader.address, { bypassCSP: true });
    storyId = (await driver.call('stories.list', { which: 'all' })).stories[0]!.publicId;
    label = (await driver.call('reports.index', { kind: 'daily' })).lines[0]!.label;
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  /** Advances the service by a day with events, and syncs. Returns the label of the new daily. */
  async function aDayPasses(): Promise<string> {
    const { call } = driver;
    const before = (await call('reports.index', { kind: 'daily' })).lines.length;
    service.control.addItem({ title: 'What the day brought' });
    clock.advance(DAY);
    return vi.waitFor(async () => {
      await call('sync.run', { urgency: 'now' });
      const { lines } = await call('reports.index', { kind: 'daily' });
      expect(lines.length).toBeGreaterThan(before);
      return lines[0]!.label;
    }, WAIT);
  }

  describe('a separate window', () => {
    async function openWindow(page: Page): Promise<Page> {
      await page.context().addInitScript(overhearBrowser);
      const opening = page.context().waitForEvent('page');
      await page.getByRole('menuitem', { name: m.window_open() }).click();
      const own = await opening;
      await own.locator('#story-title, #report-title').waitFor();
      return own;
    }

    it('shows only a story, by keyboard too', async () => {
      const { page } = shared;
      await openView(page, m.views_topics(), m.stories_lists_all());
      await storyRows(page).first().click();
      await page.getByRole('button', { name: m.topics_more() }).click();
      const own = await openWindow(page);
      const title = await own.getByRole('heading', { level: 1 }).innerText();
      expect(await own.title()).toBe(`${title} · Broadsheet`);
      expect(await own.getByRole('navigation').count()).toBe(0);
      expect(await faultsOf(own)).toEqual([]);
      const star = own.getByRole('button', { name: m.star() });
      await own.keyboard.press('s');
      await expect.poll(() => star.getAttribute('aria-pressed'), WAIT).toBe('true');
      await own.keyboard.press('s');
      await expect.poll(() => star.getAttribute('aria-pressed'), WAIT).toBe('false');
      await own.keyboard.press('?');
      await own.getByRole('dialog', { name: m.help_title() }).waitFor();
      await own.keyboard.press('Escape');
      await own.getByRole('button', { name: m.topics_more() }).click();
      await own.getByRole('menuitem', { name: m.window_print() }).click();
      expect(await own.evaluate(() => window.prints)).toBe(1);
      const closed = own.waitForEvent('close');
      // The page may be gone before the click is reported as done.
      await own
        .getByRole('button', { name: m.window_close() })
        .click()
        .catch(() => undefined);
      await closed;
    });

    it('shows a report, a cited item, and the way back', async () => {
      const { page } = shared;
      await openView(page, m.views_archive());
      await page.locator('#archive-list li button').first().click();
      await page.locator('#report-title').waitFor();
      await page.getByRole('button', { name: m.report_more() }).click();
      const own = await openWindow(page);
      expect(await own.title()).toMatch(/ \d{4} · Broadsheet$/);
      expect(await own.getByRole('button', { name: m.report_previous() }).count()).toBe(0);
      const original = own.getByRole('button', { name: m.article_open_original() });
      await own.locator('.citation').filter({ has: original }).first().locator('.title a').click();
      await own.locator('#article-title').waitFor();
      await own.keyboard.press('Escape');
      await own.locator('#report-title').waitFor();
      await own.close();
    });

    it('shows an error if the story is not saved', async () => {
      const { page } = shared;
      await page.goto(`${reader.origin}/?window#window=${encodeURIComponent('broadsheet://story/no-such-story')}`);
      await page.getByRole('heading', { name: m.stories_gone() }).waitFor();
      await reopen(shared);
    });
  });

  describe('navigation by the host', () => {
    let open: OpenPage;
    let page: Page;
    let next: Target | null = null;

    beforeAll(async () => {
      open = await openPage(browser, reader.address, {}, (opened) =>
        opened.route('**/call/app.takeTarget', (route) =>
          route.fulfill({ json: { ok: true, value: { target: next } } }),
        ),
      );
      page = open.page;
    });
    afterAll(() => open.close());

    /** Loads a page that its host navigates. */
    async function openAt(target: Target): Promise<void> {
      next = target;
      await reopen(open);
    }

    it('opens a story', async () => {
      await openAt({ view: 'story', publicId: storyId });
      await page.locator('#story-title').waitFor();
    });

    it('opens a report with the keyboard focus in it', async () => {
      await openAt({ view: 'report', kind: 'daily', label });
      await page.locator('#report-title').waitFor();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('#archive-reading') !== null), WAIT)
        .toBe(true);
    });

    it('opens the model changes', async () => {
      await openAt({ view: 'modelChanges' });
      await page.getByRole('heading', { name: m.change_log_title() }).waitFor();
    });

    it.each<[Target, string]>([
      [{ view: 'story', publicId: 'no-such-story' }, m.missing_story()],
      [{ view: 'item', id: 'no-such-item' }, m.missing_item()],
      [{ view: 'report', kind: 'daily', label: '1999-01-01' }, m.missing_report()],
    ])('shows an error for an unknown target: %j', async (target, text) => {
      await openAt(target);
      await page.getByText(text).waitFor();
      await rowsOf(page).first().waitFor();
    });
  });

  describe('a notification', () => {
    it('is shown by one of two tabs, once, and opens its target', async () => {
      const first = await openPage(browser, reader.address, {}, async (page) => {
        await page.context().grantPermissions(['notifications'], { origin: reader.origin });
        await page.context().addInitScript(overhearBrowser);
      });
      const context = first.page.context();
      // The tab that shows notifications is chosen after the rows are there, and a page that is not listening misses
      // them.
      await expect.poll(() => tabsThatShow(first.page), WAIT).toEqual({ leading: 1, waiting: 0 });
      const second = await context.newPage();
      const listening = second.waitForResponse((response) => response.url().endsWith('/events'));
      await second.goto(reader.origin);
      // It shows the place where the page was last, which need not be a list of items.
      await Promise.all([listening, second.locator('.app').waitFor()]);
      await expect.poll(() => tabsThatShow(second), WAIT).toEqual({ leading: 1, waiting: 1 });
      await aDayPasses();
      const shown = (page: Page) => page.evaluate(() => window.notifications.map(({ title }) => title));
      await expect.poll(async () => (await shown(first.page)).length, WAIT).toBe(1);
      expect(await shown(second)).toEqual([]);
      expect((await shown(first.page))[0]).toMatch(
        /^(New daily report: .*\d{4}|A new daily report and a new weekly report)$/,
      );
      await first.page.evaluate(() => window.notifications[0]!.click());
      await first.page.locator('#report-title, dialog .notification').first().waitFor();
      // The remaining tab takes over.
      await first.page.close();
      await expect.poll(() => tabsThatShow(second), WAIT).toEqual({ leading: 1, waiting: 0 });
      await aDayPasses();
      await expect.poll(async () => (await shown(second)).length, WAIT).toBe(1);
      await first.close();
    });

    it('is not shown without permission', async () => {
      const open = await openPage(browser, reader.address, {}, (page) => page.context().addInitScript(overhearBrowser));
      await open.page.locator('.app').waitFor();
      await aDayPasses();
      await open.page.getByRole('button', { name: m.notifications_open_new() }).waitFor();
      expect(await open.page.evaluate(() => window.notifications)).toEqual([]);
      await open.close();
    });

    it('is listed behind the bell, newest first, and opens its target', async () => {
      await reopen(shared);
      const { page } = shared;
      await page.getByRole('listbox').first().waitFor();
      await runFromPalette(page, m.notifications_title());
      const dialog = page.getByRole('dialog', { name: m.notifications_title() });
      const entries = dialog.getByRole('listitem').getByRole('button');
      await entries.first().waitFor();
      // The picture of it is checked in `npm test` (pictures/views.test.ts).
      if (isWhole) expect(await faultsOf(page)).toEqual([]);
      expect(await entries.first().innerText()).toMatch(/New daily report:[^]*\d{2}:\d{2}$/);
      await entries.first().click();
      await page.locator('#report-title').waitFor();
      expect(await dialog.count()).toBe(0);
    });
  });

  it('an error of the page is added to data health once, until the user has seen it', async () => {
    const { page, call } = shared;
    await page.evaluate(() => {
      for (let n = 0; n < 3; n += 1) setTimeout(fail, 0);
      function fail(): void {
        throw new Error('A test error');
      }
    });
    await page.getByText(m.problems_met()).waitFor();
    await expect
      .poll(async () => (await call('health.get', {})).problems.map(({ where }) => where), WAIT)
      .toEqual(['page']);
    await page.getByRole('status').getByRole('button', { name: m.sync_status_title() }).click();
    const dialog = page.getByRole('dialog', { name: m.sync_status_title() });
    await dialog.getByText('A test error').waitFor();
    await dialog.getByRole('button', { name: m.dismiss() }).click();
    await expect.poll(() => dialog.getByText('A test error').count(), WAIT).toBe(0);
    expect((await call('health.get', {})).problems).toEqual([]);
  });

  // `npm test` takes one, without pictures.
  describe.each(casesOf(TAKES, [5]))(
    'in $name, $width px wide, $colorScheme',
    ({ locale, name, by, width, height, colorScheme }) => {
      const options: BrowserContextOptions = { locale, viewport: { width, height }, colorScheme };
      const path = (scene: string): string => `${FOLDER}${scene}-${width}-${colorScheme}-${name}.png`;
      const take = async (page: Page, scene: string): Promise<void> => {
        if (isWhole) await page.screenshot({ path: path(scene), animations: 'disabled' });
      };

      it('matches its picture', async () => {
        const { page, complaints, close } = await openPage(browser, reader.address, options);
        const menu = page.getByRole('button', { name: m.sidebar_open({}, by) }).first();
        const settings = page.getByRole('button', { name: m.settings_title({}, by), exact: true });
        // One of them is visible once the page has loaded, depending on the width.
        await menu.or(settings).first().waitFor();
        await runFromPalette(page, m.notifications_title({}, by));
        await page
          .getByRole('dialog', { name: m.notifications_title({}, by) })
          .getByRole('listitem')
          .first()
          .waitFor();
        await take(page, 'notifications');
        for (const [scene, link] of [
          ['window-story', `story/${encodeURIComponent(storyId)}`],
          ['window-daily', `daily/${label}`],
        ] as const) {
          await page.goto(`${reader.origin}/#window=${encodeURIComponent(`broadsheet://${link}`)}`);
          await page.locator(scene === 'window-story' ? '#story-title' : '#report-title').waitFor();
          await take(page, scene);
        }
        expect(complaints).toEqual([]);
        await close();
      });
    },
  );
});

/** Runs before the page's code: records what would be shown outside of it. */
function overhearBrowser(): void {
  window.notifications = [];
  window.prints = 0;
  window.print = () => (window.prints += 1);
  window.Notification = class extends Notification {
    constructor(title: string, options: NotificationOptions = {}) {
      super(title, options);
      const click = (): void => void this.dispatchEvent(new Event('click'));
      window.notifications.push({ title, body: options.body ?? '', tag: options.tag ?? '', click });
    }
  };
}

/** How many tabs show notifications (the page's only lock), and how many wait to take over. */
function tabsThatShow(page: Page): Promise<{ leading: number; waiting: number }> {
  return page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return { leading: held.length, waiting: pending.length };
  });
}

async function faultsOf(page: Page): Promise<string[]> {
  await drawn(page);
  const { violations } = await axeResults(page);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ''}`);
}

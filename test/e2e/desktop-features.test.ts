import type { Page } from 'playwright';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { m } from '../../src-main/common/i18n/messages.ts';
import { fakeClock, type FakeClock } from '../support/clock.ts';
import { axeResults } from './support/axe.ts';
import { callsOf, type Calls } from './support/calls.ts';
import { titled, whyNoPage } from './support/chromium.ts';
import { openView, storeEverything, storyRows } from './support/desktop.ts';
import { drawn } from './support/drawn.ts';
import { openPage, WAIT } from './support/open-page.ts';
import { openScene, type Scene } from './support/scene.ts';

const DAY = 86_400_000;
/** More than the days that pass. */
const DAYS = 4;

/** Calls of the browser's notifications and printing, recorded by {@link overhearBrowser}. */
declare global {
  interface Window {
    notifications: { title: string; body: string; tag: string; click: () => void }[];
    prints: number;
  }
}

describe.skipIf(whyNoPage !== null)(titled('desktop features'), () => {
  let clock: FakeClock;
  let scene: Scene;
  /** Direct calls, not through a page. */
  let driver: Calls;

  beforeAll(async () => {
    clock = fakeClock(Date.now() - DAYS * DAY);
    scene = await openScene({ clock, content: { selected: 80, days: DAYS } });
    driver = await callsOf(scene.reader.address);
    await storeEverything(driver);
    return scene.close;
  });

  /** Advances the service by a day with events, and syncs. */
  async function aDayPasses(): Promise<void> {
    const { call } = driver;
    const before = (await call('reports.index', { kind: 'daily' })).lines.length;
    scene.service.control.addItem({ title: 'What the day brought' });
    clock.advance(DAY);
    await vi.waitFor(async () => {
      await call('sync.run', { urgency: 'now' });
      const { lines } = await call('reports.index', { kind: 'daily' });
      expect(lines.length).toBeGreaterThan(before);
    }, WAIT);
  }

  it('opens a story in a window of its own, which can be used by keyboard, printed and closed', async () => {
    // The page's policy keeps axe out.
    const { page, close } = await openPage(scene.browser, scene.reader.address, { bypassCSP: true });
    await openView(page, m.views_topics(), m.stories_lists_all());
    await storyRows(page).first().click();
    await page.getByRole('button', { name: m.topics_more() }).click();
    await page.context().addInitScript(overhearBrowser);
    const opening = page.context().waitForEvent('page');
    await page.getByRole('menuitem', { name: m.window_open() }).click();
    const own = await opening;
    await own.locator('#story-title').waitFor();
    const title = await own.getByRole('heading', { level: 1 }).innerText();
    expect(await own.title()).toBe(`${title} · Broadsheet`);
    expect(await own.getByRole('navigation').count()).toBe(0);
    expect(await faultsOf(own)).toEqual([]);
    await own.keyboard.press('s');
    const star = own.getByRole('button', { name: m.star() });
    await expect.poll(() => star.getAttribute('aria-pressed'), WAIT).toBe('true');
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
    await close();
  });

  it('shows a notification in one of two tabs, once, and opens its target', async () => {
    const first = await openPage(scene.browser, scene.reader.address, {}, async (page) => {
      await page.context().grantPermissions(['notifications'], { origin: scene.reader.origin });
      await page.context().addInitScript(overhearBrowser);
    });
    const context = first.page.context();
    // The tab that shows notifications is chosen after the rows are there, and a page that is not listening misses
    // them.
    await expect.poll(() => tabsThatShow(first.page), WAIT).toEqual({ leading: 1, waiting: 0 });
    const second = await context.newPage();
    const listening = second.waitForResponse((response) => response.url().endsWith('/events'));
    await second.goto(scene.reader.origin);
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
    await first.close();
  });
});

/** Runs before the page's code: records what would be shown outside of it. */
function overhearBrowser(): void {
  window.notifications = [];
  window.prints = 0;
  window.print = () => (window.prints += 1);
  window.Notification = class extends Notification {
    // A headless browser denies what the test granted.
    static override readonly permission = 'granted';

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

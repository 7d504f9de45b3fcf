import type { Page } from 'playwright';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { callsOf, type Calls } from './support/calls.ts';
import { titled, whyNoPage } from './support/chromium.ts';
import { begin, openFilled, type OpenPage, rowsOf, shows, titlesOf, WAIT } from './support/open-page.ts';
import { openScene, type Scene } from './support/scene.ts';

/** Somewhat longer than a row has to be in view to count as seen. */
const SEEN_MS = 450;

/** One installation, service and window for all tests; each test reloads the page and resets its changes. */
describe.skipIf(whyNoPage !== null)(titled('reading the news'), () => {
  let scene: Scene;
  let calls: Calls;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    scene = await openScene({ content: { selected: 240, days: 6, until: systemClock.now() - 3_600_000 } });
    calls = await callsOf(scene.reader.address);
    open = await openFilled(scene);
    page = open.page;
    return scene.close;
  });
  beforeEach(async () => {
    await begin(open);
    await rowsOf(page).first().waitFor();
    return async () => {
      const ids = await idsWithMarks(calls);
      for (const mark of ['unread', 'unstar'] as const)
        if (ids.length > 0) await calls.call('items.mark', { ids, mark });
      await calls.call('settings.set', { patch: { singleKeys: true, readOnScroll: false } });
    };
  });

  it('does not move the list while news are added, changed and removed', async () => {
    await page.getByRole('listbox').evaluate((list) => list.scrollTo({ top: 600 }));
    await expect.poll(async () => (await titlesOf(page)).length > 0 && (await topOf(page)) === 600, WAIT).toBe(true);
    const [revised, withdrawn] = (await rowsInSight(page)) as [string, string];
    const before = await placeOf(page, revised);
    const arrival = scene.service.control.addItem({ title: 'Hot off the press' });
    scene.service.control.editItem(idOf(revised), { title: 'Put right by the service' });
    scene.service.control.withdraw(idOf(withdrawn));
    await open.call('sync.run', { urgency: 'now' });
    const pill = page.getByRole('button', { name: '1 new item' });
    await pill.waitFor();
    await page.locator(`[id="${revised}"]`).filter({ hasText: 'Put right by the service' }).waitFor();
    await page.locator(`[id="${withdrawn}"]`).getByText('Withdrawn').waitFor();
    expect(await placeOf(page, revised)).toEqual(before);
    await pill.click();
    await shows(page, 'Hot off the press');
    expect((await titlesOf(page))[0]).toBe('Hot off the press');
    scene.service.control.withdraw(arrival.id);
    scene.service.control.restore(idOf(withdrawn));
    await open.call('sync.run', { urgency: 'now' });
  });

  it('marks rows that were seen and scrolled past, if that is set, and the undo takes them back', async () => {
    const marked = (): Promise<string[]> => idsWithMarks(calls);
    const list = page.getByRole('listbox');
    /** Turns the wheel over the list, as a reader does, until it is there. */
    const scroll = async (by: number): Promise<void> => {
      const to = Math.max(0, (await topOf(page)) + by);
      await list.hover();
      await page.mouse.wheel(0, by);
      await expect.poll(() => topOf(page), WAIT).toBe(to);
    };
    const height = (await rowsOf(page).first().boundingBox())?.height ?? 0;
    await lookFor(page, SEEN_MS);
    await scroll(height * 4);
    // Nothing is marked before it is set: what was passed until now stays unread.
    await scroll(-height * 4);
    await open.call('settings.set', { patch: { readOnScroll: true, singleKeys: false } });
    await page.getByText('to browse the list').waitFor({ state: 'hidden' });
    const before = await rowsInSight(page);
    await lookFor(page, SEEN_MS);
    await scroll(height * 4);
    await expect.poll(async () => (await marked()).toSorted(), WAIT).toEqual(before.slice(0, 4).map(idOf).toSorted());
    await lookFor(page, SEEN_MS);
    await scroll(height * 2);
    await expect.poll(async () => (await marked()).toSorted(), WAIT).toEqual(before.slice(0, 6).map(idOf).toSorted());
    await expect.poll(() => rowsOf(page).locator('.row:not(.unread)').count(), WAIT).toBe(6);
    await page.keyboard.press('Control+z');
    await expect.poll(marked, WAIT).toEqual([]);
    await expect.poll(() => rowsOf(page).locator('.row:not(.unread)').count(), WAIT).toBe(0);
  });
});

/** Lets the page be seen for this many ms of its own clock. */
async function lookFor(page: Page, ms: number): Promise<void> {
  const until = (await page.evaluate(() => performance.now())) + ms;
  await page.waitForFunction((end) => performance.now() > end, until);
}

async function idsWithMarks({ call }: Calls): Promise<string[]> {
  const { rows } = await call('items.page', { query: { scope: 'all', window: 'any', state: 'any' }, limit: 500 });
  return rows.filter(({ state }) => state.readAt !== null || state.starredAt !== null).map(({ id }) => id);
}

/** The `id` attributes of the rows that are completely visible. */
function rowsInSight(page: Page): Promise<string[]> {
  return page.getByRole('listbox').evaluate((list) => {
    const window = list.getBoundingClientRect();
    const inside = [...list.querySelectorAll('[role=option]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= window.top && bottom <= window.bottom;
    });
    return inside.map((row) => row.id);
  });
}

function topOf(page: Page): Promise<number> {
  return page.getByRole('listbox').evaluate((list) => list.scrollTop);
}

function placeOf(page: Page, row: string) {
  return page.locator(`[id="${row}"]`).boundingBox();
}

function idOf(row: string): string {
  return row.replace(/^item-/, '');
}

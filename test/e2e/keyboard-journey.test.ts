import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { titled, whyNoPage } from './support/chromium.ts';
import { openFilled, readingTitle, rowsOf, WAIT, type OpenPage } from './support/open-page.ts';
import { openScene, type Scene } from './support/scene.ts';

const ITEMS = 6;

/** Names the focused element, where the next key applies. */
function focus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return 'nothing';
    if (focused.closest('dialog')) return 'dialog';
    if (focused.getAttribute('role') === 'listbox') return 'list';
    if (focused.classList.contains('citation')) return 'story of the report';
    if (focused.classList.contains('scroller')) return `text of ${focused.closest('section')?.id ?? ''}`;
    if (focused.closest('nav')) return 'sidebar';
    const view = focused.closest('[id$="-list"]')?.id;
    return view && focused.getAttribute('aria-current') === 'true' ? `open row of ${view}` : focused.outerHTML;
  });
}

/** One page, no mouse: after each key the focus is where the next one applies. */
describe.skipIf(whyNoPage !== null)(titled('a journey by keyboard only'), () => {
  let scene: Scene;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    scene = await openScene({ content: { selected: 60, days: 4, until: systemClock.now() - 3_600_000 } });
    open = await openFilled(scene);
    page = open.page;
    await rowsOf(page).first().waitFor();
    return scene.close;
  });

  /** Presses a key, and waits until the focus is where it should be. */
  async function press(key: string, focused: string): Promise<void> {
    await page.keyboard.press(key);
    await expect.poll(() => focus(page), { ...WAIT, message: `the focus after ${key}` }).toBe(focused);
  }

  /** The active row is the open one. */
  async function expectActiveRow(): Promise<void> {
    const active = await page.getByRole('listbox').getAttribute('aria-activedescendant');
    expect(await page.locator('[role=option][aria-selected=true]').getAttribute('id')).toBe(active);
  }

  it(`reads ${ITEMS} items`, async () => {
    expect(await focus(page)).toBe('nothing');
    const read = new Set<string>();
    const keys = ['j', 'n', 'Space'];
    for (let n = 0; read.size < ITEMS && n < 5 * ITEMS; n += 1) {
      await press(keys[n % keys.length]!, 'list');
      read.add(await readingTitle(page));
      await expectActiveRow();
    }
    expect(read.size).toBe(ITEMS);
    await press('p', 'list');
    await press('l', 'text of feed-reading');
    await press('h', 'list');
    await press('h', 'sidebar');
    await press('j', 'list');
    await press('End', 'list');
    await press('Home', 'list');
  });

  it('marks, and takes it back', async () => {
    const row = page.locator('[role=option][aria-selected=true]');
    await press('s', 'list');
    await row.locator('.star').waitFor();
    await press('z', 'list');
    await row.locator('.star').waitFor({ state: 'detached' });
    await press('Shift+A', 'list');
    const toast = page.locator('.toast');
    await expect.poll(() => toast.innerText(), WAIT).toMatch(/items marked as read/);
    await press('Escape', 'list');
    await press('j', 'list');
    await press('Control+z', 'list');
    await page.getByText(/items marked as unread$/).waitFor();
  });

  it('goes on from a dialog with the very next key', async () => {
    const before = await readingTitle(page);
    await press('?', 'dialog');
    await page.keyboard.press('Escape');
    await press('j', 'list');
    await expect.poll(() => readingTitle(page), WAIT).not.toBe(before);
  });

  it('reads the latest daily with j, then with Space to its finish line: all stories count, and Today follows', async () => {
    const { stories: count, label } = (await open.call('today.get', {})).daily!;
    // A report of which something was read goes on at its first unread story.
    const { sections, flashes } = await open.call('reports.get', { kind: 'daily', label });
    const keys = [...sections.flatMap(({ items }) => items), ...flashes].flatMap(({ key }) => key ?? []);
    await open.call('reports.markCitations', { keys, read: false });
    const today = page.getByRole('navigation').getByRole('button', { name: /^Today/ });
    await expect.poll(() => today.innerText(), WAIT).toContain(String(count));
    await page.keyboard.press('g');
    await press('d', 'text of archive-reading');
    const stories = page.locator('#archive-reading .citation');
    await stories.first().waitFor();
    for (const n of [0, 1, 2]) {
      await press('j', 'story of the report');
      expect(await stories.nth(n).evaluate((story) => story === document.activeElement)).toBe(true);
    }
    // A story counts once its end was in view for a second.
    const [read, unread] = ['.citation:not(.unread):focus', '.citation.unread:focus'].map((focused) =>
      page.locator(`#archive-reading ${focused}`),
    );
    await read!.waitFor();
    await press('m', 'story of the report');
    await unread!.waitFor();
    await press('z', 'story of the report');
    await read!.waitFor();

    const text = page.locator('#archive-reading .scroller');
    const left = (): Promise<number> =>
      text.evaluate((one) => one.scrollHeight - one.clientHeight - Math.ceil(one.scrollTop));
    for (let n = 0; n < 200 && (await left()) > 1; n += 1) {
      await page.keyboard.press('Space');
      // The browser looks at what is in view once a frame.
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    }
    await text
      .getByRole('region', { name: 'End of the report' })
      .getByText(/^That’s /)
      .waitFor();
    await expect.poll(async () => (await open.call('today.get', {})).daily?.read, WAIT).toBe(count);
    expect((await open.call('reports.get', { kind: 'daily', label })).readAt).not.toBeNull();
    await page.keyboard.press('Space');
    await page.locator('#today-list').waitFor();
    expect(open.complaints).toEqual([]);
  });
});

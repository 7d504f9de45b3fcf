// Work in the page while it is measured. The functions passed to `evaluate` run in the browser.
import type { Page } from 'playwright';
import { WAIT } from '../../e2e/support/open-page.ts';

export const VIEWS = ['All items', 'Saved', 'Topics', 'Reports', 'Models', 'Picks'];

/** From the click until what it asked for is painted, in ms, by view. */
export async function clickAll(page: Page, rounds: number): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const view of VIEWS) (times[view] ??= []).push(await clickView(page, view));
  }
  return times;
}

/** A view is there when its heading and, in a list, its number of items are painted: the number comes with the rows. */
export function clickView(page: Page, view: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
    const painted = async (): Promise<void> => {
      await frame();
      await new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      });
    };
    const isThere = (): boolean => {
      const heading = [...document.querySelectorAll('h1')].find(
        (one) => getComputedStyle(one).visibility === 'visible' && one.textContent.trim() === wanted,
      );
      if (!heading) return false;
      const list = heading.closest('#feed-list');
      return (
        list === null || (list.querySelector('.count, .tabs') !== null && list.querySelector('.skeleton') === null)
      );
    };
    const names = [...document.querySelectorAll<HTMLElement>('nav button, nav a')];
    const entry =
      names.find((one) => one.querySelector('.name')?.textContent.trim() === wanted) ??
      names.find((one) => one.textContent.trim().startsWith(wanted));
    if (!entry) throw new Error(`There is no view ${wanted}: ${names.map((one) => one.textContent).join('; ')}`);
    await painted();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await frame();
    const begun = performance.now();
    entry.click();
    for (let turns = 0; ; turns += 1) {
      // A look after each task, so that the frame in which it is there is not missed.
      if (isThere()) break;
      if (turns > 100_000) throw new Error(`${wanted} did not come.`);
      await new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      });
    }
    await painted();
    return performance.now() - begun;
  }, view);
}

/** Opens a view and drags the scrollbar to a share of the list; in ms until every visible row is there. */
export async function jump(page: Page, view: string, share: number): Promise<number> {
  await clickView(page, view);
  await page.waitForTimeout(1500);
  return page.evaluate(async (to) => {
    const list = document.querySelector<HTMLElement>('#item-list');
    if (!list) throw new Error('There is no list.');
    const begun = performance.now();
    list.scrollTop = list.scrollHeight * to;
    for (;;) {
      await new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
      const { top, bottom } = list.getBoundingClientRect();
      const visible = [...list.querySelectorAll('.place')].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.bottom > top && box.top < bottom;
      });
      const whole = visible.reduce((sum, one) => sum + one.getBoundingClientRect().height, 0);
      if (whole >= bottom - top - 1 && visible.every((one) => one.getAttribute('role') === 'option')) break;
      if (performance.now() - begun > 30_000) throw new Error('The rows did not come.');
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    return performance.now() - begun;
  }, share);
}

export interface Thrown {
  /** In ms. */
  frames: number[];
  /** Frames with a place in sight without a row. */
  blank: number;
}

/** Scrolls from the top, 640 px in each frame. */
export async function throwRows(page: Page, count: number): Promise<Thrown> {
  await clickView(page, 'All items');
  await page.waitForTimeout(2000);
  return page.evaluate(async (frames) => {
    const list = document.querySelector<HTMLElement>('#item-list');
    if (!list) throw new Error('There is no list.');
    list.scrollTop = 0;
    const { top, bottom } = list.getBoundingClientRect();
    const times: number[] = [];
    let blank = 0;
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (let n = 0; n < frames; n += 1) {
      list.scrollTop += 640;
      const at = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      times.push(at - last);
      last = at;
      // The rows of the frame before: the scroll event of this one has not been handled yet.
      for (const y of [top + 4, (top + bottom) / 2, bottom - 4]) {
        const place = document
          .elementFromPoint(200 + list.getBoundingClientRect().left, y)
          ?.closest('.place, .scroller');
        if (place?.getAttribute('role') !== 'option') {
          blank += 1;
          break;
        }
      }
    }
    return { frames: times, blank };
  }, count);
}

interface Marked {
  shown: number;
  done: number;
  longestFrame: number;
  /** The longest call that marked another item meanwhile. */
  longestCall: number;
}

/** Marks everything as read, and undoes it. */
export async function marks(page: Page): Promise<Marked & { undo: Marked }> {
  await clickView(page, 'All items');
  await page.waitForTimeout(1000);
  const marked = await act(page, 'mark');
  await page.waitForTimeout(1000);
  return { ...marked, undo: await act(page, 'undo') };
}

function act(page: Page, what: 'mark' | 'undo'): Promise<Marked> {
  return page.evaluate(async (wanted) => {
    const isShown = (): boolean => (document.querySelector('#item-list .row.unread') === null) === (wanted === 'mark');
    const note = (): string => document.querySelector('.toast')?.textContent ?? '';
    const before = note();
    const authorization = `Bearer ${localStorage.getItem('broadsheet.key') ?? ''}`;
    const headers = { 'content-type': 'application/json', authorization };
    const body = JSON.stringify({ ids: ['no-such-item'], mark: 'unstar' });
    let [longestFrame, longestCall, shown, done] = [0, 0, 0, 0];
    const going = { on: true };
    const begun = performance.now();
    const calls = (async () => {
      while (going.on) {
        const from = performance.now();
        await (await fetch('/call/items.mark', { method: 'POST', headers, body })).json();
        longestCall = Math.max(longestCall, performance.now() - from);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const key = wanted === 'mark' ? { key: 'A', shiftKey: true } : { key: 'z' };
    document.body.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true }));
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    while (shown === 0 || done === 0) {
      const at = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      longestFrame = Math.max(longestFrame, at - last);
      last = at;
      if (shown === 0 && isShown()) shown = performance.now() - begun;
      const said = note();
      if (said !== before && said !== '') done ||= performance.now() - begun;
      if (at - begun > 60_000) throw new Error(`${wanted} did not end.`);
    }
    going.on = false;
    await calls;
    return { shown, done, longestFrame, longestCall };
  }, what);
}

/** In ms since the page was opened: until rows can be read in Selected, and until the first download is complete. */
export async function first(page: Page): Promise<{ rows: number; whole: number }> {
  await page.waitForFunction(() => document.querySelector('#item-list [role=option] .title') !== null, null, {
    timeout: 120_000,
    polling: 'raf',
  });
  const rows = await page.evaluate(() => performance.now());
  const from = Date.now();
  for (;;) {
    const complete = await page.evaluate(async () => {
      const authorization = `Bearer ${localStorage.getItem('broadsheet.key') ?? ''}`;
      const headers = { 'content-type': 'application/json', authorization };
      const reply = (await (await fetch('/call/sync.status', { method: 'POST', headers, body: '{}' })).json()) as {
        value: { selectedComplete: boolean };
      };
      return reply.value.selectedComplete;
    });
    if (complete) return { rows, whole: rows + Date.now() - from };
    if (Date.now() - from > 4 * WAIT.timeout) throw new Error('The first download did not end.');
    await page.waitForTimeout(50);
  }
}

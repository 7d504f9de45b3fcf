// Searches in the page while they are measured. The functions that `evaluate` gets run in the browser.
import type { Page } from 'playwright';

/** Texts to type, key by key. Chinese characters come from an input method one by one. */
export const TYPED = [
  '模',
  '推理模型',
  'reasoning',
  'benchm*',
  '"new reasoning"',
  'model -price',
  'agent OR 代理',
  'quillmarker',
  'source:"Source 7" data',
  'category:paper model',
  'is:unread 模型',
  'score:>80 data',
  'after:2026-01-01 open release',
];

declare global {
  interface Window {
    /** When the last key was pressed, in ms since the page was opened. */
    pressedAt: number;
    /** When the results of the last key were painted: in ms from the key. */
    painted: Promise<number>;
  }
}

/** Opens the search with an empty box. */
export async function openBox(page: Page): Promise<void> {
  await page.evaluate(() => {
    const note = (event: Event): void => {
      // A key, or what an input method entered without one.
      if (event.type === 'keydown' || event.timeStamp - window.pressedAt > 5) window.pressedAt = event.timeStamp;
    };
    document.addEventListener('keydown', note, { capture: true });
    document.addEventListener('input', note, { capture: true });
    window.pressedAt = 0;
  });
  await page.keyboard.press('/');
  await page.locator('#found-list').waitFor();
}

/** Presses one key, and waits until its results are painted: in ms from the key. */
export async function press(page: Page, key: string): Promise<number> {
  await watchForResults(page);
  await enter(page, key);
  return page.evaluate(() => window.painted);
}

/** Presses keys `every` ms; in ms from the last key until its results are painted. */
export async function type(page: Page, text: string, every: number): Promise<number> {
  const keys = Array.from(text);
  for (const key of keys.slice(0, -1)) {
    await enter(page, key);
    await page.waitForTimeout(every);
  }
  return press(page, keys.at(-1) ?? '');
}

export async function empty(page: Page): Promise<void> {
  await page.locator('search input').fill('');
  await page.waitForTimeout(50);
}

async function enter(page: Page, key: string): Promise<void> {
  if (/^[\x20-\x7e]$/.test(key)) await page.keyboard.press(key);
  else await page.keyboard.insertText(key);
}

/** From now on looks in each frame whether it shows the results of the next key. */
function watchForResults(page: Page): Promise<void> {
  return page.evaluate(() => {
    const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
    const box = document.querySelector<HTMLInputElement>('search input');
    const list = document.querySelector('#found-list');
    if (!box || !list) throw new Error('The search is not open.');
    const before = box.value;
    const from = performance.now();
    window.painted = (async () => {
      while (box.value === before || list.getAttribute('aria-busy') !== 'false') {
        if (performance.now() - from > 30_000) throw new Error(`No results of ${box.value}.`);
        await frame();
      }
      // The frame is painted before the next task.
      await new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      });
      return performance.now() - window.pressedAt;
    })();
  });
}

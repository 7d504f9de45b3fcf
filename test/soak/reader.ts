import type { OpenPage } from '../e2e/support/open-page.ts';

/** Steps of a reader with the keyboard, repeated. Each step is a key, or a text that is typed. */
const ROUND: readonly (readonly string[])[] = [
  ['g', 'f'],
  ['j', 'j', 'j', 's', 'j', 'n'],
  ['g', 'e'],
  ['End', 'Home', 'j', 'm'],
  ['g', 'u'],
  ['n', 'n', 'n', 'Space', 'Space'],
  ['/', 'text:推理', 'Escape', 'Escape'],
  ['/', 'text:model source:eval', 'Escape', 'Escape'],
  ['g', 'h'],
  ['j', 'j', 'Enter'],
  ['g', 's'],
  ['j', 'Enter'],
  ['g', 'd'],
  ['j', 'j', 'j', 'n'],
  ['g', 'a'],
  ['g', 'm'],
  ['g', 'f'],
  ['A'],
  ['z'],
  ['Control+k', 'text:stat', 'Escape'],
  ['?', 'Escape'],
];

/** One round. Returns the time of a call of the page after each step, in ms: it waits for what the step left to do. */
export async function readOnce({ page, call }: OpenPage): Promise<number[]> {
  const times: number[] = [];
  for (const keys of ROUND) {
    for (const key of keys) {
      if (key.startsWith('text:')) await page.keyboard.insertText(key.slice('text:'.length));
      else await page.keyboard.press(key);
      await page.waitForTimeout(60);
    }
    const begun = performance.now();
    await call('counts.get', {});
    times.push(performance.now() - begun);
  }
  return times;
}

export interface PageUse {
  heap: number;
  nodes: number;
  listeners: number;
}

/** Measures the page after its garbage is collected; the heap in bytes. */
export async function usedBy({ page }: OpenPage): Promise<PageUse> {
  const devtools = await page.context().newCDPSession(page);
  try {
    await devtools.send('Performance.enable');
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN;
    return { heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners') };
  } finally {
    await devtools.detach();
  }
}

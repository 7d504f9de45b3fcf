// What a person waits for in the page, in a real browser over the Node host: node test/bench/page/page.ts [--items 100000]
// [--only views,jump,throw,marks,first] [--runs 3]. Needs CHROMIUM_PATH and a build. `npm run bench` sets both.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { launchChromium } from '../../e2e/support/chromium.ts';
import { openPage, type OpenPage } from '../../e2e/support/open-page.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { start } from '../child.ts';
import { clickAll, first, jump, marks, throwRows, type Thrown } from './page-work.ts';
import { figure, median, percentile, table } from '../table.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'views,jump,throw,marks,first' },
    runs: { type: 'string', default: '3' },
  },
});
const items = Number(values.items);
const runs = Number(values.runs);
const parts = new Set(values.only.split(','));
const rows: string[][] = [];

const folder = mkdtempSync(join(tmpdir(), 'broadsheet-bench-page-'));
const service = start('server.ts', [String(items)]);
const address = String(await service.message());
const browser = await launchChromium();
try {
  if (['views', 'jump', 'throw', 'marks'].some((part) => parts.has(part))) await measureFilled();
  if (parts.has('first')) await measureFirst();
} finally {
  await browser.close();
  await service.end();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${table([`the page, ${items.toLocaleString('en')} items`, 'ms'], rows)}\n`);
process.exit(0);

async function measureFilled(): Promise<void> {
  const server = await serve(join(folder, 'filled'));
  const opened = await filled(browser, server);
  try {
    if (parts.has('views')) await measureViews(opened.page);
    if (parts.has('jump')) await measureJumps(opened.page);
    if (parts.has('throw')) await measureThrows(opened.page);
    if (parts.has('marks')) await measureMarks(opened);
  } finally {
    await opened.close();
    await server.close();
  }
}

async function measureViews(page: Page): Promise<void> {
  await clickAll(page, 1);
  const times = await clickAll(page, 5 * runs);
  for (const [view, ms] of Object.entries(times)) {
    rows.push([`switch to ${view}, median and longest`, `${figure(median(ms))}, ${figure(Math.max(...ms))}`]);
  }
  const all = Object.values(times).flat();
  rows.push(['any view switch, 95th percentile', figure(percentile(all, 0.95))]);
}

async function measureJumps(page: Page): Promise<void> {
  for (const view of ['Everything', 'Unread', 'Papers']) {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) times.push(await jump(page, view, 0.7 + run * 0.01));
    rows.push([`${view}: rows after the scrollbar is dragged to 70 %, longest`, figure(Math.max(...times))]);
  }
}

async function measureThrows(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const rate of [1, 6]) {
    await session.send('Emulation.setCPUThrottlingRate', { rate });
    const thrown = await throwRows(page, 600);
    rows.push([`640 px a frame${rate > 1 ? `, ${String(rate)} x slowed` : ''}`, said(thrown)]);
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
}

function said({ frames, blank }: Thrown): string {
  const at = (share: number): string => figure(percentile(frames, share));
  return `p95 ${at(0.95)}, p99 ${at(0.99)}, blank frames ${String(blank)} of ${String(frames.length)}`;
}

async function measureMarks({ page, call }: OpenPage): Promise<void> {
  const marked = await marks(page);
  rows.push(['mark all read: shown', figure(marked.shown)]);
  rows.push(['mark all read: done', figure(marked.done)]);
  rows.push(['mark all read: longest frame', figure(marked.longestFrame)]);
  rows.push(['mark all read: longest answer to another mark', figure(marked.longestCall)]);
  rows.push(['undo: shown', figure(marked.undo.shown)]);
  rows.push(['undo: done', figure(marked.undo.done)]);
  rows.push(['undo: longest frame', figure(marked.undo.longestFrame)]);
  rows.push(['undo: longest answer to another mark', figure(marked.undo.longestCall)]);
  const after = await call('counts.get', {});
  rows.push(['unread after the undo', String(after.all.unread)]);
}

/** Each page of the snapshot takes 120 ms: as long as a service on the other side of a continent. */
async function measureFirst(): Promise<void> {
  const slow = start('server.ts', [String(items), 'slow']);
  try {
    const slowAddress = String(await slow.message());
    const server = await serve(join(folder, 'first'), slowAddress);
    const opened = await openPage(browser, server.address);
    try {
      const { rows: until, whole } = await first(opened.page);
      rows.push(['first start: newest rows in Selected, from opening the page', figure(until)]);
      rows.push(['first start: everything', figure(whole)]);
    } finally {
      await opened.close();
      await server.close();
    }
  } finally {
    await slow.end();
  }
}

function serve(dataFolder: string, newsAddress = address): Promise<TestServer> {
  mkdirSync(dataFolder);
  return startTestServer({
    dataFolder,
    settings: { newsAddress, countsAsRead: 'byHand' },
    environment: { BROADSHEET_SET_UP: '1' },
  });
}

/** Waits until everything is there, and open page and engine have nothing left to do. */
async function filled(browser: Browser, server: TestServer): Promise<OpenPage> {
  const opened = await openPage(browser, server.address);
  for (;;) {
    const status = await opened.call('sync.status', {});
    if (status.selectedComplete && status.resources.every(({ running }) => !running)) break;
    await wait(200);
  }
  await wait(4000);
  return opened;
}

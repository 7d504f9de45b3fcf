// Measures waiting times of a person in the page, in a real browser over the Node host: node test/bench/page/page.ts
// [--items 100000] [--only start,views,jump,throw,marks,search,first] [--runs 3] [--data FOLDER]. Needs a browser and a
// build, as the e2e tests. With --data, downloads are kept there for another run.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import type { Settings } from '../../../src-main/contract/settings.ts';
import { findBrowser } from '../../../scripts/setup/browser.mjs';
import { openPage, type OpenPage } from '../../e2e/support/open-page.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { firstLoad } from '../../support/built-page.ts';
import { start } from '../child.ts';
import { addArchive } from './archive.ts';
import { clickAll, clickView, first, jump, marks, throwRows, type Thrown } from './page-work.ts';
import { freshWindow, serveEmptyPage, startedBrowser, startOnce } from './start-work.ts';
import { empty, openBox, press, type, TYPED } from './search-work.ts';
import { figure, median, percentile, table } from '../table.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'start,views,jump,throw,marks,search,first' },
    runs: { type: 'string', default: '3' },
    data: { type: 'string' },
  },
});
const items = Number(values.items);
const runs = Number(values.runs);
const parts = new Set(values.only.split(','));
const rows: string[][] = [];
/** Nobody answers there: its models are written to the data folder. */
const GATEWAY = 'http://127.0.0.1:9';

// Read when the module is loaded.
process.env['CHROMIUM_PATH'] ||= (await findBrowser()) ?? '';
const { launchChromium } = await import('../../e2e/support/chromium.ts');

const folder = values.data ?? mkdtempSync(join(tmpdir(), 'broadsheet-bench-page-'));
mkdirSync(folder, { recursive: true });
const service = start('server.ts', [String(items), 'quick', keptPort()]);
const address = String(await service.message());
const browser = await launchChromium();
try {
  if (['start', 'views', 'jump', 'throw', 'marks', 'search'].some((part) => parts.has(part))) await measureFilled();
  if (parts.has('search')) await measureSearches();
  if (parts.has('first')) await measureFirst();
} finally {
  await browser.close();
  await service.end();
  if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${table([`the page, ${items.toLocaleString('en')} items`, 'ms'], rows)}\n`);
process.exit(0);

async function measureFilled(): Promise<void> {
  const server = await serve(join(folder, 'filled'));
  const opened = await filled(browser, server);
  if (values.data !== undefined) writeFileSync(join(folder, 'port'), new URL(address).port);
  try {
    if (parts.has('start')) await measureStart(server, opened);
    if (parts.has('views')) await measureViews(opened.page);
    if (parts.has('jump')) await measureJumps(opened.page);
    if (parts.has('throw')) await measureThrows(opened.page);
    if (parts.has('marks')) await measureMarks(opened);
  } finally {
    await opened.close();
    await server.close();
  }
}

/** Windows beside empty ones, and what they have to load. */
async function measureStart(server: TestServer, { page, call }: OpenPage): Promise<void> {
  // A window opens where the last one was, once that is saved. Without a daily, Today has no entries to wait for.
  await clickView(page, 'All items');
  await clickView(page, 'Picks');
  while (!(await call('app.lastPlace', {})).place?.startsWith('feed?')) await wait(100);
  const emptyPage = await serveEmptyPage();
  const profiles = mkdtempSync(join(tmpdir(), 'broadsheet-bench-profiles-'));
  const openings = { 'a window': startedBrowser(profiles), 'a window without a cache': freshWindow(browser) };
  for (const [what, opening] of Object.entries(openings)) {
    const times: { rows: number; empty: number }[] = [];
    // Scripts are compiled for the cache when they are loaded for the second time.
    for (let run = -3; run < 2 * runs + 1; run += 1) {
      const time = await startOnce(opening, server.address, emptyPage.address);
      if (run >= 0) times.push(time);
    }
    const [rowsAt, emptyAt] = [median(times.map((time) => time.rows)), median(times.map(({ empty: at }) => at))];
    const ratio = (rowsAt / emptyAt).toFixed(2);
    rows.push([`${what}: its rows, an empty page, ratio`, `${figure(rowsAt)}, ${figure(emptyAt)}, ${ratio} x`]);
  }
  rmSync(profiles, { recursive: true, force: true });
  await emptyPage.close();
  const { compressed, fonts } = firstLoad();
  rows.push([
    'the first load, compressed, and its fonts, kB',
    [compressed, fonts].map((size) => figure(size / 1000)).join(', '),
  ]);
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
  for (const view of ['All items', 'Picks']) {
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

/** With an archive beside the items, in a process that starts for it. */
async function measureSearches(): Promise<void> {
  const dataFolder = join(folder, 'filled');
  const marker = join(folder, 'archived');
  if (!existsSync(marker)) {
    addArchive(dataFolder, address, GATEWAY);
    writeFileSync(marker, '');
  }
  const firsts: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await searching(dataFolder, async (page) => {
      await openBox(page);
      firsts.push(await press(page, ['模', 'r', 'm'][run % 3] ?? '模'));
    });
  }
  rows.push([
    'first search after the start, median and longest',
    `${figure(median(firsts))}, ${figure(Math.max(...firsts))}`,
  ]);
  await searching(dataFolder, async (page) => {
    await openBox(page);
    await typeAll(page);
    const times: Record<string, number[]> = {};
    for (let run = 0; run < runs; run += 1) {
      for (const [text, ms] of await typeAll(page)) (times[text] ??= []).push(...ms);
    }
    for (const [text, ms] of Object.entries(times)) {
      rows.push([
        `search ${text.replaceAll('|', '')}, key to results: median and longest`,
        `${figure(median(ms))}, ${figure(Math.max(...ms))}`,
      ]);
    }
    const all = Object.values(times).flat();
    const said = [0.5, 0.95, 0.99].map((share) => figure(percentile(all, share)));
    rows.push([
      `any of ${String(all.length)} keys: median, p95, p99, longest`,
      `${said.join(', ')}, ${figure(Math.max(...all))}`,
    ]);
    const fast: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      for (const text of TYPED) {
        await empty(page);
        fast.push(await type(page, text, 30));
      }
    }
    rows.push([
      'typed at 30 ms a key, last key to results: median, p95',
      `${figure(median(fast))}, ${figure(percentile(fast, 0.95))}`,
    ]);
  });
}

async function typeAll(page: Page): Promise<[string, number[]][]> {
  const all: [string, number[]][] = [];
  for (const text of TYPED) {
    await empty(page);
    const times: number[] = [];
    for (const key of Array.from(text)) {
      times.push(await press(page, key));
      await page.waitForTimeout(40);
    }
    all.push([text, times]);
  }
  return all;
}

async function searching(dataFolder: string, work: (page: Page) => Promise<void>): Promise<void> {
  const server = await serve(dataFolder, address, { modelsAddress: GATEWAY, polling: 'byHand' });
  const opened = await openPage(browser, server.address);
  try {
    await opened.page.locator('#item-list [role=option]').first().waitFor();
    await opened.page.waitForTimeout(1500);
    await work(opened.page);
  } finally {
    await opened.close();
    await server.close();
  }
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
      rows.push(['first start: newest rows in Picks, from opening the page', figure(until)]);
      rows.push(['first start: everything', figure(whole)]);
    } finally {
      await opened.close();
      await server.close();
    }
  } finally {
    await slow.end();
  }
}

/** The port of the service whose mirror is kept; any for a new one. */
function keptPort(): string {
  const file = join(folder, 'port');
  return existsSync(file) ? readFileSync(file, 'utf8') : '0';
}

function serve(dataFolder: string, newsAddress = address, settings: Partial<Settings> = {}): Promise<TestServer> {
  mkdirSync(dataFolder, { recursive: true });
  return startTestServer({
    dataFolder,
    settings: { newsAddress, countsAsRead: 'byHand', ...settings },
    environment: { BROADSHEET_SET_UP: '1' },
  });
}

/** Waits until everything is there, and open page and engine have nothing left to do. */
async function filled(browser: Browser, server: TestServer): Promise<OpenPage> {
  // Other pages of tests answer themselves where the reader was.
  const opened = await openPage(browser, server.address, { atLastPlace: true });
  for (;;) {
    const status = await opened.call('sync.status', {});
    if (status.selectedComplete && status.resources.every(({ running }) => !running)) break;
    await wait(200);
  }
  await wait(4000);
  return opened;
}

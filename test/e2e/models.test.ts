import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_KEY, type ModelLine } from '../../src-main/contract/model/model.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { isWhole } from '../support/proofs.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { axeResults } from './support/axe.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openView } from './support/desktop.ts';
import { drawn } from './support/drawn.ts';
import { openPage, reopen, rowsOf, shows, WAIT, type OpenPage } from './support/open-page.ts';

/** One dollar per million input tokens, two for output, no price for cached ones. */
const KNOWN = { id: 'made-up/paragon', name: 'Paragon Nine' };
const KNOWN_PRICES = { prompt: '0.000001', completion: '0.000002', image: '0', request: '0' };
const NO_OTHER_PRICES = {
  input_cache_read: undefined,
  input_cache_write: undefined,
  internal_reasoning: undefined,
  audio: undefined,
  web_search: undefined,
  discount: undefined,
};
const HEADLINE = 'A morning with Paragon Nine, and what it made of a broken spreadsheet';
const DESK = 'Models';
/** From the table to the change log. Each test reloads the page; the user's changes stay for the next tests. */
describe.skipIf(whyNoPage !== null)(titled('the models views'), () => {
  let browser: Browser;
  let service: DemoService;
  let reader: TestServer;
  let shared: OpenPage;

  beforeAll(async () => {
    service = await startDemoService({ clock: systemClock, content: { selected: 30, days: 3 }, models: 60 });
    service.control.addModel('models', { ...KNOWN, pricing: { ...KNOWN_PRICES, ...NO_OTHER_PRICES } });
    service.control.pageSize(25);
    service.control.addItem({ title: HEADLINE });
    [reader, browser] = await Promise.all([
      startTestServer({
        settings: { newsAddress: service.newsAddress, modelsAddress: service.modelsAddress },
        environment: { BROADSHEET_MODELS_KEY: DEMO_KEY },
      }),
      launchChromium(),
    ]);
    // The page's policy keeps axe out.
    shared = await openPage(browser, reader.address, { bypassCSP: true });
    await shared.call('sync.run', { urgency: 'now' });
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  const table = (page: Page): Locator => page.getByRole('grid', { name: 'Table: Models' });
  const head = (page: Page, name: string | RegExp): Locator => table(page).getByRole('columnheader', { name });
  const rowOf = (page: Page, name: string): Locator => table(page).getByRole('row').filter({ hasText: name });
  const view = (page: Page): Locator => page.locator('#models-list');
  /** Chooses an entry of the view's menu. */
  async function choose(page: Page, what: string): Promise<void> {
    await view(page).getByRole('button', { name: 'More actions for this list' }).click();
    await page.getByRole('menuitem', { name: what, exact: true }).click();
  }

  async function search(page: Page, words: string): Promise<void> {
    const box = page.getByRole('textbox', { name: /^Search name, ID/ });
    if (!(await box.isVisible()))
      await view(page)
        .getByRole('button', { name: /^Filters|^\d+ filters?/ })
        .click();
    await box.fill(words);
  }
  const sorted = (column: Locator, direction: string): Promise<void> =>
    expect.poll(() => column.getAttribute('aria-sort'), WAIT).toBe(direction);

  /** Reloads the shared page; with options, opens a separate one, which the test has to close. */
  async function openTable(options?: Parameters<typeof openPage>[2]): Promise<OpenPage> {
    const open = options ? await openPage(browser, reader.address, options) : shared;
    if (open === shared) await reopen(open);
    await openView(open.page, DESK);
    await table(open.page).getByRole('row').nth(1).waitFor();
    return open;
  }

  /** The number of matches beside the filters. */
  async function expectCount(page: Page, words: string): Promise<void> {
    await view(page).getByText(words, { exact: true }).first().waitFor();
  }

  it('lists the models of all pages in the table, with the embedding models', async () => {
    const { page, call, complaints } = await openTable();
    await expect.poll(() => table(page).getAttribute('aria-rowcount'), WAIT).toBe('62');
    const { lines } = await call('models.list', { modelList: 'models' });
    expect(lines.map(({ id }) => id)).toEqual(service.control.models('models').map(({ id }) => id));
    await choose(page, 'Embedding models');
    const others = page.getByRole('grid', { name: 'Table: Embedding models' });
    await expect.poll(() => others.getAttribute('aria-rowcount'), WAIT).toBe('18');
    expect(complaints).toEqual([]);
  });

  it('leaves columns out from the right, and never cuts a number', async () => {
    const { page, call, close } = await openTable({ viewport: { width: 1440, height: 700 } });
    const { lines } = await call('models.list', { modelList: 'models' });
    await call('settings.set', { patch: { modelColumns: everyColumn(lines) } });
    const heads = table(page).getByRole('columnheader');
    await expect.poll(() => heads.count(), WAIT).toBeGreaterThan(6);
    const widths = [1440, 1300, 1200];
    let most = Infinity;
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(() => cutIn(page), WAIT).toEqual([]);
      const count = await heads.count();
      expect(count).toBeLessThanOrEqual(most);
      most = count;
      expect((await heads.allInnerTexts()).slice(0, 3)).toEqual(['Model', 'Input', 'Output']);
    }
    await page.setViewportSize({ width: 480, height: 700 });
    await expect.poll(() => heads.count(), WAIT).toBe(0);
    expect(await cutIn(page)).toEqual([]);
    await call('settings.set', { patch: { modelColumns: null } });
    await close();
  });

  it('keeps models in use on top, and the selected columns, after a reload', async () => {
    const { page } = await openTable();
    await search(page, 'paragon');
    // Until then, the rows are about to move.
    await expectCount(page, '1 of 61 models');
    await rowOf(page, KNOWN.name)
      .getByRole('button', { name: `In use: ${KNOWN.name}` })
      .click();
    await page.getByText(`${KNOWN.name} is in use and moved to the top`).waitFor();
    await choose(page, 'Columns');
    await page.getByRole('checkbox', { name: 'Tokenizer' }).check();
    await page.keyboard.press('Escape');
    await head(page, 'Tokenizer').waitFor();
    await page.reload();
    await openView(page, DESK);
    await head(page, 'Tokenizer').waitFor();
    const first = table(page).getByRole('row').nth(1);
    expect(await first.innerText()).toContain(KNOWN.name);
    await head(page, 'Model').getByRole('button').click();
    await sorted(head(page, 'Model'), 'ascending');
    expect(await first.innerText()).toContain(KNOWN.name);
  });

  it('calculates the exact cost of a workload in a separate column', async () => {
    const { page } = await openTable();
    await choose(page, 'Estimate my cost');
    const dialog = page.getByRole('dialog', { name: 'Cost estimate' });
    const figures = { Name: 'Chat', 'Input tokens': '3000', 'Cached input tokens': '1000', 'Output tokens': '800' };
    for (const [label, text] of Object.entries({ ...figures, 'Requests per month': '10000' })) {
      await dialog.getByLabel(label, { exact: true }).fill(text);
    }
    await dialog.getByRole('button', { name: 'Save' }).click();
    await head(page, 'Monthly cost').getByRole('button').click();
    await sorted(head(page, 'Monthly cost'), 'ascending');
    // 10,000 times 3,000 input tokens for $1 and 800 output tokens for $2 per million; cached ones have no separate price.
    expect(await rowOf(page, KNOWN.name).textContent()).toContain('$46.00*');
  });

  it('exports the visible rows as CSV, JSON and Markdown', async () => {
    const { page } = await openTable();
    await search(page, 'paragon');
    await expectCount(page, '1 of 61 models');
    const csv = await exported(page, 'CSV');
    expect(csv.name).toMatch(/^models-\d{4}-\d\d-\d\d\.csv$/);
    const [names, row, ...more] = csv.text.replace('\uFEFF', '').trim().split('\n');
    expect(more).toEqual([]);
    const cell = (name: string): string | undefined => row?.split(',')[names?.split(',').indexOf(name) ?? -1];
    expect(cell('id')).toBe(KNOWN.id);
    expect([cell('pricing.prompt'), cell('pricing.prompt.usd_per_million')]).toEqual(['0.000001', '1']);
    expect([cell('cost_usd_a_month'), cell('cost_cache_assumed')]).toEqual(['46', 'true']);
    const json = JSON.parse((await exported(page, 'JSON')).text) as { models: ModelLine[] };
    expect(json.models).toMatchObject([{ ...KNOWN, pricing: KNOWN_PRICES }]);
    const markdown = (await exported(page, 'Markdown')).text.trim().split('\n');
    expect(markdown).toHaveLength(3);
    expect(markdown[2]).toContain(`| ${KNOWN.name} | ${KNOWN.id} |`);
  });

  it('compares models side by side, and in a chart', async () => {
    const { page, complaints } = await openTable();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const boxes = table(page).getByRole('checkbox');
    for (const row of [0, 1]) await boxes.nth(row).click();
    await page.getByRole('group', { name: 'Compare' }).getByRole('button', { name: 'Compare' }).click();
    const comparison = page.getByRole('table', { name: 'Model comparison' });
    await comparison.waitFor();
    await expect.poll(() => comparison.getByRole('columnheader').count(), WAIT).toBe(3);
    await page.getByRole('button', { name: 'Back to the table' }).click();
    await choose(page, 'Chart');
    await page.locator('.chart[role="listbox"]').waitFor();
    await page.getByText('Show as table', { exact: true }).click();
    await view(page).getByRole('table').getByRole('row').filter({ hasText: KNOWN.name }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('goes from a chip in the news to the model, and from its page to the news', async () => {
    const { page } = shared;
    await reopen(shared);
    await shows(page, HEADLINE);
    await rowsOf(page).filter({ hasText: HEADLINE }).first().click();
    const chip = page.getByRole('button', { name: new RegExp(`^Possible match: ${KNOWN.name}`) });
    await chip.waitFor();
    expect(await chip.innerText()).toContain('$1');
    await chip.click();
    await expect.poll(() => page.locator('#model-title').innerText(), WAIT).toBe(KNOWN.name);
    await page.getByRole('region', { name: 'In the news' }).getByRole('button', { name: HEADLINE }).click();
    await expect.poll(() => page.locator('#article-title').innerText(), WAIT).toBe(HEADLINE);
  });

  it('shows added, removed and changed models once, on the open page', async () => {
    const { page, call } = await openTable();
    const { control } = service;
    const refresh = (): Promise<unknown> => call('sync.run', { urgency: 'now', resources: ['models', 'embeddings'] });
    const gone = control.models('models')[5]?.id ?? '';
    control.removeModel('models', gone);
    control.addModel('models', { id: 'made-up/newcomer', name: 'Newcomer' });
    control.editModel('models', KNOWN.id, { pricing: { prompt: '0.0000005' } });
    await choose(page, 'Changes');
    await refresh();
    const entry = view(page).locator('article');
    await entry.first().waitFor();
    await refresh();
    await expect.poll(() => entry.count(), WAIT).toBe(1);
    const said = await entry.innerText();
    for (const words of ['Today', 'Newcomer', KNOWN.name, '$1', '$0.5']) expect(said).toContain(words);
    expect(await entry.locator(`button[title$="${gone}"]`).count()).toBe(1);
    await entry.getByRole('button', { name: KNOWN.name }).click();
    await page.getByRole('heading', { name: 'Prices and context over time' }).waitFor();
  });

  it('works by keyboard only: sorting, models in use, comparison, a model, its menu and back', async () => {
    const { page, close } = await openTable({});
    const { keyboard } = page;
    const active = page.locator('.model-row.active .title');
    const onTable = (): Promise<boolean> => table(page).evaluate((grid) => grid === document.activeElement);
    await tabTo(page, /^Max output/);
    await keyboard.press('Enter');
    await sorted(head(page, 'Max output'), 'ascending');
    await keyboard.press('Home');
    for (const key of ['ArrowDown', 'ArrowDown']) await keyboard.press(key);
    const name = await active.innerText();
    await keyboard.press('s');
    const note = page.getByText(`${name} is in use and moved to the top`);
    await note.waitFor();
    await keyboard.press('Escape');
    await note.waitFor({ state: 'detached' });
    await table(page).focus();
    for (const key of [' ', 'ArrowDown', ' ']) await keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await tabTo(page, /^Compare$/);
    await keyboard.press('Enter');
    await page.getByRole('table', { name: 'Model comparison' }).waitFor();
    await keyboard.press('Escape');
    await expect.poll(onTable, WAIT).toBe(true);
    await keyboard.press('Escape');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    const opened = await active.innerText();
    await keyboard.press('Enter');
    await expect.poll(() => page.locator('#model-title').innerText(), WAIT).toBe(opened);
    await keyboard.press('Escape');
    await expect.poll(onTable, WAIT).toBe(true);
    await keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Copy ID' }).waitFor();
    await keyboard.press('Escape');
    await expect.poll(onTable, WAIT).toBe(true);
    await close();
  });

  it.runIf(isWhole)('has a name for every control, and no accessibility problem', async () => {
    const { page, close } = await openTable({ bypassCSP: true });
    expect(await faultsOf(page), 'the table').toEqual([]);
    await page.getByRole('button', { name: /^Filters/ }).click();
    expect(await faultsOf(page), 'the filters').toEqual([]);
    await page.getByRole('button', { name: /^Filters/ }).click();
    for (const dialog of ['Columns', 'Workloads']) {
      await choose(page, dialog);
      await page.getByRole('dialog').waitFor();
      expect(await faultsOf(page), dialog).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await choose(page, 'Chart');
    await page.locator('.chart[role="listbox"]').waitFor();
    expect(await faultsOf(page), 'the chart').toEqual([]);
    await page.getByRole('button', { name: 'Back to the table' }).click();
    await choose(page, 'Changes');
    await view(page).locator('article').getByRole('button').first().click();
    await page.locator('#model-title').waitFor();
    expect(await faultsOf(page), 'the change log, and a model').toEqual([]);
    await close();
  });
});

/** All available columns: those of the table, and every price of a model. */
function everyColumn(lines: readonly ModelLine[]): string[] {
  const known = ['name', 'vendor', 'context', 'maxOutput', 'cost', 'inputs', 'outputs', 'created', 'expiry', 'cutoff'];
  const prices = new Set(lines.flatMap(({ pricing }) => Object.keys(pricing)));
  const more = ['moderated', 'parameters', 'tokenizer', 'firstSeen'];
  return [...known, ...more, ...[...prices].map((name) => `price.${name}`)];
}

/** Returns the texts of rows that are wider than their cells. */
function cutIn(page: Page): Promise<string[]> {
  return page
    .locator('.model-row .cell')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent.trim()),
    );
}

async function exported(page: Page, format: string): Promise<{ name: string; text: string }> {
  await page.locator('#models-list').getByRole('button', { name: 'More actions for this list' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: `Export as ${format}` }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

/** Presses Tab until the focused element has the text. */
async function tabTo(page: Page, words: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (words.test(await page.evaluate(() => document.activeElement?.textContent.trim() ?? ''))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach any element with the text ${words.source}.`);
}

/** Returns the faults that axe finds in the page. */
async function faultsOf(page: Page): Promise<string[]> {
  await drawn(page);
  const { violations } = await axeResults(page, {});
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ''}`);
}

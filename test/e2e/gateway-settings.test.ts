import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { openView } from './support/desktop.ts';
import { WAIT, openPage, rowsOf, type OpenPage } from './support/open-page.ts';
import { recordTraffic, type TrafficRecorder } from './support/traffic-recorder.ts';

const KEY = 'mk-5d0c1f-open-sesame-41b7';
const FOREIGN_KEY = 'mk-77aa02-not-the-one-90c3';
const SENT_IN = 'POST /call/gateway.setKey';
const CONTENT = { selected: 20, days: 5 };

/** One page, from the gateway's address to removing its key; each step continues the previous one. */
describe.skipIf(whyNoPage !== null)(titled('the gateway settings'), () => {
  let browser: Browser;
  let news: DemoService;
  let gateway: DemoService;
  let reader: TestServer;
  let open: OpenPage;
  let page: Page;
  let recorder: TrafficRecorder;

  beforeAll(async () => {
    [browser, news, gateway] = await Promise.all([
      launchChromium(),
      startDemoService({ clock: systemClock, content: CONTENT }),
      startDemoService({ clock: systemClock, content: CONTENT, modelsKey: KEY }),
    ]);
    reader = await startTestServer({ settings: { newsAddress: news.newsAddress } });
    open = await openPage(browser, reader.address);
    page = open.page;
    recorder = await recordTraffic(page);
    // The stream of events began before.
    await page.reload();
    await rowsOf(page).first().waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await Promise.all([news, gateway].map((service) => service.close()));
  });

  const panel = (): Locator => page.getByRole('region', { name: 'Model prices' });
  const field = (): Locator => panel().getByLabel(/^(New key|Key)$/);
  const says = (words: string | RegExp): Promise<void> => panel().getByText(words).first().waitFor();

  async function enter(key: string): Promise<void> {
    await field().fill(key);
    await panel().getByRole('button', { name: 'Save and test' }).click();
  }

  async function expectNowhere(key: string, times: number): Promise<void> {
    expect(
      await page.locator('input').evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value)),
    ).not.toContain(key);
    expect(recorder.sentIn(key)).toEqual(Array.from({ length: times }, () => SENT_IN));
    expect(await recorder.seen(key)).toEqual([]);
    expect(reader.stderr()).not.toContain(key);
  }

  /** The models of the gateway's lists, or their errors, once both have been requested. */
  async function modelLists(): Promise<unknown[]> {
    const { resources } = await open.call('sync.status', {});
    return resources
      .filter(({ name }) => name === 'models' || name === 'embeddings')
      .map(({ rows, error, running }) => (running ? 'running' : (error?.code ?? rows)));
  }

  it('save an address; the table without models leads to the key', async () => {
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await panel().getByLabel('Address').fill(gateway.modelsAddress);
    await panel().getByRole('button', { name: 'Save address' }).click();
    await expect.poll(modelLists, WAIT).toEqual(['unauthorized', 17]);
    await page.keyboard.press('Escape');
    await openView(page, 'Models');
    const view = page.locator('#models-list');
    await view.getByText('The model service needs a valid key.').waitFor();
    await view.getByRole('button', { name: 'Open settings' }).click();
    await panel().waitFor();
  });

  it('rejects an invalid key with a message, and does not save it', async () => {
    await enter(FOREIGN_KEY);
    await says(/can’t list models\. Use a management key/);
    await says('The key wasn’t saved');
    await expectNowhere(FOREIGN_KEY, 1);
    expect((await open.call('gateway.get', {})).key).toMatchObject({ from: null, lastFour: null, inUse: false });
  });

  it('accepts the right key, and shows its last four characters', async () => {
    await enter(KEY);
    await says('The key works.');
    await says(`Key ending in …${KEY.slice(-4)}`);
    await says(`Sent only to ${gateway.modelsAddress}.`);
    await expect.poll(modelLists, WAIT).toEqual([120, 17]);
    await expectNowhere(KEY, 1);
    await expectNowhere(FOREIGN_KEY, 1);
    // The places that show it are also searched for the key.
    const places = (await recorder.seen(KEY.slice(-4))).map(({ where }) => where);
    expect(places).toEqual(expect.arrayContaining(['markup', `answer of ${SENT_IN}`, 'event gateway.changed']));
  });

  it("removes the key from the page's memory", async () => {
    // A text on the page has to be found, or nothing was searched. Each search takes a snapshot of the whole memory:
    // some seconds, and half a minute on a busy computer.
    const shown = `Sent only to ${gateway.modelsAddress}`;
    const patience = { ...WAIT, timeout: 4 * WAIT.timeout };
    await expect.poll(() => recorder.remembers([FOREIGN_KEY, KEY, shown]), patience).toEqual([shown]);
  });

  it('removes the key, which undo does not restore', async () => {
    await panel().getByRole('button', { name: 'Remove key' }).click();
    await says('Key removed.');
    await says(/^No key yet/);
    expect(await field().evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('ControlOrMeta+z');
    expect(await field().inputValue()).toBe('');
    await expect.poll(modelLists, WAIT).toEqual(['unauthorized', 17]);
    await expectNowhere(KEY, 1);
  });

  it('does not affect the news, and vice versa', async () => {
    expect(news.requests.filter(({ headers }) => headers.hasAuthorization)).toEqual([]);
    expect(news.requests.filter(({ path }) => path.includes('models'))).toEqual([]);
    expect([open.outside, open.complaints]).toEqual([[], []]);
  });
});

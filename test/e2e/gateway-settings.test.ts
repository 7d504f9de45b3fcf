import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { showView } from './support/desktop.ts';
import { WAIT, openPage, rowsOf, type OpenPage } from './support/open-page.ts';
import { recordTraffic, type TrafficRecorder } from './support/traffic-recorder.ts';

const KEY = 'mk-5d0c1f-open-sesame-41b7';
const FOREIGN_KEY = 'mk-77aa02-not-the-one-90c3';
const SENT_IN = 'POST /call/gateway.setKey';
const CONTENT = { selected: 20, days: 5 };

/** One page from the gateway's address to the removal of its key; each step goes on from the one before. */
describe.skipIf(whyNoPage !== null)(titled('the gateway in the settings'), () => {
  let browser: Browser;
  let news: DemoService;
  let gateway: DemoService;
  let other: DemoService;
  let reader: TestServer;
  let open: OpenPage;
  let page: Page;
  let recorder: TrafficRecorder;

  beforeAll(async () => {
    const ours = { clock: systemClock, content: CONTENT, modelsKey: KEY };
    [browser, news, gateway, other] = await Promise.all([
      launchChromium(),
      startDemoService({ clock: systemClock, content: CONTENT }),
      startDemoService(ours),
      startDemoService(ours),
    ]);
    reader = await startTestServer({ settings: { newsAddress: news.newsAddress } });
    open = await openPage(browser, reader.address);
    page = open.page;
    recorder = await recordTraffic(page);
    await rowsOf(page).first().waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await Promise.all([news, gateway, other].map((service) => service.close()));
  });

  const panel = (): Locator => page.getByRole('tabpanel', { name: 'Models' });
  const field = (): Locator => panel().getByLabel(/^Enter a (new )?key$/);
  const says = (words: string | RegExp): Promise<void> => panel().getByText(words).first().waitFor();

  async function openSection(): Promise<void> {
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('tab', { name: 'Models' }).click();
    await panel().waitFor();
  }

  async function saveAddress({ modelsAddress }: DemoService): Promise<void> {
    await panel().getByLabel('Gateway address').fill(modelsAddress);
    await panel().getByRole('button', { name: 'Save address' }).click();
    await says('Address saved');
  }

  async function enter(key: string): Promise<void> {
    await field().fill(key);
    await panel().getByRole('button', { name: 'Save and test' }).click();
  }

  async function expectNowhere(key: string, times: number): Promise<void> {
    expect(await field().inputValue()).toBe('');
    expect(recorder.sentIn(key)).toEqual(Array.from({ length: times }, () => SENT_IN));
    expect(await recorder.seen(key)).toEqual([]);
    expect(reader.stderr()).not.toContain(key);
  }

  /** What the model lists of the gateway hold, or why they could not be read, once both were asked. */
  async function modelLists(): Promise<unknown[]> {
    const { resources } = await open.call('sync.status', {});
    return resources
      .filter(({ name }) => name === 'models' || name === 'embeddings')
      .map(({ rows, error, running }) => (running ? 'running' : (error?.code ?? rows)));
  }

  it('is tested and saved; without a key it lists embeddings models alone, and says why', async () => {
    expect(await modelLists()).toEqual([0, 0]);
    await openSection();
    await says('Save the gateway address first');
    await panel().getByLabel('Gateway address').fill(gateway.modelsAddress);
    await panel().getByRole('button', { name: 'Test' }).click();
    await says('Connected. 17 embedding models.');
    await saveAddress(gateway);
    await says(/^No key saved\./);
    await expect.poll(modelLists, WAIT).toEqual(['unauthorized', 17]);
    await page.keyboard.press('Escape');
    await page.getByText('Model sync failed').click();
    await page.getByText('The gateway requires a key, or the current key is invalid.').waitFor();
    expect(await page.getByText('Last sync failed').count()).toBe(0);
  });

  it('leads from the empty table to the place where a key is entered', async () => {
    await showView(page, 'Model catalogue');
    const view = page.locator('#models-list');
    await view.getByText('The gateway requires a key, or the current key is invalid.').waitFor();
    await view.getByRole('button', { name: 'Open settings' }).click();
    await panel().waitFor();
  });

  it('refuses a key of somebody else, in words, and it is not kept', async () => {
    await enter(FOREIGN_KEY);
    await says(/isn’t allowed to list models \(403\)\. Use a management key/);
    await says('The key wasn’t saved');
    await says(/^No key saved\./);
    await expectNowhere(FOREIGN_KEY, 1);
    expect((await open.call('gateway.get', {})).key).toMatchObject({ from: null, lastFour: null, inUse: false });
  });

  it('accepts the right key, of which the last four characters are shown', async () => {
    await enter(KEY);
    await says('The key works.');
    await says(`Key ending in …${KEY.slice(-4)}`);
    await says(/until you quit Broadsheet\. The system keychain isn’t available in a browser/);
    await says(`Sent only to ${gateway.modelsAddress}.`);
    await expect.poll(modelLists, WAIT).toEqual([120, 17]);
    await expectNowhere(KEY, 1);
    await expectNowhere(FOREIGN_KEY, 1);
    // What is told of it is seen in the places that were searched for it.
    const places = (await recorder.seen(KEY.slice(-4))).map(({ where }) => where);
    expect(places).toEqual(expect.arrayContaining(['markup', `answer of ${SENT_IN}`, 'event gateway.changed']));
  });

  it('leaves the memory of the page', async () => {
    await expect.poll(() => recorder.remembers(FOREIGN_KEY), WAIT).toBe(false);
    await expect.poll(() => recorder.remembers(KEY), WAIT).toBe(false);
    expect(await recorder.remembers(`Key ending in …${KEY.slice(-4)}`)).toBe(true);
  });

  it('is not brought back by undoing', async () => {
    await field().focus();
    await page.keyboard.press('ControlOrMeta+z');
    expect(await field().inputValue()).toBe('');
  });

  it('is asked about before the key goes to another one', async () => {
    await saveAddress(other);
    await says(`This key was saved for ${gateway.modelsAddress}. Use it for ${other.modelsAddress} too?`);
    await expect.poll(modelLists, WAIT).toEqual(['unauthorized', 17]);
    expect(other.requests.filter(({ headers }) => headers.hasAuthorization)).toEqual([]);
    await panel().getByRole('button', { name: 'Use key' }).click();
    await says('The key works.');
    await says(`Sent only to ${other.modelsAddress}.`);
    await expect.poll(modelLists, WAIT).toEqual([120, 17]);
    await expectNowhere(KEY, 1);
  });

  it('forgets the key when it is removed', async () => {
    await panel().getByRole('button', { name: 'Remove key' }).click();
    await says('Key removed.');
    await says(/^No key saved\./);
    expect(await field().evaluate((input) => input === document.activeElement)).toBe(true);
    await expect.poll(modelLists, WAIT).toEqual(['unauthorized', 17]);
    await expectNowhere(KEY, 1);
  });

  it('had no part in the news, and the news none in it', async () => {
    expect(news.requests.filter(({ headers }) => headers.hasAuthorization)).toEqual([]);
    expect(news.requests.filter(({ path }) => path.includes('models'))).toEqual([]);
    expect((await open.call('sync.status', {})).reachable).toBe(true);
    expect([open.outside, open.complaints]).toEqual([[], []]);
  });
});

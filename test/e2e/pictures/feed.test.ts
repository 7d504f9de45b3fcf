import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { m } from '../../src-main/common/i18n/messages.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { casesOf } from '../support/proofs.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { WAIT, openPage, rowsOf, searchBoxOf, type OpenPage } from './support/open-page.ts';
import { Gate } from './support/gate.ts';

const FOLDER = fileURLToPath(new URL('../../test-output/screenshots/', import.meta.url));
const WIDTHS = [480, 1000, 1440];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;

/** Pictures of the page, saved as output of the run. */
describe.skipIf(whyNoPage !== null)(titled('pictures of the page'), () => {
  const gate = new Gate((url) => url.includes('/selected/snapshot'));
  let browser: Browser;
  let service: DemoService;
  let slow: DemoService;
  let gone: DemoService;
  let readers: { filled: TestServer; first: TestServer; offline: TestServer };

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    const fixed = { clock: systemClock, content: { selected: 2400, days: 30 } };
    [service, slow, gone, browser] = await Promise.all([
      startDemoService({ clock: systemClock }),
      startDemoService({ ...fixed, intercept: gate.intercept }),
      startDemoService({ ...fixed }),
      launchChromium(),
    ]);
    const [filled, first, offline] = await Promise.all(
      [service, slow, gone].map(({ newsAddress, modelsAddress }) =>
        startTestServer({ settings: { newsAddress, modelsAddress } }),
      ),
    );
    readers = { filled: filled!, first: first!, offline: offline! };
    await makeReady();
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all(Object.values(readers).map((reader) => reader.close()));
    await Promise.all([service.close(), slow.close()]);
  });

  /** Some items read and starred, one page of the first download saved, and a service that is down. */
  async function makeReady(): Promise<void> {
    const filled = await openPage(browser, readers.filled.address);
    await rowsOf(filled.page).first().waitFor();
    const query = { scope: 'selected', window: 'any', state: 'any' } as const;
    const { rows } = await filled.call('items.page', { query, limit: 12 });
    const every = (n: number) => rows.filter((_row, index) => index % n === 2).map(({ id }) => id);
    await filled.call('items.mark', { ids: every(3), mark: 'read' });
    await filled.call('items.mark', { ids: every(4), mark: 'star' });
    await filled.close();

    await vi.waitFor(() => expect(gate.waiting).toBe(1), WAIT);
    gate.letThrough();
    await vi.waitFor(() => expect(gate.waiting).toBe(1), WAIT);

    const offline = await openPage(browser, readers.offline.address);
    await rowsOf(offline.page).first().waitFor();
    await gone.close();
    await offline.call('sync.run', { urgency: 'now' });
    await offline.close();
  }

  describe.each([
    { locale: 'en-GB', name: 'en', by: { locale: 'en' } as const },
    { locale: 'zh-CN', name: 'zh', by: { locale: 'zh-CN' } as const },
  ])('in $name', ({ locale, name, by }) => {
    /** Prepares a scene once and takes it in every size and scheme. */
    async function take(scene: string, reader: TestServer, setUp: (page: Page, open: OpenPage) => Promise<void>) {
      const open = await openPage(browser, reader.address, { locale, viewport: { width: 1440, height: HEIGHT } });
      await setUp(open.page, open);
      for (const width of casesOf(WIDTHS, [name === 'en' ? 1 : 0])) {
        await open.page.setViewportSize({ width, height: HEIGHT });
        for (const colorScheme of casesOf(SCHEMES, [name === 'en' ? 0 : 1])) {
          await open.page.emulateMedia({ colorScheme });
          const path = `${FOLDER}${scene}-${width}-${colorScheme}-${name}.png`;
          await open.page.screenshot({ path, animations: 'disabled' });
        }
      }
      expect(open.complaints).toEqual([]);
      await open.close();
    }

    it('shows a list', async () => {
      await take('list', readers.filled, (page) => rowsOf(page).nth(5).waitFor());
    });

    it('shows an item', async () => {
      await take('item', readers.filled, async (page) => {
        await rowsOf(page).nth(2).click();
        await page.getByRole('article').waitFor();
      });
    });

    it('shows search results', async () => {
      await take('search', readers.filled, async (page) => {
        await searchBoxOf(page).fill('推理');
        await rowsOf(page).locator('mark').first().waitFor();
      });
    });

    it('shows an empty list', async () => {
      await take('empty', readers.filled, async (page) => {
        await searchBoxOf(page).fill('zzzz');
        await page.getByText(m.empty_search_title({}, by)).waitFor();
      });
    });

    it('shows the settings', async () => {
      await take('settings', readers.filled, async (page) => {
        await page.getByRole('button', { name: m.sidebar_settings({}, by) }).click();
        await page.getByRole('dialog').waitFor();
      });
    });

    it('shows the gateway and its key in the settings', async () => {
      await take('settings-models', readers.filled, async (page) => {
        await page.getByRole('button', { name: m.sidebar_settings({}, by) }).click();
        await page.getByRole('tab', { name: m.settings_sections_models({}, by) }).click();
        await page.getByText(m.key_none({}, by)).waitFor();
      });
    });

    it('shows the list while the service is down', async () => {
      await take('offline', readers.offline, async (page) => {
        await rowsOf(page).first().waitFor();
        await page.getByText(m.sync_offline({}, by), { exact: true }).first().waitFor();
      });
    });

    it('shows the first download in progress', async () => {
      await take('first-sync', readers.first, async (page) => {
        await page.locator('#feed-list').getByText(m.empty_first_title({}, by)).waitFor();
      });
    });
  });
});

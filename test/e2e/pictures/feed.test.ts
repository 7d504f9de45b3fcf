import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { settingsSections } from '../../../src-main/common/i18n/settings-texts.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { SETTINGS_SECTIONS, type Settings } from '../../../src-main/contract/settings.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { startTestServer } from '../../support/test-server.ts';
import { callsOf } from '../support/calls.ts';
import { launchChromium, titled, whyNoPage } from '../support/chromium.ts';
import { showSection } from '../support/desktop.ts';
import { Gate } from '../../support/gate.ts';
import { isWhole } from '../../support/proofs.ts';
import { WAIT, openSearch, rowsOf, searchItems } from '../support/open-page.ts';
import { beginning, EVERY_PICTURE, takeScenes, type Scene } from './support/take-scene.ts';

/** The feed, what lies over it, and the settings. */
describe.skipIf(whyNoPage !== null)(titled('pictures of the feed'), () => {
  let browser: Browser;
  let readers: Record<'filled' | 'first' | 'offline', string>;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    const filled = await readFilled();
    readers = { filled, first: '', offline: '' };
    // The scenes of these readers are rare.
    if (isWhole || EVERY_PICTURE) readers = { filled, first: await readFirst(), offline: await readOffline() };
  });
  afterAll(async () => {
    await browser.close();
    for (const end of ends.toReversed()) await end();
  });

  async function read(service: DemoService): Promise<string> {
    const { newsAddress, modelsAddress } = service;
    const reader = await startTestServer({ settings: { newsAddress, modelsAddress } });
    ends.push(service.close, reader.close);
    return reader.address;
  }

  /** Some items read and starred. */
  async function readFilled(): Promise<string> {
    const address = await read(await startDemoService({ clock: systemClock, ...beginning(systemClock.now()) }));
    const { call } = await callsOf(address);
    await call('sync.run', { urgency: 'now' });
    const query = { scope: 'selected', window: 'any', state: 'any' } as const;
    const { rows } = await call('items.page', { query, limit: 12 });
    const every = (n: number) => rows.filter((_row, index) => index % n === 2).map(({ id }) => id);
    await call('items.mark', { ids: every(3), mark: 'read' });
    await call('items.mark', { ids: every(4), mark: 'star' });
    return address;
  }

  /** One page of the first download saved. */
  async function readFirst(): Promise<string> {
    const gate = new Gate((url) => url.includes('/selected/snapshot'));
    // More than the two pages that are asked for.
    const content = { selected: 2400, days: 30 };
    const address = await read(await startDemoService({ clock: systemClock, content, intercept: gate.intercept }));
    await vi.waitFor(() => expect(gate.waiting).toBe(1), WAIT);
    gate.letThrough();
    await vi.waitFor(() => expect(gate.waiting).toBe(1), WAIT);
    return address;
  }

  /** A service that is down. */
  async function readOffline(): Promise<string> {
    const service = await startDemoService({ clock: systemClock, content: { selected: 240, days: 6 } });
    const address = await read(service);
    const { call } = await callsOf(address);
    await call('sync.run', { urgency: 'now' });
    await service.close();
    // A failure counts only after the instant of the last answer, which lasts a while on the slow clock of the pictures.
    const answeredAt = systemClock.now();
    await vi.waitFor(() => expect(systemClock.now()).toBeGreaterThan(answeredAt), WAIT);
    await call('sync.run', { urgency: 'now' });
    return address;
  }

  const filled = () => readers.filled;

  const scenes: Scene[] = [
    // First: the download gives up after a while. Its progress moves until then, which would be waited for.
    {
      name: 'first-sync',
      address: () => readers.first,
      rare: true,
      options: { reducedMotion: 'reduce' },
      setUp: (page, by) => {
        const progress = page.getByRole('progressbar', { name: m.empty_first_title({}, by) });
        return progress
          .or(page.getByRole('button', { name: m.try_again({}, by) }))
          .first()
          .waitFor();
      },
    },
    {
      name: 'list',
      address: filled,
      // Beside `item`.
      rare: true,
      setUp: (page) => rowsOf(page).nth(3).waitFor(),
    },
    {
      name: 'list-compact',
      address: filled,
      rare: true,
      prepare: (page) => withSettings(page, { density: 'compact' }),
      setUp: (page) => rowsOf(page).nth(3).waitFor(),
    },
    {
      name: 'welcome',
      address: filled,
      // first-start.test.ts checks it.
      rare: true,
      prepare: unwelcomed,
      setUp: (page, by) => page.getByText(m.welcome_what({}, by)).waitFor(),
    },
    {
      name: 'item',
      address: filled,
      setUp: async (page) => {
        await rowsOf(page).nth(2).click();
        await page.getByRole('article').waitFor();
      },
    },
    {
      name: 'forced-colors',
      address: filled,
      rare: true,
      options: { forcedColors: 'active' },
      setUp: async (page) => {
        await rowsOf(page).nth(2).click();
        await page.getByRole('article').waitFor();
      },
    },
    {
      name: 'filters',
      address: filled,
      widest: 1000,
      options: { viewport: { width: 1000, height: 700 } },
      setUp: async (page, by) => {
        await page.getByRole('button', { name: m.filters_label({}, by), exact: true }).click();
        await page.getByRole('group', { name: m.filters_label({}, by), exact: true }).waitFor();
      },
    },
    {
      name: 'search',
      address: filled,
      // `save-search` has such rows.
      rare: true,
      setUp: async (page) => {
        await rowsOf(page).first().waitFor();
        await (await openSearch(page)).fill('推理');
        await page.locator('#search-list mark').first().waitFor();
      },
    },
    {
      name: 'search-list',
      address: filled,
      setUp: async (page) => {
        await rowsOf(page).first().waitFor();
        await searchItems(page, 'is:unread -zzzz OR 推理');
        // The rows of the view before stay until the results are there.
        await page.locator('#feed-list h1', { hasText: /match|结果/ }).waitFor();
      },
    },
    {
      name: 'palette',
      address: filled,
      setUp: async (page) => {
        await rowsOf(page).first().waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('option').first().waitFor();
      },
    },
    {
      name: 'help',
      address: filled,
      setUp: async (page) => {
        await rowsOf(page).first().waitFor();
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
    },
    ...SETTINGS_SECTIONS.map((section): Scene => ({
      name: `settings-${section}`,
      address: filled,
      // layouts.test.ts goes through all of them.
      rare: true,
      setUp: async (page, by) => {
        await page.getByRole('button', { name: m.settings_title({}, by), exact: true }).click();
        await showSection(page, settingsSections[section]({}, by));
      },
    })),
    {
      name: 'offline',
      address: () => readers.offline,
      rare: true,
      setUp: async (page, by) => {
        await rowsOf(page).first().waitFor();
        // Where the sidebar is visible, as it is before the window gets its size, its sync state says so.
        const state = page.getByRole('button', { name: new RegExp(`^${m.sync_label({}, by)}:`) });
        await state.getByText(new RegExp(m.sync_problem_since({ when: '.+' }, by))).waitFor();
      },
      again: async (page, by) => {
        const foot = page.getByRole('complementary', { name: m.sync_problem({}, by) });
        const menu = page.getByRole('button', { name: m.sidebar_open({}, by) });
        await expect.poll(async () => (await foot.count()) === (await menu.count()), WAIT).toBe(true);
      },
    },
  ];

  takeScenes(() => browser, scenes, 'en');
});

function unwelcomed(page: Page): Promise<unknown> {
  return withSettings(page, { welcomed: false });
}

/** Gives this page other settings; those of the reader stay. */
function withSettings(page: Page, settings: Partial<Settings>): Promise<unknown> {
  return page.route('**/call/settings.get', async (route) => {
    // The server may end a kept connection just then.
    const response = await route.fetch({ maxRetries: 2 });
    const reply = (await response.json()) as { ok: true; value: Settings };
    await route.fulfill({ response, json: { ok: true, value: { ...reply.value, ...settings } } });
  });
}

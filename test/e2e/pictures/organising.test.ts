import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { settingsSections } from '../../../src-main/common/i18n/settings-texts.ts';
import type { Message } from '../../../src-main/common/i18n/labels.ts';
import type { InLocale } from '../../../src-main/common/i18n/locale.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { DEMO_KEY } from '../../../src-main/contract/model/model.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { callsOf, type Calls } from '../support/calls.ts';
import { titled, whyNoPage } from '../support/chromium.ts';
import { openView, pressGo, showSection, storeEverything } from '../support/desktop.ts';
import { foundIn, openSearch, rowsOf, WAIT } from '../support/open-page.ts';
import { openScene, withGateway, type Scene as SharedScene } from '../support/scene.ts';
import { beginning, takeScenes, type Scene } from './support/take-scene.ts';

const SAVED = '推理 and agents';
/** In items, stories, reports and models of the demo, on any day. */
const EVERYWHERE = 'model OR the OR 的';
/** Rules of a file from another program that can't be used. */
const UNUSABLE = [
  ...[
    ['badquery', { name: 'Items with a story', query: 'has:story', notify: 0, position: 9, createdAt: 1 }],
    ['badterms', { name: 'Colours', query: 'colour:red OR is:green', notify: 0, position: 10, createdAt: 2 }],
  ].map(([id, value]) => ({ kind: 'saved', service: '', id, value })),
  { kind: 'mute', service: '', id: '-crypto', value: { id: 'badmute1', createdAt: 3 } },
];

/** Pictures of what a reader keeps, hides, writes and shares. */
describe.skipIf(whyNoPage !== null)(titled('pictures of organising'), () => {
  let shared: SharedScene;
  /** Id of an item with a note. */
  let noted: string;
  /** The shared folder. */
  let synced: string;

  beforeAll(async () => {
    shared = await openScene({
      ...beginning(systemClock.now()),
      settings: (service) => ({ ...withGateway(service), countsAsRead: 'byHand' }),
      environment: { BROADSHEET_MODELS_KEY: DEMO_KEY },
    });
    const calls = await callsOf(shared.reader.address);
    await storeEverything(calls);
    await organise(calls);
    await shareFolder(calls);
  });
  afterAll(async () => {
    await shared.close();
    await rm(synced, { recursive: true, force: true });
  });

  /** Saves searches, mutes, and writes notes. */
  async function organise({ call }: Calls): Promise<void> {
    const { rows } = await call('items.page', {
      query: { scope: 'selected', window: 'any', state: 'any' },
      limit: 60,
    });
    const names = rows.map(({ source }) => source.name ?? '').filter((name) => name !== '');
    const publisher = names[0]!;
    const muted = names.find((name) => name !== publisher)!;
    await call('saved.add', { name: SAVED, query: '推理 OR agent' });
    await call('saved.add', { name: 'Unread papers with a high score', query: 'is:unread category:paper score:>60' });
    await call('saved.add', {
      name: 'A saved search with a name that is as long as names of saved searches may be, so',
      query: `source:"${publisher}" -crypto`,
    });
    await call('mutes.add', { query: `source:"${muted}"` });
    await call('mutes.add', { query: 'category:tip' });
    await call('mutes.add', {
      query: '"a phrase that no item has" OR anotherwordthatisverylongandcannotbebroken'.repeat(3),
    });
    const file = { format: 'broadsheet-user-data', version: 1, records: UNUSABLE };
    expect((await call('data.import', { text: JSON.stringify(file) })).skipped).toBe(0);
    const item = rows.find(({ source }) => source.name !== muted)!;
    noted = item.title;
    await call('notes.set', {
      kind: 'item',
      id: item.id,
      text: 'Ask about the price before Friday.\n\n推理模型值得一试：先看基准测试，再比较价格。\nhttps://example.com/a/long/address/that/cannot/be/broken/anywhere?with=parameters&and=more',
    });
    const { stories } = await call('stories.list', { which: 'all' });
    await call('notes.set', { kind: 'story', id: stories[0]!.publicId, text: '跟进这个事件。' });
    const { lines } = await call('reports.index', { kind: 'daily' });
    await call('notes.set', { kind: 'report', id: `daily/${lines[1]!.label}`, text: 'A good overview. '.repeat(40) });
    await call('notes.set', { kind: 'item', id: 'gone-since-then', text: 'About an item that is no longer saved.' });
    await vi.waitFor(async () => {
      const { rules, progress } = await call('mutes.list', {});
      expect(progress).toBeNull();
      expect(Math.max(...rules.map(({ hides }) => hides))).toBeGreaterThan(0);
    }, WAIT);
  }

  /** Through a folder with another device, of which nothing is known yet. */
  async function shareFolder({ call }: Calls): Promise<void> {
    synced = await mkdtemp(join(tmpdir(), 'broadsheet-devices-'));
    const device = join(synced, 'broadsheet-devices', '0123456789abcdef');
    await mkdir(device, { recursive: true });
    await writeFile(join(device, 'about.json'), '');
    expect((await call('devices.set', { folder: synced })).devices).toHaveLength(2);
  }

  const scene = (name: string, setUp: Scene['setUp']): Scene => ({ name, address: () => shared.reader.address, setUp });

  /** An entry of the sidebar, also of the drawer. */
  async function entry(page: Page, name: string): Promise<Locator> {
    await rowsOf(page).first().waitFor();
    const menu = page.locator('.view:not(.away)').getByRole('button', { name: /^(Show views|显示视图)$/ });
    if (await menu.isVisible()) await menu.click();
    const found = page.getByRole('navigation').getByRole('button', { name });
    await found.waitFor();
    return found;
  }

  /** Wherever it is in the list by now, and folded or not. */
  async function openNoted(page: Page, by: InLocale): Promise<void> {
    await openView(page, m.views_saved({}, by), m.views_notes({}, by));
    await page
      .getByRole('listbox', { name: m.notes_label({}, by) })
      .getByRole('option')
      // A story may have the title of one of its items.
      .and(page.locator('[id*="-item-"]'))
      .filter({ hasText: noted })
      .click();
    await page.getByRole('article').waitFor();
  }

  /** A part of the general settings, with a rule that can't be used. */
  function rulesScene(name: string, title: Message, rule: string): Scene {
    const show = (page: Page, by: InLocale): Promise<unknown> =>
      page
        .getByRole('dialog')
        .getByRole('heading', { name: title({}, by) })
        .evaluate((heading) => heading.scrollIntoView());
    return {
      ...scene(name, async (page, by) => {
        await page.getByRole('button', { name: m.settings_title({}, by), exact: true }).click();
        await showSection(page, settingsSections.general({}, by));
        await page.getByRole('dialog').getByTitle(rule, { exact: true }).waitFor();
      }),
      again: show,
    };
  }

  takeScenes(
    () => shared.browser,
    [
      {
        ...scene('saved-views', async (page) => {
          await (await entry(page, SAVED)).scrollIntoViewIfNeeded();
        }),
        widest: 480,
        options: { viewport: { width: 480, height: 800 } },
      },
      scene('save-search', async (page, by) => {
        await rowsOf(page).first().waitFor();
        await (await openSearch(page)).fill('score:>60 category:paper');
        await foundIn(page).nth(2).waitFor();
        await page.getByRole('button', { name: m.rules_save_search({}, by) }).click();
        await page.getByRole('textbox', { name: m.name({}, by) }).waitFor();
      }),
      {
        ...scene('muted', async (page, by) => {
          await (await entry(page, m.views_muted({}, by))).click();
          await page.getByRole('heading', { level: 1, name: m.views_muted({}, by) }).waitFor();
          await rowsOf(page).first().click();
          await page.getByRole('article').waitFor();
        }),
        // As `item`.
        rare: true,
      },
      scene('article-menu', async (page, by) => {
        await openNoted(page, by);
        await page.getByRole('button', { name: m.article_more({}, by) }).click();
        await page.getByRole('menuitem', { name: m.rules_mute_words({}, by) }).waitFor();
      }),
      rulesScene('rules', m.rules_muting, '-crypto'),
      {
        ...scene('sources', async (page) => {
          await pressGo(page, 'o');
          await page.locator('.view:not(.away)').getByRole('listbox').getByRole('option').first().waitFor();
        }),
        // Beside `source`.
        rare: true,
      },
      scene('source', async (page) => {
        await pressGo(page, 'o');
        const shown = page.locator('.view:not(.away)');
        await shown.getByRole('listbox').focus();
        await page.keyboard.press('j');
        await page.keyboard.press('Enter');
        await shown.locator('.about svg[role=img]').waitFor();
        await rowsOf(page).first().waitFor();
      }),
      scene('statistics-tables', async (page) => {
        await pressGo(page, 'c');
        const shown = page.locator('.view:not(.away)');
        await shown.getByRole('img').first().waitFor();
        for (const summary of await shown.locator('summary').all()) await summary.click();
        await shown.locator('summary').last().scrollIntoViewIfNeeded();
      }),
      {
        ...scene('notes', async (page, by) => {
          await openView(page, m.views_saved({}, by), m.views_notes({}, by));
          await page
            .getByRole('listbox', { name: m.notes_label({}, by) })
            .getByRole('option')
            .nth(3)
            .waitFor();
        }),
        // Beside `note`.
        rare: true,
      },
      {
        ...scene('note', async (page, by) => {
          await openNoted(page, by);
          await page.getByRole('textbox', { name: m.note_title({}, by) }).waitFor();
        }),
        again: (page, by) => page.getByRole('textbox', { name: m.note_title({}, by) }).scrollIntoViewIfNeeded(),
      },
      scene('selection', async (page, by) => {
        await rowsOf(page).nth(4).waitFor();
        await page.getByRole('listbox').first().focus();
        for (let n = 0; n < 3; n += 1) await page.keyboard.press('Shift+ArrowDown');
        await page.getByRole('toolbar', { name: m.selection_label({}, by) }).waitFor();
      }),
      {
        ...scene('search-kinds', async (page) => {
          await rowsOf(page).first().waitFor();
          await (await openSearch(page)).fill(EVERYWHERE);
          const groups = page.locator('#search-list .heading');
          // Those further down are drawn when they are scrolled to.
          await expect.poll(() => groups.count(), WAIT).toBeGreaterThan(2);
        }),
        // `save-search` has such rows.
        rare: true,
      },
      scene('export-list', async (page, by) => {
        await (await entry(page, SAVED)).click();
        await page.getByRole('heading', { level: 1, name: SAVED }).waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').fill(m.report_export({}, by));
        await page
          .getByRole('dialog')
          .getByRole('option', { name: new RegExp(`^${m.report_export({}, by)}`) })
          .first()
          .click();
        await page.getByRole('dialog').getByRole('radio', { name: 'CSV' }).waitFor();
      }),
      {
        ...scene('devices', async (page, by) => {
          await page.getByRole('button', { name: m.settings_title({}, by), exact: true }).click();
          await showSection(page, settingsSections.data({}, by));
          await page.getByRole('dialog').getByText(synced).waitFor();
          const of = { name: m.settings_devices_unnamed({ id: '0123456789abcdef' }, by) };
          await page.getByRole('button', { name: m.remove_of(of, by) }).click();
        }),
        again: (page, by) => page.getByRole('heading', { name: m.settings_devices({}, by) }).scrollIntoViewIfNeeded(),
      },
      {
        ...scene('ai-tools', async (page, by) => {
          await page.getByRole('button', { name: m.settings_title({}, by), exact: true }).click();
          await showSection(page, settingsSections.advanced({}, by));
          await page.getByRole('dialog').locator('pre').waitFor();
        }),
        // The sections of the settings are checked elsewhere.
        rare: true,
      },
    ],
    'en',
  );
});

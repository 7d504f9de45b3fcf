import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settingsSections } from '../../src-main/common/i18n/settings-texts.ts';
import { m } from '../../src-main/common/i18n/messages.ts';
import { NO_DESKTOP, type Capabilities } from '../../src-main/contract/model/capabilities.ts';
import {
  DEFAULT_SETTINGS,
  SETTINGS_SECTIONS,
  type Settings,
  type SettingsSection,
} from '../../src-main/contract/settings.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoService } from '../../src-main/demo/service.ts';
import { casesOf, isWhole } from '../support/proofs.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { axeResults } from './support/axe.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { showSection } from './support/desktop.ts';
import { drawn } from './support/drawn.ts';
import { WAIT, openPage, reopen, rowsOf, type OpenPage } from './support/open-page.ts';

const FOLDER = fileURLToPath(new URL('../../test-output/screenshots/', import.meta.url));

/** Each language is shown in every size and both schemes, in combinations that the other language does not have. */
const TAKES = [
  { locale: 'en-GB', name: 'en', by: { locale: 'en' } as const, width: 1440, height: 900, colorScheme: 'light' },
  { locale: 'en-GB', name: 'en', by: { locale: 'en' } as const, width: 1000, height: 700, colorScheme: 'dark' },
  { locale: 'en-GB', name: 'en', by: { locale: 'en' } as const, width: 480, height: 800, colorScheme: 'light' },
  { locale: 'zh-CN', name: 'zh', by: { locale: 'zh-CN' } as const, width: 1440, height: 900, colorScheme: 'dark' },
  { locale: 'zh-CN', name: 'zh', by: { locale: 'zh-CN' } as const, width: 1000, height: 700, colorScheme: 'light' },
  { locale: 'zh-CN', name: 'zh', by: { locale: 'zh-CN' } as const, width: 480, height: 800, colorScheme: 'dark' },
] as const;

/** Capabilities of a desktop host, so that every section is shown. */
const DESKTOP: Capabilities = {
  ...NO_DESKTOP,
  version: '0.1.0',
  locale: 'en-GB',
  platform: 'linux',
  tray: true,
  launchAtLogin: true,
  dataFolder: true,
  updates: true,
};

/** The initial settings. The addresses stay those of the test services. */
const { newsAddress: _, modelsAddress: __, ...CLEAN } = DEFAULT_SETTINGS;

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const called = (text: string): boolean => (typeof name === 'string' ? text === name : name.test(text));
  for (let i = 0; i < 80; i += 1) {
    await page.keyboard.press('Tab');
    if (called(await nameOfFocused(page))) return;
  }
  throw new Error(`Tab did not reach ${String(name)}; the focus is on ${await nameOfFocused(page)}.`);
}

function nameOfFocused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement)) return '';
    const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : null;
    return (focused.ariaLabel ?? label ?? focused.textContent).trim();
  });
}

describe.skipIf(whyNoPage !== null)(titled('the settings screens'), () => {
  let service: DemoService;
  let reader: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    const until = systemClock.now() - 3_600_000;
    service = await startDemoService({ clock: systemClock, content: { selected: 60, days: 5, until } });
    const { newsAddress, modelsAddress } = service;
    [reader, browser] = await Promise.all([
      startTestServer({ settings: { newsAddress, modelsAddress } }),
      launchChromium(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await reader.close();
    await service.close();
  });

  /** A page of a host with all desktop capabilities. */
  async function openDesktop(options: BrowserContextOptions): Promise<OpenPage> {
    const open = await openPage(browser, reader.address, options, (page) =>
      page.route('**/call/app.capabilities', (route) => route.fulfill({ json: { ok: true, value: DESKTOP } })),
    );
    await rowsOf(open.page).first().waitFor();
    return open;
  }

  async function openSettings(page: Page, name = m.settings_title()): Promise<Locator> {
    const menu = page.getByRole('button', { name: /^(Show views|显示视图)$/ }).first();
    if (await menu.isVisible()) await menu.click();
    await page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog', { name });
    await dialog.waitFor();
    return dialog;
  }

  describe('by keyboard only', () => {
    let open: OpenPage;
    let page: Page;

    beforeAll(async () => {
      open = await openDesktop({ viewport: { width: 1440, height: 900 } });
      page = open.page;
    });
    beforeEach(async () => {
      await open.call('settings.set', { patch: CLEAN });
      await reopen(open);
      await rowsOf(page).first().waitFor();
      await page.keyboard.press('Escape');
    });
    afterEach(async () => {
      expect(open.complaints).toEqual([]);
      await open.call('settings.set', { patch: CLEAN });
    });
    afterAll(() => open.close());

    const savedSettings = async (): Promise<Settings> => open.call('settings.get', {});
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };

    /** From the page to a section: Tab to the settings, Enter, Tab to the sections, arrow keys to the section. */
    async function go(section: SettingsSection): Promise<void> {
      await tabTo(page, 'Settings');
      await press('Enter');
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
      await tabTo(page, settingsSections[SETTINGS_SECTIONS[0]]());
      for (const next of SETTINGS_SECTIONS.slice(1, SETTINGS_SECTIONS.indexOf(section) + 1)) {
        await press('ArrowRight');
        expect(await nameOfFocused(page)).toBe(settingsSections[next]());
      }
      await page.getByRole('tabpanel', { name: settingsSections[section](), exact: true }).waitFor();
    }

    it('the network can be set', async () => {
      await go('advanced');
      await tabTo(page, 'System');
      await press('ArrowDown', 'ArrowDown');
      await page.getByLabel('Proxy address').waitFor();
      await expect.poll(() => nameOfFocused(page), WAIT).toBe('Proxy address');
      await page.keyboard.type('http://127.0.0.1:9');
      await press('Enter');
      await expect.poll(async () => (await savedSettings()).proxy, WAIT).toBe('http://127.0.0.1:9');
    });

    it('notifications and quiet hours can be set, without a permission request', async () => {
      await go('notifications');
      await tabTo(page, 'New dailies');
      await press('Space');
      await tabTo(page, 'Turn on quiet hours');
      await press('Space');
      await page.getByText(/Every day from 22:00/).waitFor();
      await tabTo(page, 'From');
      // As in every choice of a browser, a letter or digit leads to the next option that begins with it.
      await press('2');
      await page.getByText(/Every day from 22:30/).waitFor();
      // The page updates before the setting is saved.
      await expect
        .poll(async () => (await savedSettings()).quietHours, WAIT)
        .toEqual({ on: true, from: '22:30', to: '07:00' });
      expect((await savedSettings()).notify).toEqual({ ...DEFAULT_SETTINGS.notify, daily: false });
      expect(await page.evaluate(() => Notification.permission)).toBe('default');
    });

    it('tray and startup can be set', async () => {
      await go('general');
      await tabTo(page, 'Keep running when the window is closed');
      await press('Space');
      await tabTo(page, 'Open at login');
      await press('Space');
      await expect.poll(async () => savedSettings(), WAIT).toMatchObject({ closeToTray: true, launchAtLogin: true });
    });

    it('the appearance can be set, and changes at once', async () => {
      await go('appearance');
      await tabTo(page, '100%');
      await press('ArrowRight', 'ArrowRight', 'ArrowRight');
      await tabTo(page, 'Serif');
      await press('ArrowRight');
      await tabTo(page, 'Comfortable');
      await press('ArrowRight');
      await expect
        .poll(async () => savedSettings(), WAIT)
        .toMatchObject({ textSize: 150, font: 'sans', density: 'compact' });
      const style = await page.locator('html').evaluate((root) => getComputedStyle(root).fontSize);
      expect(style).toBe('24px');
      const title = page.locator('.title').first();
      expect(await title.evaluate((element) => getComputedStyle(element).fontFamily)).toMatch(
        /^("Latin ellipsis", )?"?Inter\b/,
      );
    });

    it('reading can be set', async () => {
      await go('advanced');
      await tabTo(page, 'When opened');
      await press('ArrowDown');
      await expect.poll(async () => savedSettings(), WAIT).toMatchObject({ countsAsRead: 'afterDelay' });
    });

    it('downloading can be set', async () => {
      await go('data');
      await tabTo(page, 'Automatically');
      await press('ArrowRight');
      await tabTo(page, 'Forever');
      await press('ArrowRight');
      await expect.poll(async () => savedSettings(), WAIT).toMatchObject({ polling: 'byHand', keepDays: 30 });
    });

    it('a shortcut can be changed, swapped and used', async () => {
      await press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await tabTo(page, /, change shortcut: Next item$/);
      await press('Enter', 'Escape');
      await page.getByRole('dialog').waitFor();
      expect((await savedSettings()).shortcuts).toEqual({});
      await press('Enter', 'x');
      await expect.poll(async () => (await savedSettings()).shortcuts, WAIT).toEqual({ next: 'x' });
      await expect.poll(() => nameOfFocused(page), WAIT).toMatch(/^x, change shortcut: Next item$/);
      await press('Enter', 'k');
      await page.getByText('k is already used for “Previous item”.').waitFor();
      await press('Escape');
      await page.getByText('k is already used for “Previous item”.').waitFor({ state: 'detached' });
      await press('Enter', 'k');
      await page.getByText('k is already used for “Previous item”.').waitFor();
      await press('Shift+Tab', 'Enter');
      await expect.poll(async () => (await savedSettings()).shortcuts, WAIT).toEqual({ next: 'k', previous: 'x' });
      await page.getByRole('button', { name: /^k ?, change shortcut: Next item$/ }).waitFor();
      await press('Escape');
      // A closed dialog has no role any more, but the page takes keys only when it has removed it.
      await page.locator('dialog').waitFor({ state: 'detached' });
      await rowsOf(page).first().waitFor();
      await press('k');
      await page.locator('#article-title').waitFor();
    });

    it('data can be backed up and restored, and Esc only cancels the confirmation', async () => {
      await go('data');
      await tabTo(page, 'Back up now');
      await press('Enter');
      await page.getByText('Backup complete.').waitFor();
      expect(await nameOfFocused(page)).toBe('Back up now');
      // The list of backups is read after the message.
      await page
        .getByRole('button', { name: /^Restore backup from/ })
        .first()
        .waitFor();
      await press('Shift+Tab', 'Enter');
      await page.getByText(/^Restore your data/).waitFor();
      expect(await nameOfFocused(page)).toBe('Cancel');
      await press('Escape');
      await page.getByText(/^Restore your data/).waitFor({ state: 'detached' });
      expect(await nameOfFocused(page)).toMatch(/^Restore backup from/);
      await press('Enter', 'Shift+Tab', 'Enter');
      await page.getByText('Backup restored.').waitFor();
    });

    it('everything can be downloaded again, after a question', async () => {
      await go('advanced');
      await tabTo(page, 'Download again…');
      await press('Enter');
      await page.getByText(/^Download all news again/).waitFor();
      await press('Escape');
      await expect.poll(() => nameOfFocused(page), WAIT).toBe('Download again…');
    });

    it('all data can be exported to a file, and imported again', async () => {
      await go('data');
      await tabTo(page, 'Export my data');
      const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
      expect(download.suggestedFilename()).toMatch(/\.json$/);
      await page.getByText(`Exported as ${download.suggestedFilename()}`).waitFor();
      // Requested early: the browser reports a chooser only from then on, and Enter overtakes that on a busy computer.
      const chosen = page.waitForEvent('filechooser');
      await tabTo(page, /^Import file/);
      await press('Enter');
      const chooser = await chosen;
      await chooser.setFiles(await download.path());
      await page.getByText(/entries imported|entry imported/).waitFor();
    });
  });

  it('fit in the largest text size, in a narrow window', async () => {
    const { page, call, close } = await openDesktop({ viewport: { width: 480, height: 800 } });
    await call('settings.set', { patch: { textSize: 150 } });
    await expect
      .poll(() => page.locator('html').evaluate((root) => getComputedStyle(root).fontSize), WAIT)
      .toBe('24px');
    await take(page, 'large-list-480-light-en');
    expect(await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    await page.getByRole('button', { name: m.filters_label(), exact: true }).click();
    await page.getByRole('button', { name: 'Papers', exact: true }).waitFor();
    expect(await page.locator('#feed-list').evaluate((pane) => pane.scrollWidth - pane.clientWidth)).toBe(0);
    const dialog = await openSettings(page);
    for (const section of SETTINGS_SECTIONS) {
      await showSection(page, settingsSections[section]());
      expect(await overflowOf(dialog), section).toEqual([]);
      await take(page, `large-settings-${section}-480-light-en`);
    }
    await page.keyboard.press('Escape');
    await rowsOf(page).nth(2).click();
    await page.locator('#article-title').waitFor();
    await take(page, 'large-item-480-light-en');
    expect(await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    await call('settings.set', { patch: CLEAN });
    await close();
  });

  // `npm test` takes two of the six windows, looks for what is cut off in every section in both, and checks every other
  // section with axe, in each window the ones that the other leaves out. `npm run proofs` checks all, and takes the pictures.
  describe.each(casesOf([...TAKES.entries()], [0, 5]))('window %i', (number, window) => {
    const { locale, name, by, width, height, colorScheme } = window;

    it(`${width} px wide, ${colorScheme}, in ${name}: have accessible names and no cut-off text`, async () => {
      // The checker injects its script, which the page's policy would block.
      const options = { viewport: { width, height }, colorScheme, locale, bypassCSP: true };
      const { page, complaints, close } = await openDesktop(options);
      const dialog = await openSettings(page, m.settings_title({}, by));
      for (const [at, section] of SETTINGS_SECTIONS.entries()) {
        await showSection(page, settingsSections[section]({}, by));
        if (isWhole || at % 2 === number % 2) expect(await faultsOf(page), section).toEqual([]);
        expect(await overflowOf(dialog), section).toEqual([]);
        if (!isWhole) continue;
        const picture = `settings-${section}-${width}-${colorScheme}-${name}`;
        await take(page, picture);
        const more = await dialog.locator('.panel').evaluate((panel) => {
          panel.scrollTop = panel.scrollHeight;
          return panel.scrollTop > 0;
        });
        if (more) await take(page, `${picture}-end`);
      }
      expect(complaints).toEqual([]);
      await close();
    });
  });
});

/** Saves a picture during the proofs. */
async function take(page: Page, name: string): Promise<void> {
  if (isWhole) await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled' });
}

/** Problems of the open dialog that the checker calls serious or critical, each with its first position. */
async function faultsOf(page: Page): Promise<string[]> {
  await drawn(page);
  // The page behind the dialog is inert.
  const { violations, passes } = await axeResults(page, isWhole ? {} : { part: 'dialog' });
  expect(passes.length).toBeGreaterThan(10);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ''} ${nodes[0]?.failureSummary ?? ''}`);
}

/** Elements that overflow the dialog, or their own box. */
function overflowOf(dialog: Locator): Promise<string[]> {
  return dialog.evaluate((root) => {
    const { left, right } = root.getBoundingClientRect();
    return [...root.querySelectorAll<HTMLElement>('.panel, .panel *')]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, h3'))
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return (
          box.left < left - 1 ||
          box.right > right + 1 ||
          (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        );
      })
      .map((element) => `${element.tagName} ${element.className}: ${element.textContent.slice(0, 60)}`);
  });
}

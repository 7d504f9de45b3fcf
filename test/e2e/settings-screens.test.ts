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
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { launchChromium, titled, whyNoPage } from './support/chromium.ts';
import { showSection } from './support/desktop.ts';
import { WAIT, begin, openPage, rowsOf, type OpenPage } from './support/open-page.ts';
import { faultsOf } from './support/page-checks.ts';

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
      await begin(open);
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

    it('data can be backed up and restored, exported and imported, and Esc only cancels the confirmation', async () => {
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

  it('fit in the largest text size, in a narrow window, and are accessible', async () => {
    // The checker injects its script, which the page's policy would block.
    const { page, call, close } = await openDesktop({ viewport: { width: 480, height: 800 }, bypassCSP: true });
    await call('settings.set', { patch: { textSize: 150 } });
    await expect
      .poll(() => page.locator('html').evaluate((root) => getComputedStyle(root).fontSize), WAIT)
      .toBe('24px');
    expect(await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    await page.getByRole('button', { name: m.filters_label(), exact: true }).click();
    await page.getByRole('button', { name: 'Papers', exact: true }).waitFor();
    expect(await page.locator('#feed-list').evaluate((pane) => pane.scrollWidth - pane.clientWidth)).toBe(0);
    const dialog = await openSettings(page);
    for (const section of SETTINGS_SECTIONS) {
      await showSection(page, settingsSections[section]());
      expect(await overflowOf(dialog), section).toEqual([]);
      expect(await faultsOf(page, { part: 'dialog' }), section).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await rowsOf(page).nth(2).click();
    await page.locator('#article-title').waitFor();
    expect(await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    await call('settings.set', { patch: CLEAN });
    await close();
  });
});

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

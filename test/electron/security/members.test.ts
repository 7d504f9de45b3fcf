import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runHost, type FakeHost } from '../fake/index.ts';
import { countsOf, DAILY, raised, statusOf } from '../support/desktop.ts';
import { usedMembers } from '../support/used-members.ts';

// Exercises three hosts completely; takes longer on a busy computer.
vi.setConfig({ testTimeout: 300_000 });

const WAIT = { timeout: 30_000, interval: 50 };

type Driver = FakeHost['driver'];

/** Members that these runs do not use, and the tests that do. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'App.setName': 'under `npm start` on Windows: desktop-integration.test.ts',
  'Dialog.showErrorBox': 'where the app cannot start: host.test.ts',
  'Net.isOnline': 'two seconds after wake-up: power.test.ts',
};

const CLICKED = {
  linkURL: 'https://example.com/',
  linkText: 'a link',
  selectionText: 'a word',
  isEditable: false,
  editFlags: { canCopy: true, canSelectAll: true, canCut: false, canPaste: false },
  menuSourceType: 'mouse',
};

describe('the Electron API used by the host', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadsheet-members-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Windows and macOS share a data folder here, so that the second start finds a key and a maximized window. */
  async function driveOn(platform: NodeJS.Platform, end: (driver: Driver) => Promise<void>): Promise<string[]> {
    const use = join(folder, `${platform}.json`);
    const environment = {
      BROADSHEET_NEWS_URL: 'http://127.0.0.1:9',
      BROADSHEET_MODELS_URL: 'http://127.0.0.1:9',
      FAKE_USE: use,
      // No other folder can be chosen if the environment sets it.
      ...(platform === 'linux' ? { BROADSHEET_DATA: '', HOME: folder, XDG_DATA_HOME: folder } : {}),
    };
    const host = await runHost({ dataFolder: join(folder, 'data'), platform, environment });
    await visit(host.driver, join(folder, 'saved.pdf'));
    await end(host.driver);
    await host.exited;
    return JSON.parse(await readFile(use, 'utf8')) as string[];
  }

  it('is covered by the fake, to the last member and event', async () => {
    const driven = new Set([
      ...(await driveOn('linux', loseItsPage)),
      ...(await driveOn('win32', endTheSession)),
      ...(await driveOn('darwin', shutDown)),
    ]);
    const used = usedMembers();
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((member) => !driven.has(member) && !(member in ELSEWHERE))).toEqual([]);
    expect(Object.keys(ELSEWHERE).filter((member) => !used.includes(member) || driven.has(member))).toEqual([]);
  });
});

/** Everything that user, page and system do to the host, once. */
async function visit(driver: Driver, file: string): Promise<void> {
  for (const part of [trayModel, work, leaveThePage, useMenus, bear]) await part(driver, file);
}

async function trayModel(driver: Driver): Promise<void> {
  const { records } = driver;
  // A second start on the same folder fetches only when the wait after the first failure is over.
  const settled = /^(?:Can’t sync|无法同步|Last sync failed|上次同步失败)/;
  await expect.poll(async () => (await records()).tray?.menu[0]?.label, WAIT).toMatch(settled);
  await driver.speakAsEngine('sync.changed', statusOf());
  await driver.speakAsEngine('counts.changed', countsOf(2));
  // On macOS nothing is shown before notifications were asked for.
  await driver.call('notifications.test', {});
  await driver.speakAsEngine('notifications.raised', raised([DAILY]));
  await expect.poll(async () => (await records()).notifications.length, WAIT).toBe(2);
  await driver.clickNotification(1);
  await driver.pressButton(1, 0);
  await driver.closeNotification(1);
  await driver.failNotification(1);
  await driver.changeTheme({ dark: true, darkPanels: true });
}

async function work(driver: Driver, file: string): Promise<void> {
  const patch = { language: 'en', launchAtLogin: true, unreadMark: 'number', closeToTray: true };
  await driver.call('settings.set', { patch });
  // Again: an event of the engine may have come in between, and a badge is set only if it differs.
  await driver.speakAsEngine('counts.changed', countsOf(3));
  await driver.call('links.open', { url: 'https://example.com/' });
  await driver.wantFileAt(file);
  await driver.call('page.savePdf', { name: 'a.pdf' });
  await driver.call('data.showFolder', {});
  await driver.wantFileAt(null);
  await driver.call('data.chooseFolder', {});
  await driver.call('gateway.setKey', { key: 'a-key-that-is-long-enough' });
  await driver.call('app.openWindow', { target: { view: 'story', publicId: 'a-story' } });
  // Before maximizing, since maximized windows are not moved.
  await driver.useScreens([[5000, 0, 800, 600]]);
  await driver.maximize();
  await driver.zoomByWheel('in');
  await driver.discardBody();
}

/** Permissions of the page. */
async function leaveThePage(driver: Driver): Promise<void> {
  await driver.permission('media');
  await driver.fetches('https://example.com/');
  await driver.navigate('https://example.com/');
  await driver.redirect('https://example.com/');
  await driver.attachGuest();
  await driver.download({ url: 'blob:app://broadsheet/0', initiator: 'app://broadsheet', name: 'a.md' });
}

async function useMenus(driver: Driver): Promise<void> {
  await driver.minimize();
  await driver.secondInstance('broadsheet');
  await driver.openUrl('broadsheet://daily/2026-03-18');
  await driver.clickTray();
  await driver.clickRight(CLICKED);
  await driver.chooseInPopup('copyLink');
  // macOS only.
  await driver.chooseInPopup('lookUp').catch(() => undefined);
  await driver.chooseInMenu('savePdf');
  await driver.chooseInMenu('print');
  // The other one first, so that the last window on macOS is closed.
  await driver.closeWindowOf(1);
  await driver.closeWindow();
  await driver.chooseInMenu('search');
  // A window that was opened for it gets it once it has loaded.
  const commanded = async () => (await driver.records()).windows.some(({ events }) => events.includes('app.command'));
  await expect.poll(commanded, WAIT).toBe(true);
  await driver.activate();
}

/** Events from the system and the page's process. */
async function bear(driver: Driver): Promise<void> {
  for (const event of ['suspend', 'resume', 'lock-screen', 'unlock-screen']) await driver.power(event);
  await driver.loseChild('GPU', 'crashed');
  await driver.hang(0);
  await driver.respond(0);
  // Reload instead of waiting.
  await driver.press(1);
  await driver.hang(0);
}

async function loseItsPage(driver: Driver): Promise<void> {
  await driver.press(0);
  await driver.losePage(0, 'crashed');
  await driver.losePage(0, 'crashed').catch(() => undefined);
}

async function endTheSession(driver: Driver): Promise<void> {
  await driver.endSession().catch(() => undefined);
}

async function shutDown(driver: Driver): Promise<void> {
  await driver.power('shutdown').catch(() => undefined);
}

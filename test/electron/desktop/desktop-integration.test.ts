import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import { isRunning } from '../../../src-main/core/files/atomic-write.ts';
import type { HostOptions } from '../fake/host.ts';
import { HOST, runHost, SOURCE, type FakeHost } from '../fake/index.ts';
import { countsOf, DAILY, raised, statusOf, storyNotification } from '../support/desktop.ts';

// Every test starts processes, which take longer on a busy computer.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const WAIT = { timeout: 30_000, interval: 50 };
const NOBODY = 'http://127.0.0.1:9';

/** Accepts connections and never answers. */
async function silentService(): Promise<{ address: string; connected: Promise<unknown>; server: Server }> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  const connected = once(server, 'connection');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connected, server };
}

describe(`the desktop integration, ${HOST === SOURCE ? 'from its sources' : 'as it is built'}`, () => {
  let dataFolder: string;
  const hosts: FakeHost[] = [];
  const run = async (settings: Partial<Settings> = {}, options: HostOptions = {}): Promise<FakeHost> => {
    await writeFile(join(dataFolder, 'settings.json'), JSON.stringify({ language: 'en', ...settings }));
    const environment = { BROADSHEET_NEWS_URL: NOBODY, ...options.environment };
    const host = await runHost({ dataFolder, ...options, environment });
    hosts.push(host);
    return host;
  };
  beforeEach(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'broadsheet-desktop-'));
  });
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.close()));
    await rm(dataFolder, { recursive: true, force: true });
  });

  const NO_TRAY = { environment: { FAKE_TRAY: 'none' } };
  const windowsOf = async (host: FakeHost) => (await host.driver.records()).windows;
  const change = (host: FakeHost, patch: Partial<Settings>) => host.driver.call('settings.set', { patch });
  const stateOf = async (host: FakeHost) => (await host.driver.records()).tray?.menu[0]?.label;
  /** The first sync is done, so the engine sends no more events for a while. */
  const untilOffline = (host: FakeHost) => expect.poll(() => stateOf(host), WAIT).toMatch(/^(?:Can’t sync|无法同步)/);

  it('keeps the window in the tray when it is closed on Windows, and shows it again from there', async () => {
    const host = await run({}, { platform: 'win32' });
    await host.driver.closeWindow();
    expect(await windowsOf(host)).toMatchObject([{ visible: false, closed: false, did: ['show', 'hide'] }]);
    await host.driver.clickTray();
    expect(await windowsOf(host)).toMatchObject([{ visible: true, did: ['show', 'hide', 'show', 'focus'] }]);
    await host.driver.closeWindow();
    await host.driver.secondInstance();
    expect(await windowsOf(host)).toMatchObject([{ visible: true }]);
    expect((await host.driver.records()).appUserModelId).toBe('app.broadsheet');
  });

  it('has a fixed identity on Windows, and under `npm start` another one than the installed app', async () => {
    const identityOf = async (packaged: string) => {
      const host = await run({}, { platform: 'win32', environment: { FAKE_PACKAGED: packaged } });
      const { appName, appUserModelId, toastActivator } = await host.driver.records();
      await host.close();
      return { appName, appUserModelId, toastActivator };
    };
    const installed = await identityOf('yes');
    expect(installed).toEqual({
      appName: null,
      appUserModelId: 'app.broadsheet',
      toastActivator: expect.stringMatching(/^\{[0-9A-F-]{36}\}$/) as unknown,
    });
    expect(await identityOf('yes')).toEqual(installed);
    const development = await identityOf('no');
    expect(development).toMatchObject({
      appName: 'Broadsheet (development)',
      appUserModelId: 'app.broadsheet.development',
      toastActivator: expect.stringMatching(/^\{[0-9A-F-]{36}\}$/) as unknown,
    });
    expect(development.toastActivator).not.toBe(installed.toastActivator);
  });

  it('quits from the tray, although closing hides the window', async () => {
    const host = await run({}, { platform: 'win32' });
    await host.driver.closeWindow();
    await host.driver.chooseInTray('quit').catch(() => undefined);
    expect(await host.exited).toBe(0);
  });

  it('quits when the Windows session ends', async () => {
    const host = await run({}, { platform: 'win32' });
    await untilOffline(host);
    await host.driver.endSession().catch(() => undefined);
    expect(await host.exited).toBe(0);
  });

  it('quits when the Windows session ends while only a story has a window', async () => {
    const host = await run({}, { platform: 'win32', ...NO_TRAY });
    const target = { view: 'story', publicId: 'a-story' };
    expect(await host.driver.call('app.openWindow', { target })).toMatchObject({ ok: true });
    await host.driver.closeWindow();
    await host.driver.endSession().catch(() => undefined);
    expect(await host.exited).toBe(0);
  });

  it('quits when the window is closed without a tray, whatever the setting', async () => {
    const host = await run({ closeToTray: true, startHidden: true }, { platform: 'win32', ...NO_TRAY });
    expect(await windowsOf(host)).toMatchObject([{ visible: true }]);
    expect(await host.driver.call('app.capabilities', {})).toMatchObject({ value: { tray: false } });
    await host.driver.closeWindow().catch(() => undefined);
    expect(await host.exited).toBe(0);
    expect(host.stderr()).toContain('No system tray');
  });

  it('closes to the tray on Linux as soon as it is turned on, and no longer when it is turned off', async () => {
    const host = await run();
    await change(host, { closeToTray: true });
    await host.driver.closeWindow();
    expect(await windowsOf(host)).toMatchObject([{ visible: false, closed: false }]);
    await host.driver.chooseInTray('open');
    await change(host, { closeToTray: false });
    await host.driver.closeWindow().catch(() => undefined);
    expect(await host.exited).toBe(0);
  });

  it('stays in the macOS dock without a window, and opens one on click', async () => {
    const host = await run({}, { platform: 'darwin' });
    await host.driver.closeWindow();
    expect(await windowsOf(host)).toMatchObject([{ closed: true }]);
    await host.driver.activate();
    await expect.poll(() => windowsOf(host), WAIT).toMatchObject([{ closed: true }, { closed: false, visible: true }]);
    // If the app were quitting, it would still have opened it.
    expect(await host.driver.call('counts.get', {})).toMatchObject({ ok: true });
  });

  it('starts without a window at login, syncs, and opens a window when started again', async () => {
    const host = await run({ startHidden: true }, { args: ['--hidden'] });
    expect(await windowsOf(host)).toEqual([]);
    await untilOffline(host);
    // The login item may also start after the user did.
    await host.driver.secondInstance('broadsheet', '--hidden');
    expect(await windowsOf(host)).toEqual([]);
    await host.driver.secondInstance('broadsheet');
    await expect.poll(() => windowsOf(host), WAIT).toMatchObject([{ visible: true }]);
    expect(await host.driver.call('counts.get', {})).toMatchObject({ ok: true });
  });

  it('sets the Windows login item', async () => {
    const host = await run({ launchAtLogin: true }, { platform: 'win32' });
    await change(host, { launchAtLogin: false });
    const { loginItems } = await host.driver.records();
    expect(loginItems).toEqual([
      { openAtLogin: true, args: [] },
      { openAtLogin: false, args: [] },
    ]);
  });

  it('shows the sync status in the tray, and follows the language', async () => {
    const host = await run({ unreadMark: 'number' });
    await untilOffline(host);
    const tray = async () => (await host.driver.records()).tray;
    await host.driver.speakAsEngine('sync.changed', statusOf({ pause: { until: null } }));
    await host.driver.speakAsEngine('counts.changed', countsOf(12));
    await expect.poll(tray, WAIT).toMatchObject({ toolTip: 'Broadsheet\nPaused\n12 unread' });
    expect(basename((await tray())?.image ?? '')).toBe('tray-light-unread.png');
    expect((await host.driver.records()).badges).toEqual([12]);
    await change(host, { language: 'zh-CN', unreadMark: 'none' });
    await expect.poll(tray, WAIT).toMatchObject({ toolTip: 'Broadsheet\n已暂停' });
    expect((await host.driver.records()).badges).toEqual([12, 0]);
    await host.driver.changeTheme({ dark: true, darkPanels: true });
    expect(basename((await tray())?.image ?? '')).toBe('tray-dark.png');
  });

  it('opens the settings from the tray, even if its window is closed', async () => {
    const host = await run({ startHidden: true }, { platform: 'win32', args: ['--hidden'] });
    await host.driver.chooseInTray('settings');
    await expect.poll(() => windowsOf(host), WAIT).toMatchObject([{ visible: true }]);
    const target = await host.driver.call('app.takeTarget', {});
    expect(target).toEqual({ ok: true, value: { target: { view: 'settings' } } });
  });

  it('shows a notification, whose click and buttons open their targets', async () => {
    const host = await run({}, { platform: 'win32' });
    await untilOffline(host);
    const events: string[] = [];
    host.onEvent((event) => events.push(event));
    const story = storyNotification('A merger is called off', 3);
    await host.driver.speakAsEngine('notifications.raised', raised([DAILY, story]));
    const shown = async () => (await host.driver.records()).notifications;
    await expect
      .poll(shown, WAIT)
      .toMatchObject([
        { title: 'A new daily report and an updated topic', actions: [{ text: 'Open Daily' }, { text: 'Open Topic' }] },
      ]);
    await host.driver.closeWindow();
    await host.driver.pressButton(0, 1);
    expect(await windowsOf(host)).toMatchObject([{ visible: true }]);
    await expect.poll(() => events, WAIT).toContain('app.goTo');
    const target = await host.driver.call('app.takeTarget', {});
    expect(target).toEqual({ ok: true, value: { target: story.target } });
    await host.driver.speakAsEngine('notifications.raised', raised([DAILY], true));
    await expect.poll(shown, WAIT).toHaveLength(2);
    await host.driver.clickNotification(1);
    expect(await host.driver.call('app.takeTarget', {})).toEqual({ ok: true, value: { target: DAILY.target } });
  });

  it.skipIf(process.platform === 'win32')('runs a hook for what a sync found, and ends it when it quits', async () => {
    const program = join(dataFolder, 'hook');
    await writeFile(program, '#!/bin/sh\necho "$BROADSHEET_ID $$" >> "$BROADSHEET_DATA/ran"; exec sleep 600\n', {
      mode: 0o700,
    });
    await writeFile(join(dataFolder, 'hook.json'), JSON.stringify({ on: ['daily'], command: [program] }), {
      mode: 0o600,
    });
    const host = await run({ notify: { ...DEFAULT_SETTINGS.notify, daily: false } });
    await untilOffline(host);
    const found = { ...DAILY, item: null, priceChanged: false };
    await host.driver.speakAsEngine('notifications.found', { notifications: [found] });
    const ran = () => readFile(join(dataFolder, 'ran'), 'utf8').catch(() => '');
    await expect.poll(ran, WAIT).toMatch(/^2026-03-18 \d+\n$/);
    const pid = Number((await ran()).split(' ')[1]);
    expect(isRunning(pid)).toBe(true);
    await host.driver.chooseInTray('quit').catch(() => undefined);
    await host.exited;
    expect(isRunning(pid)).toBe(false);
  });

  it('opens its window on a click on a notification if there is none', async () => {
    const host = await run({ startHidden: true }, { args: ['--hidden'] });
    await untilOffline(host);
    await host.driver.speakAsEngine('notifications.raised', raised([DAILY]));
    await expect.poll(async () => (await host.driver.records()).notifications.length, WAIT).toBe(1);
    await host.driver.clickNotification(0);
    await expect.poll(() => windowsOf(host), WAIT).toMatchObject([{ visible: true }]);
    expect(await host.driver.call('app.takeTarget', {})).toMatchObject({ value: { target: DAILY.target } });
  });

  it('says in the tray that a first start without network has nothing yet, and notifies of nothing', async () => {
    const host = await run({ language: 'en' });
    await untilOffline(host);
    const { tray, notifications } = await host.driver.records();
    expect(tray?.toolTip).toBe('Broadsheet\nCan’t sync; nothing saved yet');
    expect(tray?.menu.find(({ id }) => id === 'refresh')).toMatchObject({ enabled: true });
    expect(notifications).toEqual([]);
  });

  it('shows none on macOS before it was asked to, and remembers that it was', async () => {
    const shown = async (host: FakeHost) => (await host.driver.records()).notifications.map(({ title }) => title);
    const first = await run({}, { platform: 'darwin' });
    await untilOffline(first);
    await first.driver.speakAsEngine('notifications.raised', raised([DAILY]));
    await first.driver.call('sync.status', {});
    expect(await shown(first)).toEqual([]);
    await first.driver.call('notifications.test', {});
    await first.close();
    const second = await run({}, { platform: 'darwin' });
    await second.driver.call('sync.status', {});
    await second.driver.speakAsEngine('notifications.raised', raised([DAILY]));
    await expect.poll(() => shown(second), WAIT).toEqual([expect.stringMatching(/^Daily · Wednesday, March 18/)]);
  });

  it('works without notifications if the system has none', async () => {
    const host = await run({}, { environment: { FAKE_NOTIFICATIONS: 'none' } });
    expect(await host.driver.call('app.capabilities', {})).toMatchObject({ value: { notifications: false } });
    await untilOffline(host);
    await host.driver.speakAsEngine('notifications.raised', raised([DAILY]));
    await host.driver.call('sync.status', {});
    expect((await host.driver.records()).notifications).toEqual([]);
  });

  it('shows in the tray that the data cannot be opened', async () => {
    const file = join(dataFolder, 'a file');
    await writeFile(file, '');
    const host = await run({}, { environment: { BROADSHEET_DATA: file } });
    await expect.poll(() => stateOf(host), WAIT).toBe('无法打开已保存的内容');
  });

  it('aborts what a service does not answer, ends its writing and closes its files when it quits', async () => {
    const { address, connected, server } = await silentService();
    // A busy computer may need longer than the limits. The service would be waited for longer than this test.
    const host = await run({}, { environment: { BROADSHEET_NEWS_URL: address, FAKE_LIMITS: 'none' } });
    await connected;
    expect(await host.driver.call('items.mark', { ids: ['an-id'], mark: 'star' })).toMatchObject({ ok: true });
    await host.driver.quit();
    expect(await host.exited).toBe(0);
    // A process that was killed leaves the write-ahead log.
    expect(
      (await readdir(dataFolder, { recursive: true })).filter((name) => /-(?:wal|shm|journal)$/.test(name)),
    ).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
  });
});

import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import { isRunning } from '../../../src-main/core/files/atomic-write.ts';
import { HOST, SOURCE, type FakeHost, type HostOptions } from '../fake/index.ts';
import { countsOf, DAILY, raised, statusOf } from '../support/desktop.ts';
import { hostsOfTest, WAIT } from '../support/hosts.ts';

/** Accepts connections and never answers. */
async function silentService(): Promise<{ address: string; connected: Promise<unknown>; server: Server }> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  const connected = once(server, 'connection');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connected, server };
}

describe(`the desktop integration, ${HOST === SOURCE ? 'from its sources' : 'as it is built'}`, () => {
  const test = hostsOfTest();
  const run = async (settings: Partial<Settings> = {}, options: HostOptions = {}): Promise<FakeHost> => {
    await writeFile(join(test.dataFolder, 'settings.json'), JSON.stringify({ language: 'en', ...settings }));
    return test.run(options);
  };
  const NO_TRAY = { environment: { FAKE_TRAY: 'none' } };
  const windowsOf = async (host: FakeHost) => (await host.driver.records()).windows;
  const change = (host: FakeHost, patch: Partial<Settings>) => host.driver.call('settings.set', { patch });
  const stateOf = async (host: FakeHost) => (await host.driver.records()).tray?.menu[0]?.label;
  /** The first sync is done, so the engine sends no more events for a while. */
  const untilOffline = (host: FakeHost) => expect.poll(() => stateOf(host), WAIT).toMatch(/^(?:Can’t sync|无法同步)/);

  it('keeps the window in the tray when it is closed on Windows, shows it again from there, and quits there', async () => {
    const host = await run({}, { platform: 'win32' });
    await host.driver.closeWindow();
    expect(await windowsOf(host)).toMatchObject([{ visible: false, closed: false, did: ['show', 'hide'] }]);
    await host.driver.clickTray();
    expect(await windowsOf(host)).toMatchObject([{ visible: true, did: ['show', 'hide', 'show', 'focus'] }]);
    await host.driver.closeWindow();
    await host.driver.secondInstance();
    expect(await windowsOf(host)).toMatchObject([{ visible: true }]);
    await host.driver.chooseInTray('quit').catch(() => undefined);
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

  it('works without tray and notifications, and quits when the window is closed, whatever the setting', async () => {
    const environment = { ...NO_TRAY.environment, FAKE_NOTIFICATIONS: 'none' };
    const host = await run({ closeToTray: true, startHidden: true }, { platform: 'win32', environment });
    expect(await windowsOf(host)).toMatchObject([{ visible: true }]);
    expect(await host.driver.call('app.capabilities', {})).toMatchObject({
      value: { tray: false, notifications: false },
    });
    await host.driver.speakAsEngine('notifications.raised', raised([DAILY]));
    await host.driver.call('sync.status', {});
    expect((await host.driver.records()).notifications).toEqual([]);
    await host.driver.closeWindow().catch(() => undefined);
    expect(await host.exited).toBe(0);
    expect(host.stderr()).toContain('No system tray');
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

  it('shows the sync status in the tray of Linux, in the chosen language, and closes to it while that is on', async () => {
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

    await change(host, { closeToTray: true });
    await host.driver.closeWindow();
    expect(await windowsOf(host)).toMatchObject([{ visible: false, closed: false }]);
    await host.driver.chooseInTray('open');
    await change(host, { closeToTray: false });
    await host.driver.closeWindow().catch(() => undefined);
    expect(await host.exited).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('runs a hook for what a sync found, and ends it when it quits', async () => {
    const program = join(test.dataFolder, 'hook');
    await writeFile(program, '#!/bin/sh\necho "$BROADSHEET_ID $$" >> "$BROADSHEET_DATA/ran"; exec sleep 600\n', {
      mode: 0o700,
    });
    await writeFile(join(test.dataFolder, 'hook.json'), JSON.stringify({ on: ['daily'], command: [program] }), {
      mode: 0o600,
    });
    const host = await run({ notify: { ...DEFAULT_SETTINGS.notify, daily: false } });
    await untilOffline(host);
    const found = { ...DAILY, item: null, priceChanged: false };
    await host.driver.speakAsEngine('notifications.found', { notifications: [found] });
    const ran = () => readFile(join(test.dataFolder, 'ran'), 'utf8').catch(() => '');
    await expect.poll(ran, WAIT).toMatch(/^2026-03-18 \d+\n$/);
    const pid = Number((await ran()).split(' ')[1]);
    expect(isRunning(pid)).toBe(true);
    await host.driver.chooseInTray('quit').catch(() => undefined);
    await host.exited;
    expect(isRunning(pid)).toBe(false);
  });

  it('stays in the macOS dock without a window, which a click there opens, or on a notification', async () => {
    const shown = async (host: FakeHost) => (await host.driver.records()).notifications.map(({ title }) => title);
    const opens = (host: FakeHost) =>
      expect.poll(() => windowsOf(host), WAIT).toMatchObject([{ closed: true }, { closed: false, visible: true }]);
    const first = await run({}, { platform: 'darwin' });
    await first.driver.closeWindow();
    expect(await windowsOf(first)).toMatchObject([{ closed: true }]);
    await first.driver.activate();
    await opens(first);
    // Nothing is shown before it was asked to, and the next start knows that it was.
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
    await second.driver.closeWindow();
    await second.driver.clickNotification(0);
    await opens(second);
    expect(await second.driver.call('app.takeTarget', {})).toMatchObject({ value: { target: DAILY.target } });
  });

  it('shows in the tray that the data cannot be opened, and tells the page', async () => {
    const file = join(test.dataFolder, 'a file');
    await writeFile(file, '');
    const host = await run({}, { environment: { BROADSHEET_DATA: file } });
    await expect.poll(() => stateOf(host), WAIT).toBe('无法打开已保存的内容');
    const reply = await host.driver.call('app.capabilities', {});
    expect(reply).toMatchObject({ ok: false, error: { message: expect.any(String) as unknown } });
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
      (await readdir(test.dataFolder, { recursive: true })).filter((name) => /-(?:wal|shm|journal)$/.test(name)),
    ).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
  });
});

import { inLocale } from '../../support/locale.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SyncStatus } from '../../../src-main/contract/model/sync-status.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';
import type { TrayModel } from '../../../src-main/electron/desktop/tray.ts';
import { TRAY_FOLDER } from '../../../src-main/electron/paths.ts';
import {
  syncLine,
  openTray,
  trayIconFile,
  type Panel,
  trayMenu,
  trayToolTip,
} from '../../../src-main/electron/desktop/tray.ts';
import { dateLocaleOf } from '../../../src-main/common/time-text.ts';
import { fakeClock } from '../../support/clock.ts';
import { countsOf, recordCalls, trayModelOf, statusOf } from '../support/desktop.ts';
import { becomeReady, Menu, nativeTheme, Tray } from '../fake/electron.ts';

becomeReady();

// Local times, so that the texts are the same in every zone.
const NOW = new Date(2026, 2, 18, 14, 30).getTime();
const at = (hour: number, minute = 0, day = 18): string => new Date(2026, 2, day, hour, minute).toISOString();

const menuContext = (language: 'en' | 'zh-CN' = 'en', now = NOW) => {
  return { now, dateLocale: dateLocaleOf(language, 'en-GB') };
};
const failed = { code: 'service_error', message: 'no', retryable: true } as const;

/** A model after a sync at this time, if any. */
const synced = (lastSuccessAt: string | null, status: Partial<SyncStatus> = {}): Partial<TrayModel> => ({
  sync: statusOf({ reachable: true, lastSuccessAt, ...status }),
});
const offline = { reachable: false };
/** A model after a failed sync of one resource. */
const failing = (resource: string): Partial<TrayModel> => ({
  sync: statusOf({ reachable: true, lastSuccessAt: at(8) }, (name) => ({ error: name === resource ? failed : null })),
});
const running = { sync: statusOf({ lastSuccessAt: at(9) }, (name) => ({ running: name === 'items' })) };
const paused = (until: string | null) => synced(at(8), { pause: { until } });

describe('the sync status line', () => {
  it.each<[string, Partial<TrayModel>, string, string]>([
    ['before anything is loaded', {}, 'Starting…', '正在启动…'],
    ['if the core did not open', { broken: true }, 'Saved news can’t be opened', '无法打开已保存的内容'],
    ['before the first sync', { sync: statusOf() }, 'Not synced yet', '尚未同步'],
    ['during a sync', running, 'Syncing…', '正在同步…'],
    ['after a sync', synced(at(14, 20)), 'Last synced 14:20', '上次同步：14:20'],
    ['after one on another day', synced(at(9, 5, 16)), 'Last synced Monday, 09:05', '上次同步：星期一 09:05'],
    ['offline, the first time', synced(null, offline), 'Can’t sync; nothing saved yet', '无法同步，尚无已保存的内容'],
    ['offline', synced(at(8), offline), 'Can’t sync; last synced 08:00', '无法同步，上次同步：08:00'],
    ['after a failed sync', failing('dailies'), 'Last sync failed', '上次同步失败'],
    ['if only the list of the gateway failed', failing('models'), 'Last synced 08:00', '上次同步：08:00'],
    ['during a pause', paused(at(15, 30)), 'Paused until 15:30', '已暂停至 15:30'],
    ['during a pause without end', paused(null), 'Paused', '已暂停'],
    ['after a pause that has ended', paused(at(14, 30)), 'Last synced 08:00', '上次同步：08:00'],
  ])('shows the status %s', (_when, members, english, chinese) => {
    const trayModel = trayModelOf(members);
    const line = (language: 'en' | 'zh-CN') => {
      const { now, dateLocale } = menuContext(language);
      return inLocale(language, () => syncLine(trayModel, now, dateLocale));
    };
    expect(line('en')).toBe(english);
    expect(line('zh-CN')).toBe(chinese);
  });
});

describe('the tray menu', () => {
  const { calls: called, recorder: commands } = recordCalls();
  beforeEach(() => void (called.length = 0));

  const menuOf = (trayModel: TrayModel, language: 'en' | 'zh-CN' = 'en') =>
    inLocale(language, () => trayMenu(trayModel, menuContext(language), commands));
  const labels = (items: MenuItemConstructorOptions[]): unknown[] =>
    items.flatMap((item) =>
      item.type === 'separator' ? ['-'] : [item.label, ...(Array.isArray(item.submenu) ? [labels(item.submenu)] : [])],
    );

  it('starts with the status, and is translated', () => {
    const trayModel = trayModelOf({ sync: statusOf({ lastSuccessAt: at(14, 20) }) });
    expect(labels(menuOf(trayModel))).toEqual([
      'Last synced 14:20',
      '-',
      'Open Broadsheet',
      'Latest Daily',
      'Refresh Now',
      '-',
      'Pause Updates',
      ['For 1 Hour', 'Until Tomorrow'],
      'Quiet Hours, 22:00 to 07:00',
      '-',
      'Settings…',
      'Quit Broadsheet',
    ]);
    expect(labels(menuOf(trayModel, 'zh-CN'))).toEqual([
      '上次同步：14:20',
      '-',
      '打开 Broadsheet',
      '最新日报',
      '立即刷新',
      '-',
      '暂停更新',
      ['1 小时', '直到明天'],
      '免打扰时段（22:00 至 07:00）',
      '-',
      '设置…',
      '退出 Broadsheet',
    ]);
  });

  it("ends with Windows' own word for quitting there", () => {
    const quit = (language: 'en' | 'zh-CN') =>
      inLocale(language, () =>
        trayMenu(trayModelOf(), { ...menuContext(language), platform: 'win32' }, commands).find(
          ({ id }) => id === 'quit',
        ),
      )?.label;
    expect([quit('en'), quit('zh-CN')]).toEqual(['Exit', '退出']);
  });

  it('offers to resume during a pause', () => {
    const trayModel = trayModelOf({ sync: statusOf({ pause: { until: null } }) });
    expect(labels(menuOf(trayModel))).toContain('Resume Updates');
    expect(labels(menuOf(trayModel))).not.toContain('Pause Updates');
  });

  it('cannot refresh during a sync, or without a core', () => {
    const refreshIn = (members: Partial<TrayModel>) =>
      menuOf(trayModelOf(members)).find(({ id }) => id === 'refresh')?.enabled;
    expect(refreshIn({ sync: statusOf() })).toBe(true);
    expect(refreshIn({ sync: statusOf({}, () => ({ running: true })) })).toBe(false);
    expect(refreshIn({ broken: true, sync: statusOf() })).toBe(false);
    expect(refreshIn({})).toBe(false);
  });

  it.each([
    ['open', {}, ['open']],
    ['latestDaily', {}, ['openLatestDaily']],
    ['refresh', {}, ['refresh']],
    ['pauseHour', {}, ['pause', 'hour']],
    ['pauseUntilTomorrow', {}, ['pause', 'untilTomorrow']],
    ['resume', { pause: { until: null } }, ['resume']],
    ['settings', {}, ['goTo', { view: 'settings' }]],
    ['quietHours', {}, ['setQuietHours', true]],
    ['quit', {}, ['quit']],
  ])('runs the command of %s', (id, status, calls) => {
    new Menu(menuOf(trayModelOf({ sync: statusOf(status) }))).choose(id);
    expect(called).toEqual([calls]);
  });

  it('shows whether quiet hours are on, and toggles them', () => {
    const quietHours = { on: true, from: '23:30', to: '08:00' };
    const menu = new Menu(menuOf(trayModelOf({ sync: statusOf() }, { quietHours })));
    expect(menu.find('quietHours')).toMatchObject({ checked: true, label: 'Quiet Hours, 23:30 to 08:00' });
    menu.choose('quietHours');
    expect(called).toEqual([['setQuietHours', false]]);
  });

  it.each([
    ['none', 12, 'Broadsheet\nNot synced yet'],
    ['dot', 12, 'Broadsheet\nNot synced yet'],
    ['number', 12, 'Broadsheet\nNot synced yet\n12 unread'],
    ['number', 0, 'Broadsheet\nNot synced yet'],
  ] as const)('names the number in its tool tip only where it is wanted: %s, %i', (unreadMark, unread, toolTip) => {
    const trayModel = trayModelOf({ sync: statusOf(), counts: countsOf(unread) }, { unreadMark });
    expect(trayToolTip(trayModel, menuContext())).toBe(toolTip);
  });
});

describe('the tray icon', () => {
  const panel = (members: Partial<Panel>): Panel => ({
    platform: 'linux',
    desktop: '',
    darkSystem: false,
    darkTheme: false,
    ...members,
  });

  it.each([
    ['a template on macOS', panel({ platform: 'darwin', darkSystem: true }), false, 'trayTemplate.png'],
    ['a template with a dot on macOS', panel({ platform: 'darwin' }), true, 'trayUnreadTemplate.png'],
    ['dark strokes on a light Windows taskbar', panel({ platform: 'win32', darkTheme: true }), false, 'tray-light.png'],
    ['light strokes on a dark Windows taskbar', panel({ platform: 'win32', darkSystem: true }), false, 'tray-dark.png'],
    ['dark strokes on Linux with a light theme', panel({ desktop: 'KDE' }), false, 'tray-light.png'],
    ['light strokes on Linux with a dark theme', panel({ desktop: 'KDE', darkTheme: true }), false, 'tray-dark.png'],
    ["light strokes on GNOME's panel, always dark", panel({ desktop: 'ubuntu:GNOME' }), false, 'tray-dark.png'],
    ['a dot if something is unread', panel({ desktop: 'XFCE' }), true, 'tray-light-unread.png'],
  ])('has %s', (_what, where, unread, file) => {
    expect(trayIconFile(where, unread)).toBe(file);
  });

  it('exists for every panel, in both sizes', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const) {
      for (const dark of [true, false]) {
        for (const unread of [true, false]) {
          const file = trayIconFile(panel({ platform, darkSystem: dark, darkTheme: dark }), unread);
          expect(existsSync(join(TRAY_FOLDER, file))).toBe(true);
          expect(existsSync(join(TRAY_FOLDER, file.replace('.png', '@2x.png')))).toBe(true);
        }
      }
    }
  });
});

describe('the tray', () => {
  const { calls: called, recorder: commands } = recordCalls();
  let clock: ReturnType<typeof fakeClock>;
  beforeEach(() => {
    clock = fakeClock(NOW);
    called.length = 0;
    nativeTheme.removeAllListeners();
    nativeTheme.themeSource = 'system';
    nativeTheme.change({ dark: false, darkPanels: false });
  });

  const open = (platform: NodeJS.Platform, first = trayModelOf()) => {
    const tray = openTray(
      {
        platform,
        desktop: '',
        clock,
        menuContext: () => menuContext('en', clock.now()),
        commands,
        log: () => undefined,
      },
      first,
    );
    return { tray, shown: Tray.last! };
  };
  const iconOf = (shown: Tray) => shown.record.image.slice(TRAY_FOLDER.length + 1);
  const unread = (n: number, settings: Partial<Settings> = {}) =>
    trayModelOf({ sync: statusOf(), counts: countsOf(n) }, settings);

  it('shows a dot for unread items, unless turned off or the set is incomplete', () => {
    const { tray, shown } = open('win32');
    expect(iconOf(shown)).toBe('tray-light.png');
    tray!.show(unread(3));
    expect(iconOf(shown)).toBe('tray-light-unread.png');
    tray!.show(unread(3, { unreadMark: 'none' }));
    expect(iconOf(shown)).toBe('tray-light.png');
    tray!.show(unread(0));
    expect(iconOf(shown)).toBe('tray-light.png');
    tray!.show(trayModelOf({ sync: statusOf({ selectedComplete: false }), counts: countsOf(3) }));
    expect(iconOf(shown)).toBe('tray-light.png');
  });

  it('shows the number next to the icon on macOS if set', () => {
    const { tray, shown } = open('darwin', unread(7));
    expect(shown.record.title).toBe('');
    tray!.show(unread(7, { unreadMark: 'number' }));
    expect(shown.record.title).toBe('7');
    tray!.show(unread(0, { unreadMark: 'number' }));
    expect(shown.record.title).toBe('');
  });

  it('follows the theme of the Windows taskbar', () => {
    const { shown } = open('win32');
    nativeTheme.change({ dark: false, darkPanels: true });
    expect(iconOf(shown)).toBe('tray-dark.png');
  });

  it("follows the desktop theme on Linux, not the app's own", () => {
    const { shown } = open('linux');
    nativeTheme.themeSource = 'dark';
    expect(iconOf(shown)).toBe('tray-light.png');
    nativeTheme.themeSource = 'system';
    nativeTheme.change({ dark: true, darkPanels: false });
    expect(iconOf(shown)).toBe('tray-dark.png');
    nativeTheme.themeSource = 'light';
    expect(iconOf(shown)).toBe('tray-dark.png');
  });

  it('sets its menu and tool tip only after a change, because that closes an open menu', () => {
    const { tray, shown } = open('linux', trayModelOf({ sync: statusOf() }));
    const set = shown.record.menusSet;
    tray!.show(trayModelOf({ sync: statusOf(), counts: countsOf(4) }));
    expect(shown.record.menusSet).toBe(set);
    tray!.show(trayModelOf({ sync: statusOf({ lastSuccessAt: at(14) }) }));
    expect(shown.record.menusSet).toBe(set + 2);
    expect(shown.record.menu[0]).toMatchObject({ label: 'Last synced 14:00', enabled: false });
  });

  it('shows the date when the day changes', () => {
    const { shown } = open('linux', trayModelOf({ sync: statusOf({ lastSuccessAt: at(14) }) }));
    clock.advance(10 * 60 * 60_000);
    expect(shown.record.menu[0]?.label).toBe('Last synced yesterday, 14:00');
  });

  it('resets a check mark set by the system until the setting changes', () => {
    const { tray, shown } = open('linux', trayModelOf({ sync: statusOf() }));
    shown.menu!.choose('quietHours');
    expect(called).toEqual([['setQuietHours', true]]);
    expect(shown.menu!.find('quietHours')?.checked).toBe(false);
    tray!.show(trayModelOf({ sync: statusOf() }, { quietHours: { on: true, from: '22:00', to: '07:00' } }));
    expect(shown.menu!.find('quietHours')?.checked).toBe(true);
  });

  it('opens the window on click, except on macOS, where a click opens the menu', () => {
    open('linux').shown.emit('click');
    expect(called).toEqual([['open']]);
    open('darwin').shown.emit('click');
    expect(called).toEqual([['open']]);
  });
});

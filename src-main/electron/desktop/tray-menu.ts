import type { MenuItemConstructorOptions } from 'electron';
import { m } from '../../common/i18n/messages.ts';
import type { Commands } from '../commands.ts';
import { unreadOf, type TrayModel } from './tray-model.ts';
import { isPaused, syncLine } from './sync-text.ts';

/** Time, language and time format of a menu. `now` is ms since 1970. */
export interface MenuContext {
  now: number;
  dateLocale: string;
  platform?: NodeJS.Platform;
}

const LINE: MenuItemConstructorOptions = { type: 'separator' };

export function trayMenu(
  trayModel: TrayModel,
  { now, dateLocale, platform }: MenuContext,
  commands: Commands,
): MenuItemConstructorOptions[] {
  const { quietHours } = trayModel.settings;
  const isRunning = trayModel.sync?.resources.some(({ running }) => running) ?? true;
  return [
    { id: 'state', label: syncLine(trayModel, now, dateLocale), enabled: false },
    LINE,
    { id: 'open', label: m.tray_open(), click: () => commands.open() },
    { id: 'latestDaily', label: m.tray_latest_daily(), click: () => commands.openLatestDaily() },
    {
      id: 'refresh',
      label: m.tray_refresh(),
      enabled: !isRunning && !trayModel.broken,
      click: () => commands.refresh(),
    },
    LINE,
    pauseItem(isPaused(trayModel.sync, now), commands),
    {
      id: 'quietHours',
      type: 'checkbox',
      checked: quietHours.on,
      label: m.tray_quiet_hours({ from: quietHours.from, to: quietHours.to }),
      click: () => commands.setQuietHours(!quietHours.on),
    },
    LINE,
    { id: 'settings', label: m.tray_settings(), click: () => commands.goTo({ view: 'settings' }) },
    { id: 'quit', label: platform === 'win32' ? m.menu_exit() : m.tray_quit(), click: () => commands.quit() },
  ];
}

function pauseItem(paused: boolean, commands: Commands): MenuItemConstructorOptions {
  if (paused) return { id: 'resume', label: m.tray_resume(), click: () => commands.resume() };
  return {
    id: 'pause',
    label: m.tray_pause(),
    submenu: [
      { id: 'pauseHour', label: m.tray_pause_hour(), click: () => commands.pause('hour') },
      { id: 'pauseUntilTomorrow', label: m.tray_pause_until_tomorrow(), click: () => commands.pause('untilTomorrow') },
    ],
  };
}

/** The unread count is included only if the setting asks for a number. */
export function trayToolTip(trayModel: TrayModel, { now, dateLocale }: MenuContext): string {
  const unread = unreadOf(trayModel);
  const showsCount = trayModel.settings.unreadMark === 'number' && unread > 0;
  const lines = [syncLine(trayModel, now, dateLocale), ...(showsCount ? [m.tray_unread({ count: unread })] : [])];
  return [m.app_name(), ...lines].join('\n');
}

import type { MenuItemConstructorOptions } from 'electron';
import type { TimeStyle } from '../../words/times.ts';
import type { HostWords } from '../../words/words.ts';
import type { Commands } from '../commands.ts';
import { unreadOf, type TrayModel } from './tray-model.ts';
import { isPaused, syncLine } from './sync-text.ts';

/** Time, language and time format of a menu. `now` is ms since 1970. */
export interface MenuContext {
  now: number;
  words: HostWords;
  style: TimeStyle;
}

const LINE: MenuItemConstructorOptions = { type: 'separator' };

export function trayMenu(
  trayModel: TrayModel,
  { now, words, style }: MenuContext,
  commands: Commands,
): MenuItemConstructorOptions[] {
  const { tray } = words;
  const { quietHours } = trayModel.settings;
  const isRunning = trayModel.sync?.resources.some(({ running }) => running) ?? true;
  return [
    { id: 'state', label: syncLine(trayModel, now, words.sync, style), enabled: false },
    LINE,
    { id: 'open', label: tray.open, click: () => commands.open() },
    { id: 'latestDaily', label: tray.latestDaily, click: () => commands.openLatestDaily() },
    { id: 'refresh', label: tray.refresh, enabled: !isRunning && !trayModel.broken, click: () => commands.refresh() },
    LINE,
    pauseItem(isPaused(trayModel.sync, now), tray, commands),
    {
      id: 'quietHours',
      type: 'checkbox',
      checked: quietHours.on,
      label: tray.quietHours(quietHours.from, quietHours.to),
      click: () => commands.setQuietHours(!quietHours.on),
    },
    LINE,
    { id: 'settings', label: tray.settings, click: () => commands.goTo({ view: 'settings' }) },
    { id: 'quit', label: tray.quit, click: () => commands.quit() },
  ];
}

function pauseItem(paused: boolean, words: HostWords['tray'], commands: Commands): MenuItemConstructorOptions {
  if (paused) return { id: 'resume', label: words.resume, click: () => commands.resume() };
  return {
    id: 'pause',
    label: words.pause,
    submenu: [
      { id: 'pauseHour', label: words.pauseHour, click: () => commands.pause('hour') },
      { id: 'pauseUntilTomorrow', label: words.pauseUntilTomorrow, click: () => commands.pause('untilTomorrow') },
    ],
  };
}

/** The unread count is included only if the setting asks for a number. */
export function trayToolTip(trayModel: TrayModel, { now, words, style }: MenuContext): string {
  const unread = unreadOf(trayModel);
  const showsCount = trayModel.settings.unreadMark === 'number' && unread > 0;
  const lines = [syncLine(trayModel, now, words.sync, style), ...(showsCount ? [words.tray.unread(unread)] : [])];
  return [words.appName, ...lines].join('\n');
}

import { app, BrowserWindow, Menu, nativeImage, nativeTheme, Notification, Tray } from 'electron';
import { join } from 'node:path';
import { getLocale } from '../../common/i18n/locale.ts';
import type { Log, SettingsStore } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import { systemClock } from '../../core/system-clock.ts';
import { dateLocaleOf } from '../../common/time.ts';
import { AppBadge } from './badge.ts';
import type { Commands } from '../commands.ts';
import { initialTrayModel, watchTrayModel } from './tray-model.ts';
import { LaunchAtLogin } from './launch-at-login.ts';
import { Notifications } from './notifications.ts';
import { systemLanguage, type Offers } from '../open-core.ts';
import { ICON_FILE, TRAY_FOLDER } from '../paths.ts';
import { canLaunchAtLogin } from '../startup-rules.ts';
import { openTray, type TrayIcon } from './tray.ts';
import type { MenuContext } from './tray-menu.ts';

interface MethodPorts {
  settings: SettingsStore;
  wire: Wire;
  commands: Commands;
  log: Log;
}

const { platform } = process;

/** Creates tray, badge, notifications and launch at login. All are updated by the core's events. */
export function createDesktopIntegration(ports: MethodPorts): Offers {
  const { settings, wire, log } = ports;
  const tray = openDesktopTray(ports);
  const badge = new AppBadge({
    app,
    windows: () => BrowserWindow.getAllWindows(),
    platform,
    dot: () => nativeImage.createFromPath(join(TRAY_FOLDER, 'overlay.png')),
  });
  watchTrayModel(wire, settings.get(), (trayModel) => {
    tray?.show(trayModel);
    badge.show(trayModel);
  });
  return {
    tray: tray !== null,
    notifications: followNotifications(ports),
    launchAtLogin: followLaunch(settings, wire, log),
  };
}

function openDesktopTray({ settings, commands, log }: MethodPorts): TrayIcon | null {
  return openTray(
    {
      Tray,
      Menu,
      theme: nativeTheme,
      platform,
      desktop: process.env['XDG_CURRENT_DESKTOP'] ?? '',
      folder: TRAY_FOLDER,
      clock: systemClock,
      menuContext: () => menuContext(settings),
      commands,
      log,
    },
    initialTrayModel(settings.get()),
  );
}

function followNotifications({ wire, commands, log }: MethodPorts): boolean {
  const notifications = new Notifications({
    Notification,
    platform,
    icon: ICON_FILE,
    goTo: (target) => commands.goTo(target),
    log,
  });
  wire.on('notifications.raised', (notification) => notifications.show(notification));
  return Notification.isSupported();
}

function followLaunch(settings: SettingsStore, wire: Wire, log: Log): boolean {
  if (!canLaunchAtLogin(platform, app.isPackaged)) return false;
  const launch = new LaunchAtLogin({ app, platform, environment: process.env, executable: process.execPath, log });
  launch.follow(settings.get());
  wire.on('settings.changed', (changed) => launch.follow(changed));
  return true;
}

function menuContext(settings: SettingsStore): MenuContext {
  const { timeFormat } = settings.get();
  return { now: systemClock.now(), dateLocale: dateLocaleOf(getLocale(), systemLanguage(), timeFormat) };
}

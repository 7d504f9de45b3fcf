import { app, BrowserWindow, Menu, nativeImage, nativeTheme, Notification, Tray } from 'electron';
import { join } from 'node:path';
import { getLocale } from '../../common/i18n/locale.ts';
import type { Desktop, Log, SettingsStore } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import { systemClock } from '../../core/system-clock.ts';
import { dateLocaleOf } from '../../common/time.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
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
  /** The file of the windows' positions. */
  file: StoredFile;
  wire: Wire;
  commands: Commands;
  log: Log;
}

/** What the desktop offers, and what the core can do with it. */
export interface DesktopIntegration {
  offers: Offers;
  desktop: Pick<Desktop, 'testNotification'>;
  /** Follows clicks on notifications that were shown before this start. Call it when windows can be opened. */
  followOldNotifications(): void;
}

const { platform } = process;

/** Creates tray, badge, notifications and launch at login. All are updated by the core's events. */
export function createDesktopIntegration(ports: MethodPorts): DesktopIntegration {
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
  const notifications = followNotifications(ports);
  return {
    offers: {
      tray: tray !== null,
      notifications: notifications !== null,
      launchAtLogin: followLaunch(settings, wire, log),
    },
    desktop: notifications ? { testNotification: () => notifications.test() } : {},
    followOldNotifications: () => notifications?.followActivations(),
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

/** Null if the system has no notifications. */
function followNotifications({ settings, file, wire, commands, log }: MethodPorts): Notifications | null {
  if (!Notification.isSupported()) return null;
  const notifications = new Notifications({
    Notification,
    platform,
    icon: ICON_FILE,
    goTo: (target) => commands.goTo(target),
    asked: askedIn(file, log),
    clock: systemClock,
    log,
  });
  wire.on('notifications.raised', (notification) => notifications.show(notification));
  wire.on('settings.changed', notifications.follow(settings.get()));
  return notifications;
}

/** Whether notifications were asked for, in a member of a file. If it cannot be written, until the app ends. */
function askedIn(file: StoredFile, log: Log): { get(): boolean; set(): void } {
  const { notificationsAsked } = file.read() as { notificationsAsked?: unknown };
  let asked = notificationsAsked === true;
  return {
    get: () => asked,
    set() {
      if (asked) return;
      asked = true;
      try {
        file.write({ notificationsAsked: true });
      } catch (error) {
        log('warn', 'Could not remember that notifications were asked for', { reason: String(error) });
      }
    },
  };
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
  return { now: systemClock.now(), dateLocale: dateLocaleOf(getLocale(), systemLanguage(), timeFormat), platform };
}

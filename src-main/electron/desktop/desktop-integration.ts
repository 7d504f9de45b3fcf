import { app, Notification } from 'electron';
import { getLocale } from '../../common/i18n/locale.ts';
import type { Log, SettingsStore } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import { systemClock } from '../../core/system-clock.ts';
import { dateLocaleOf } from '../../common/time-text.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
import { AppBadge } from './badge.ts';
import type { Commands } from '../commands.ts';
import { LaunchAtLogin } from './launch-at-login.ts';
import { Notifications } from './notifications.ts';
import { systemLanguage, type Offers } from '../open-core.ts';
import { canLaunchAtLogin } from '../startup-rules.ts';
import { initialTrayModel, type MenuContext, openTray, watchTrayModel } from './tray.ts';

interface IntegrationPorts {
  settings: SettingsStore;
  file: StoredFile;
  wire: Wire;
  commands: Commands;
  log: Log;
}

const { platform } = process;

export function createDesktopIntegration(ports: IntegrationPorts) {
  const { settings, wire, commands, log } = ports;
  const desktop = process.env['XDG_CURRENT_DESKTOP'] ?? '';
  const tray = openTray(
    { platform, desktop, clock: systemClock, menuContext, commands, log },
    initialTrayModel(settings.get()),
  );
  const badge = new AppBadge(platform);
  watchTrayModel(wire, settings.get(), (trayModel) => {
    tray?.show(trayModel);
    badge.show(trayModel);
  });
  const notifications = followNotifications(ports);
  const launchAtLogin = followLaunch(settings, wire, log);
  const offers: Offers = { tray: tray !== null, notifications: notifications !== null, launchAtLogin };
  return {
    offers,
    desktop: notifications ? { testNotification: () => notifications.test() } : {},
    followOldNotifications: () => notifications?.followActivations(),
  };
}

function followNotifications({ settings, file, wire, commands, log }: IntegrationPorts): Notifications | null {
  if (!Notification.isSupported()) return null;
  const notifications = new Notifications({
    platform,
    goTo: (target) => commands.goTo(target),
    asked: rememberAsked(file, log),
    dateLocale,
    clock: systemClock,
    log,
  });
  wire.on('notifications.raised', (notification) => notifications.show(notification));
  wire.on('settings.changed', notifications.follow(settings.get()));
  return notifications;
}

/** Falls back to memory, until the app ends, if the file can't be written. */
function rememberAsked(file: StoredFile, log: Log): { get(): boolean; set(): void } {
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
  const launch = new LaunchAtLogin({ platform, environment: process.env, executable: process.execPath, log });
  launch.follow(settings.get());
  wire.on('settings.changed', (changed) => launch.follow(changed));
  return true;
}

function menuContext(): MenuContext {
  return { now: systemClock.now(), dateLocale: dateLocale(), platform };
}

function dateLocale(): string {
  return dateLocaleOf(getLocale(), systemLanguage());
}

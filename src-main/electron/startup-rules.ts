import type { LoginItemSettings } from 'electron';
import type { Settings } from '../contract/settings.ts';

/** What the desktop gives. */
export interface Desk {
  platform: NodeJS.Platform;
  /** Whether a tray icon could be made. On Linux that does not say whether any panel shows it, and nothing else does. */
  tray: boolean;
}

/** How this run came about. */
export interface Start {
  /** `--hidden` was among the arguments: our own login item says so, or a reader's own starter. */
  hiddenArgument: boolean;
  /** macOS knows what it opened at login. */
  openedAtLogin: boolean;
}

/** What a login item and an autostart entry start Broadsheet with where it is to start hidden. */
export const HIDDEN_ARGUMENT = '--hidden';

/**
 * Whether closing the window hides it. By custom it does on Windows, and does not on Linux, where a window could be lost
 * behind a tray that no panel shows; a reader who chose it there has seen the icon. On macOS closing never quits anyway.
 */
export function closesToTray({ closeToTray }: Pick<Settings, 'closeToTray'>, { platform, tray }: Desk): boolean {
  if (platform === 'darwin' || !tray) return false;
  return closeToTray ?? platform === 'win32';
}

/** Whether the app ends with its last window. On macOS it stays in the dock. */
export function endsWithWindows(settings: Pick<Settings, 'closeToTray'>, desk: Desk): boolean {
  return desk.platform !== 'darwin' && !closesToTray(settings, desk);
}

/**
 * Whether to start without a window: where it is wished, and only where the reader knows a way to it. That is the dock, a
 * tray that is surely seen, or starting Broadsheet by hand after the login started it.
 */
export function startsHidden(
  settings: Pick<Settings, 'startHidden' | 'closeToTray'>,
  desk: Desk,
  { hiddenArgument, openedAtLogin }: Start,
): boolean {
  if (!settings.startHidden && !hiddenArgument) return false;
  const traySeen = desk.tray && (desk.platform !== 'linux' || settings.closeToTray === true);
  return desk.platform === 'darwin' || traySeen || hiddenArgument || openedAtLogin;
}

/** Whether this build can be started with the computer; one in development would start a bare Electron. */
export function canLaunchAtLogin(platform: NodeJS.Platform, isPackaged: boolean): boolean {
  return isPackaged && ['win32', 'darwin', 'linux'].includes(platform);
}

/** The arguments of a login item. */
export function loginArguments({ startHidden }: Pick<Settings, 'startHidden'>): string[] {
  return startHidden ? [HIDDEN_ARGUMENT] : [];
}

/**
 * Whether the start has to correct the login item of Windows or macOS. It is left alone where only the system's own switch
 * (Task Manager, System Settings) is against it: that was the reader, too.
 *
 * @param found what the system has, asked with our own arguments
 */
export function correctsLoginItem(
  found: Pick<LoginItemSettings, 'openAtLogin' | 'status'>,
  { launchAtLogin }: Pick<Settings, 'launchAtLogin'>,
): boolean {
  if (launchAtLogin && found.status === 'requires-approval') return false;
  return found.openAtLogin !== launchAtLogin;
}

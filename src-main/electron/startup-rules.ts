import type { LoginItemSettings } from 'electron';
import type { Settings } from '../contract/settings.ts';

export interface DesktopSupport {
  platform: NodeJS.Platform;
  /** Whether a tray icon was created. On Linux it may still be invisible, which cannot be detected. */
  tray: boolean;
}

/** How this run was started. */
export interface LaunchInfo {
  /** `--hidden`, from the login item or a launcher of the user. */
  hiddenArgument: boolean;
  /** Reported by macOS only. */
  openedAtLogin: boolean;
}

/** Argument in login items and autostart entries for a hidden start. */
export const HIDDEN_ARGUMENT = '--hidden';

/**
 * Whether closing the window hides it. The default is yes on Windows, and no on Linux, where the tray icon may be invisible;
 * users who turn it on there have seen the icon. On macOS, closing never quits anyway.
 */
export function closesToTray(
  { closeToTray }: Pick<Settings, 'closeToTray'>,
  { platform, tray }: DesktopSupport,
): boolean {
  if (platform === 'darwin' || !tray) return false;
  return closeToTray ?? platform === 'win32';
}

/** Whether closing the last window quits. On macOS the app stays in the dock. */
export function endsWithWindows(settings: Pick<Settings, 'closeToTray'>, desktopSupport: DesktopSupport): boolean {
  return desktopSupport.platform !== 'darwin' && !closesToTray(settings, desktopSupport);
}

/**
 * Whether to start without a window: only if requested, and if the window can still be reached, from the dock, from a tray
 * icon that is certainly visible, or by starting Broadsheet again after a start at login.
 */
export function startsHidden(
  settings: Pick<Settings, 'startHidden' | 'closeToTray'>,
  desktopSupport: DesktopSupport,
  { hiddenArgument, openedAtLogin }: LaunchInfo,
): boolean {
  if (!settings.startHidden && !hiddenArgument) return false;
  const traySeen = desktopSupport.tray && (desktopSupport.platform !== 'linux' || settings.closeToTray === true);
  return desktopSupport.platform === 'darwin' || traySeen || hiddenArgument || openedAtLogin;
}

/** In development a login item would start plain Electron. */
export function canLaunchAtLogin(platform: NodeJS.Platform, isPackaged: boolean): boolean {
  return isPackaged && ['win32', 'darwin', 'linux'].includes(platform);
}

export function loginArguments({ startHidden }: Pick<Settings, 'startHidden'>): string[] {
  return startHidden ? [HIDDEN_ARGUMENT] : [];
}

/**
 * Whether to correct the login item of Windows or macOS at the start. An item that the user has turned off in Task Manager
 * or System Settings stays off.
 *
 * @param found the system's login item, queried with our arguments
 */
export function correctsLoginItem(
  found: Pick<LoginItemSettings, 'openAtLogin' | 'status'> &
    Partial<Pick<LoginItemSettings, 'executableWillLaunchAtLogin'>>,
  { launchAtLogin }: Pick<Settings, 'launchAtLogin'>,
): boolean {
  if (launchAtLogin && found.status === 'requires-approval') return false;
  if (launchAtLogin) return !found.openAtLogin;
  // On Windows `openAtLogin` is false for an item with other arguments, which would start all the same.
  return found.openAtLogin || found.executableWillLaunchAtLogin === true;
}

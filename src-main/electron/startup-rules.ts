import type { LoginItemSettings } from 'electron';
import type { Settings } from '../contract/settings.ts';

export interface DesktopSupport {
  platform: NodeJS.Platform;
  tray: boolean;
}

interface LaunchInfo {
  hiddenArgument: boolean;
  openedAtLogin: boolean;
}

export const HIDDEN_ARGUMENT = '--hidden';

/** Off by default on Linux, where the tray icon may be invisible. On macOS, closing never quits anyway. */
export function closesToTray(
  { closeToTray }: Pick<Settings, 'closeToTray'>,
  { platform, tray }: DesktopSupport,
): boolean {
  if (platform === 'darwin' || !tray) return false;
  return closeToTray ?? platform === 'win32';
}

export function endsWithWindows(settings: Pick<Settings, 'closeToTray'>, desktopSupport: DesktopSupport): boolean {
  return desktopSupport.platform !== 'darwin' && !closesToTray(settings, desktopSupport);
}

/** Requires a way to the window: the dock, a tray icon that is certainly visible, or another start after a login. */
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

/** Keeps items off that were turned off in Task Manager or System Settings. `found` was queried with our arguments. */
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

/** What an icon in a panel has to do with. */
export interface Panel {
  platform: NodeJS.Platform;
  /** `XDG_CURRENT_DESKTOP`; empty elsewhere than on Linux. */
  desktop: string;
  /** Whether the system's own surfaces are dark (Windows, macOS). */
  darkSystem: boolean;
  /** Whether the desktop's theme is dark, as far as the app's own theme does not hide it. */
  darkTheme: boolean;
}

/** Desktops whose panel is dark under a light theme too. */
const DARK_PANELS = /\b(?:GNOME|Unity|Budgie|Pantheon)\b/i;

/**
 * The file of the tray's icon; beside each lies one of twice its size. macOS colours template images itself, which it knows
 * by the end of their name.
 */
export function trayIconFile(panel: Panel, unread: boolean): string {
  if (panel.platform === 'darwin') return unread ? 'trayUnreadTemplate.png' : 'trayTemplate.png';
  return `tray-${isDark(panel) ? 'dark' : 'light'}${unread ? '-unread' : ''}.png`;
}

function isDark({ platform, desktop, darkSystem, darkTheme }: Panel): boolean {
  if (platform !== 'linux') return darkSystem;
  return darkTheme || DARK_PANELS.test(desktop);
}

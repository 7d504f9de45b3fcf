/** What the icon depends on. */
export interface Panel {
  platform: NodeJS.Platform;
  /** `XDG_CURRENT_DESKTOP`; empty except on Linux. */
  desktop: string;
  /** Whether the taskbar or menu bar is dark (Windows, macOS). */
  darkSystem: boolean;
  /** Whether the desktop's theme is dark; the last known value while the app overrides the theme. */
  darkTheme: boolean;
}

/** Desktops with a dark panel even in a light theme. */
const DARK_PANELS = /\b(?:GNOME|Unity|Budgie|Pantheon)\b/i;

/**
 * The file of the tray icon; each also exists in double size. macOS colours images whose name ends in `Template`.
 */
export function trayIconFile(panel: Panel, unread: boolean): string {
  if (panel.platform === 'darwin') return unread ? 'trayUnreadTemplate.png' : 'trayTemplate.png';
  return `tray-${isDark(panel) ? 'dark' : 'light'}${unread ? '-unread' : ''}.png`;
}

function isDark({ platform, desktop, darkSystem, darkTheme }: Panel): boolean {
  if (platform !== 'linux') return darkSystem;
  return darkTheme || DARK_PANELS.test(desktop);
}

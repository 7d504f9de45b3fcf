/** What the host can do. The page shows only what is true here. */
export interface Capabilities {
  host: 'electron' | 'node';
  version: string;
  /** `process.platform` of the host, for shortcuts and words. */
  platform: string;
  /** The operating system's preferred language as a BCP 47 tag. */
  locale: string;
  tray: boolean;
  notifications: boolean;
  keychain: boolean;
  /** Whether links open in the user's browser from the host; otherwise the page opens them itself. */
  opensLinks: boolean;
  /** Whether the host saves what the page shows as a PDF; otherwise the page prints, and the browser's print saves it. */
  pdf: boolean;
  /** Whether the host opens windows of its own for a story or a report; otherwise the page asks its browser for one. */
  windows: boolean;
  /** Whether the host can be started with the computer. */
  launchAtLogin: boolean;
  /** Whether the host can show the data folder, and keep its data in another one. */
  dataFolder: boolean;
  /** Whether the host can update itself. */
  updates: boolean;
}

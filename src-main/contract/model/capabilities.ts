/** What the host can do. The page only offers what is true here. */
export interface Capabilities {
  host: 'electron' | 'node';
  version: string;
  /** `process.platform` of the host, for shortcuts and labels. */
  platform: string;
  /** The operating system's preferred language as a BCP 47 tag. */
  locale: string;
  /** Whether the page runs without the system's sandbox, which the host was told to leave out. False in a browser. */
  unsandboxed: boolean;
  tray: boolean;
  notifications: boolean;
  keychain: boolean;
  /** Whether the host opens links in the user's browser; otherwise the page opens them itself. */
  opensLinks: boolean;
  /** Whether the host saves the page as a PDF; otherwise the page uses the browser's print dialog. */
  pdf: boolean;
  /** Whether the host opens separate windows for a story or a report; otherwise the page opens a browser window. */
  windows: boolean;
  /** Whether Broadsheet can start at login. */
  launchAtLogin: boolean;
  /** Whether the host can show the data folder and use another one. */
  dataFolder: boolean;
  /** Whether the host can update itself. */
  updates: boolean;
}

/** What a host without a desktop offers: a page in a browser, and nothing else. */
export const NO_DESKTOP = {
  host: 'node',
  unsandboxed: false,
  tray: false,
  notifications: false,
  keychain: false,
  opensLinks: false,
  pdf: false,
  windows: false,
  launchAtLogin: false,
  dataFolder: false,
  updates: false,
} as const satisfies Partial<Capabilities>;

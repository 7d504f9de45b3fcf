export interface Capabilities {
  host: 'electron' | 'node';
  version: string;
  platform: string;
  locale: string;
  /** The host was told to run the page without the system's sandbox. */
  unsandboxed: boolean;
  tray: boolean;
  notifications: boolean;
  keychain: boolean;
  /** Otherwise the page opens links itself. */
  opensLinks: boolean;
  /** Otherwise the page uses the browser's print dialog. */
  pdf: boolean;
  /** Otherwise the page opens a browser window. */
  windows: boolean;
  launchAtLogin: boolean;
  dataFolder: boolean;
  updates: boolean;
}

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

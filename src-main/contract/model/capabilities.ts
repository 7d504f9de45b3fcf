/** The page replaces a missing one by its own means, such as the browser's print dialog. */
export interface Capabilities {
  host: 'electron' | 'node';
  version: string;
  platform: string;
  locale: string;
  unsandboxed: boolean;
  tray: boolean;
  notifications: boolean;
  opensLinks: boolean;
  pdf: boolean;
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
  opensLinks: false,
  pdf: false,
  windows: false,
  launchAtLogin: false,
  dataFolder: false,
  updates: false,
} as const satisfies Partial<Capabilities>;

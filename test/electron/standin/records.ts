import type * as Electron from 'electron';

export interface WindowRecord {
  options: Electron.BrowserWindowConstructorOptions;
  address: string | null;
  /** What was done to the window, in order. */
  did: string[];
  minimized: boolean;
  maximized: boolean;
}

/** What the host told Electron, to be looked at by tests. Plain data. */
export interface Records {
  windows: WindowRecord[];
  schemes: Electron.CustomScheme[];
  menu: Electron.MenuItemConstructorOptions[] | null;
  /** Addresses given to the user's browser. */
  opened: string[];
  paths: Record<string, string>;
  sandboxed: boolean;
  /** The user data folder at the moment of the question for the single-instance lock. */
  lockedFor: string | null;
  themeSource: Electron.NativeTheme['themeSource'];
  /** What pages were printed with, in order. */
  printed: Electron.PrintToPDFOptions[];
  /** What the user was asked for a file, in order, by `dialog`. */
  asked: Electron.SaveDialogOptions[];
  /** What the keychain was asked, in order. */
  vault: ('seal' | 'open')[];
}

export const record: Records = {
  windows: [],
  schemes: [],
  menu: null,
  opened: [],
  paths: {},
  sandboxed: false,
  lockedFor: null,
  themeSource: 'system',
  printed: [],
  asked: [],
  vault: [],
};

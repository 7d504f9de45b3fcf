import type * as Electron from 'electron';

export interface WindowRecord {
  options: Electron.BrowserWindowConstructorOptions;
  address: string | null;
  /** Calls on the window, in order. */
  did: string[];
  /** Names of the events sent to its page, in order. */
  events: string[];
  minimized: boolean;
  maximized: boolean;
  visible: boolean;
  closed: boolean;
}

/** A menu item without its action. */
export type MenuRecord = Omit<Electron.MenuItemConstructorOptions, 'click' | 'submenu'> & { submenu?: MenuRecord[] };

export interface TrayRecord {
  /** The image file. */
  image: string;
  toolTip: string;
  title: string;
  menu: MenuRecord[];
  /** How often its menu was set. */
  menusSet: number;
}

/** The host's calls to Electron, as plain data for tests; lists are in order. */
export const record = {
  windows: [] as WindowRecord[],
  schemes: [] as Electron.CustomScheme[],
  menu: null as MenuRecord[] | null,
  dockMenu: [] as MenuRecord[],
  /** Windows: the jump list. */
  tasks: [] as Electron.Task[],
  /** Copied texts. */
  copied: [] as string[],
  /** Message boxes. */
  questions: [] as Omit<Electron.MessageBoxOptions, 'signal'>[],
  /** URL schemes registered for the app, with the program if given. */
  claimed: [] as string[][],
  tray: null as TrayRecord | null,
  notifications: [] as Electron.NotificationConstructorOptions[],
  loginItems: [] as Electron.Settings[],
  /** Dock or taskbar badges: numbers on Linux, texts on macOS. */
  badges: [] as (number | string)[],
  /** Addresses opened in the user's browser. */
  opened: [] as string[],
  paths: {} as Record<string, string>,
  sandboxed: false,
  /** The user data folder at the time of the single-instance lock. */
  lockedFor: null as string | null,
  themeSource: 'system' as Electron.NativeTheme['themeSource'],
  /** Save dialogs. */
  asked: [] as Electron.SaveDialogOptions[],
  /** Folder dialogs. */
  askedFolders: [] as Electron.OpenDialogOptions[],
  /** Folders shown in the file manager. */
  shown: [] as string[],
  /** Calls of the keychain. */
  vault: [] as ('seal' | 'open')[],
};

import type * as Electron from 'electron';

export interface WindowRecord {
  options: Electron.BrowserWindowConstructorOptions;
  address: string | null;
  /** What was done to the window, in order. */
  did: string[];
  /** Names of the events that its page was sent, in order. */
  told: string[];
  zoomLevel: number;
  minimized: boolean;
  maximized: boolean;
  visible: boolean;
  closed: boolean;
  /** Windows: the picture over its button in the taskbar, by its file, and what it says. */
  overlay: { image: string | null; description: string } | null;
}

/** A menu's item without what it does. */
export type MenuRecord = Omit<Electron.MenuItemConstructorOptions, 'click' | 'submenu'> & { submenu?: MenuRecord[] };

export interface TrayRecord {
  /** Its file. */
  image: string;
  toolTip: string;
  title: string;
  menu: MenuRecord[];
  /** How often it got a menu. */
  menusSet: number;
}

export type NotificationRecord = Electron.NotificationConstructorOptions;

/** What the host told Electron, to be looked at by tests. Plain data. */
export interface Records {
  windows: WindowRecord[];
  schemes: Electron.CustomScheme[];
  menu: MenuRecord[] | null;
  /** Menus that were popped up, in order. */
  popups: MenuRecord[][];
  dockMenu: MenuRecord[];
  /** Windows: what the button in the taskbar offers. */
  tasks: Electron.Task[];
  about: Electron.AboutPanelOptionsOptions | null;
  /** What was copied, in order. */
  copied: string[];
  /** What the user was asked besides files, in order. */
  questions: Omit<Electron.MessageBoxOptions, 'signal'>[];
  /** What the app wanted to be started with again. */
  relaunched: Electron.RelaunchOptions[];
  /** Schemes that the app wanted to be the system's program for, with the way to it where that was given. */
  claimed: string[][];
  tray: TrayRecord | null;
  /** Those that were shown, in order. */
  notifications: NotificationRecord[];
  /** What the system was told to do at login, in order. */
  loginItems: Electron.Settings[];
  /** What dock or taskbar show, in order: numbers on Linux, texts on macOS. */
  badges: (number | string)[];
  appUserModelId: string | null;
  desktopName: string | null;
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
  /** What the user was asked for a folder, in order. */
  askedFolders: Electron.OpenDialogOptions[];
  /** Folders shown in the system's file manager, in order. */
  shown: string[];
  /** What the keychain was asked, in order. */
  vault: ('seal' | 'open')[];
}

export const record: Records = {
  windows: [],
  schemes: [],
  menu: null,
  popups: [],
  dockMenu: [],
  tasks: [],
  about: null,
  copied: [],
  questions: [],
  relaunched: [],
  claimed: [],
  tray: null,
  notifications: [],
  loginItems: [],
  badges: [],
  appUserModelId: null,
  desktopName: null,
  opened: [],
  paths: {},
  sandboxed: false,
  lockedFor: null,
  themeSource: 'system',
  printed: [],
  asked: [],
  askedFolders: [],
  shown: [],
  vault: [],
};

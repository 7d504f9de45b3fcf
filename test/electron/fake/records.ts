import type * as Electron from 'electron';

export interface WindowRecord {
  options: Electron.BrowserWindowConstructorOptions;
  address: string | null;
  /** Calls on the window, in order. */
  did: string[];
  /** Names of the events sent to its page, in order. */
  events: string[];
  zoomLevel: number;
  minimized: boolean;
  maximized: boolean;
  visible: boolean;
  closed: boolean;
  /** Windows: the overlay icon on its taskbar button, with its description. */
  overlay: { image: string | null; description: string } | null;
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

export type NotificationRecord = Electron.NotificationConstructorOptions;

/** The host's calls to Electron, as plain data for tests. */
export interface Records {
  windows: WindowRecord[];
  schemes: Electron.CustomScheme[];
  menu: MenuRecord[] | null;
  dockMenu: MenuRecord[];
  /** Windows: the jump list. */
  tasks: Electron.Task[];
  about: Electron.AboutPanelOptionsOptions | null;
  /** Copied texts, in order. */
  copied: string[];
  /** Message boxes, in order. */
  questions: Omit<Electron.MessageBoxOptions, 'signal'>[];
  /** URL schemes registered for the app, with the program if given. */
  claimed: string[][];
  tray: TrayRecord | null;
  /** Notifications shown, in order. */
  notifications: NotificationRecord[];
  /** Login item settings, in order. */
  loginItems: Electron.Settings[];
  /** Dock or taskbar badges, in order: numbers on Linux, texts on macOS. */
  badges: (number | string)[];
  /** Set by the host; otherwise Electron takes it from package.json. */
  appName: string | null;
  appUserModelId: string | null;
  /** Windows: the CLSID under which clicks on notifications arrive. */
  toastActivator: string | null;
  /** Addresses opened in the user's browser. */
  opened: string[];
  paths: Record<string, string>;
  sandboxed: boolean;
  /** The user data folder at the time of the single-instance lock. */
  lockedFor: string | null;
  themeSource: Electron.NativeTheme['themeSource'];
  /** Print options, in order. */
  printed: Electron.PrintToPDFOptions[];
  /** Save dialogs, in order. */
  asked: Electron.SaveDialogOptions[];
  /** Folder dialogs, in order. */
  askedFolders: Electron.OpenDialogOptions[];
  /** Folders shown in the file manager, in order. */
  shown: string[];
  /** Calls of the keychain, in order. */
  vault: ('seal' | 'open')[];
}

export const record: Records = {
  windows: [],
  schemes: [],
  menu: null,
  dockMenu: [],
  tasks: [],
  about: null,
  copied: [],
  questions: [],
  claimed: [],
  tray: null,
  notifications: [],
  loginItems: [],
  badges: [],
  appName: null,
  appUserModelId: null,
  toastActivator: null,
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

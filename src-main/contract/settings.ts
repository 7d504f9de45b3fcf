import type { NotificationKind } from './model/notification.ts';

/** Local wall-clock times, `HH:MM`; where `from` is later than `to` they pass midnight. */
export interface QuietHours {
  on: boolean;
  from: string;
  to: string;
}

/** The reader's settings, as they are kept in `settings.json`. */
export interface Settings {
  /** Base address of the news service; null means the built-in demo service. */
  newsAddress: string | null;
  /** Base address of the model gateway; null means none, or the built-in one while the news are the built-in ones. */
  modelsAddress: string | null;
  /** `system`: as the machine's environment says (HTTPS_PROXY, NO_PROXY). Else the address of a proxy, or none at all. */
  proxy: 'system' | 'none' | `http://${string}` | `https://${string}`;
  /** How often Broadsheet asks by itself: as its rules say, a quarter as often, or never. */
  polling: 'usual' | 'seldom' | 'byHand';
  theme: 'system' | 'light' | 'dark';
  language: 'system' | 'en' | 'zh-CN';
  density: 'comfortable' | 'compact';
  font: 'serif' | 'sans';
  /** Percent of the usual size. */
  textSize: (typeof TEXT_SIZES)[number];
  timeFormat: 'system' | '12h' | '24h';
  /** When an item counts as read: when it is opened, when it has been open for three seconds, or only by hand. */
  countsAsRead: 'opened' | 'lingered' | 'byHand';
  /** Whether j, k, o and other single keys act; they get in the way of some assistive technology. */
  singleKeys: boolean;
  /** Keys that the reader chose, by the name of their command; commands that are not named have their usual ones. */
  shortcuts: Record<string, string>;
  notify: Record<NotificationKind, boolean>;
  quietHours: QuietHours;
  /** What tray and dock show of what is unread. */
  unreadMark: 'none' | 'dot' | 'number';
  /** Null: as is the custom of the platform. */
  closeToTray: boolean | null;
  startHidden: boolean;
  launchAtLogin: boolean;
  /** For how many days items outside the selected set are kept, starred ones aside; null for ever. */
  keepDays: number | null;
  /** Whether Broadsheet looks for newer versions of itself. */
  updates: boolean;
  /** Columns of the models' table, in the order in which they are shown; null for the usual ones. */
  modelColumns: string[] | null;
}

export const TEXT_SIZES = [80, 90, 100, 110, 125, 150] as const;

export const DEFAULT_SETTINGS: Settings = {
  newsAddress: null,
  modelsAddress: null,
  proxy: 'system',
  polling: 'usual',
  theme: 'system',
  language: 'system',
  density: 'comfortable',
  font: 'serif',
  textSize: 100,
  timeFormat: 'system',
  countsAsRead: 'opened',
  singleKeys: true,
  shortcuts: {},
  notify: { daily: true, weekly: true, monthly: true, story: true, models: false },
  quietHours: { on: false, from: '22:00', to: '07:00' },
  unreadMark: 'dot',
  closeToTray: null,
  startHidden: false,
  launchAtLogin: false,
  keepDays: null,
  updates: false,
  modelColumns: null,
};

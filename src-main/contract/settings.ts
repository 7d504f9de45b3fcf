import type { NotificationKind } from './model/notification.ts';

/** Local wall-clock times, `HH:MM`. If `from` is later than `to`, they span midnight. */
export interface QuietHours {
  on: boolean;
  from: string;
  to: string;
}

/** The user's settings, as saved in `settings.json`. */
export interface Settings {
  /** Base address of the news service; null means the built-in demo service. */
  newsAddress: string | null;
  /** Base address of the model gateway; null means none, or the built-in one if the news source is built-in, too. */
  modelsAddress: string | null;
  /** `system`: as the environment says (HTTPS_PROXY, NO_PROXY). Otherwise the address of a proxy, or no proxy. */
  proxy: 'system' | 'none' | `http://${string}` | `https://${string}`;
  /** How often Broadsheet syncs by itself: by its schedule, a quarter as often, or never. */
  polling: 'usual' | 'seldom' | 'byHand';
  theme: 'system' | 'light' | 'dark';
  language: 'system' | 'en' | 'zh-CN';
  density: 'comfortable' | 'compact';
  font: 'serif' | 'sans';
  /** Percent of the default size. */
  textSize: (typeof TEXT_SIZES)[number];
  timeFormat: 'system' | '12h' | '24h';
  /**
   * When an item counts as read: once opened, after it has been open for three seconds, or only when marked by the
   * user.
   */
  countsAsRead: 'opened' | 'afterDelay' | 'byHand';
  /** Whether lists show the newest item of a story for all of them. */
  foldStories: boolean;
  /** Whether rows that were seen count as read once they are scrolled past. */
  readOnScroll: boolean;
  /**
   * Which items of a news service that is new to the user start as unread: those of the day or the week before the first
   * download, or all.
   */
  unreadAtFirst: 'day' | 'week' | 'everything';
  /** Whether single keys such as j, k and o are shortcuts. They conflict with some assistive technology. */
  singleKeys: boolean;
  /** The user's keyboard shortcuts by command name. Other commands have their default. */
  shortcuts: Record<string, string>;
  notify: Record<NotificationKind, boolean>;
  quietHours: QuietHours;
  /** How tray and dock show unread items. */
  unreadMark: 'none' | 'dot' | 'number';
  /** Null: the platform's default. */
  closeToTray: boolean | null;
  startHidden: boolean;
  launchAtLogin: boolean;
  /** Whether the user has seen or skipped the welcome; false only in a data folder that is new. */
  welcomed: boolean;
  /** Number of days before unselected, unstarred items are deleted; null keeps them for ever. */
  keepDays: number | null;
  /** Number of days before downloaded news of services that are no longer used is deleted; null keeps it for ever. */
  keepServicesDays: number | null;
  /** Whether Broadsheet checks for updates. */
  updates: boolean;
  /** What was searched for last, newest first: at most 10 texts of up to 200 characters. */
  recentSearches: string[];
  /** Columns of the model table in display order; null for the default. */
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
  foldStories: true,
  readOnScroll: false,
  unreadAtFirst: 'day',
  singleKeys: true,
  shortcuts: {},
  notify: { daily: true, weekly: true, monthly: true, story: true, saved: true, models: false },
  quietHours: { on: false, from: '22:00', to: '07:00' },
  unreadMark: 'dot',
  closeToTray: null,
  startHidden: false,
  launchAtLogin: false,
  welcomed: true,
  keepDays: null,
  keepServicesDays: 90,
  updates: false,
  recentSearches: [],
  modelColumns: null,
};

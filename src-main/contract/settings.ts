import type { Capabilities } from './model/capabilities.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from './model/notification.ts';

/**
 * The table of settings, as plain data. Their guard (`guards.ts`), the file (`core/settings`), what other devices may share, the
 * command line, the page's controls and the table of docs/settings.md follow from it. Texts are in `common/i18n/settings-texts.ts`.
 */

/** The values that a setting can have. */
export type Shape = PlainShape | { readonly is: 'either'; readonly shapes: readonly PlainShape[] };

type PlainShape =
  | { readonly is: 'toggle' | 'time' | 'address' | 'none' }
  | { readonly is: 'choice'; readonly options: readonly (string | number)[] }
  /** A whole number. The page offers some. */
  | { readonly is: 'number'; readonly min: number; readonly max: number; readonly offers: readonly number[] }
  /** Texts, none of which is empty. */
  | { readonly is: 'list'; readonly min: number; readonly max: number; readonly maxLength: number }
  /** Texts by name. Names that mean nothing to this version are kept. */
  | { readonly is: 'record'; readonly max: number; readonly maxName: number; readonly maxLength: number }
  /** Members with shapes of their own. A wrong one in the file costs only itself. */
  | { readonly is: 'group'; readonly members: Readonly<Record<string, Shape>> };

export type ValueOf<S extends Shape> = {
  toggle: boolean;
  time: string;
  address: string;
  none: null;
  number: number;
  list: string[];
  record: Record<string, string>;
  choice: S extends { options: readonly (infer Option)[] } ? Option : never;
  group: S extends { members: infer Members extends Readonly<Record<string, Shape>> }
    ? { -readonly [Name in keyof Members]: ValueOf<Members[Name]> }
    : never;
  either: S extends { shapes: readonly (infer One extends PlainShape)[] } ? ValueOf<One> : never;
}[S['is']];

/** The sections of the settings, in their order. */
export const SETTINGS_SECTIONS = [
  'news',
  'models',
  'notifications',
  'tray',
  'appearance',
  'reading',
  'rules',
  'keyboard',
  'data',
  'aiTools',
  'updates',
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

interface Traits {
  /** Devices may share it (docs/decisions/138): how the reader likes to read, not what belongs to a computer or deletes anything. */
  readonly shared?: true;
  /** The engine gets it, and its changes. */
  readonly engine?: true;
  /** A host without this doesn't show it. */
  readonly needs?: keyof Capabilities;
}

const toggle = { is: 'toggle' } as const;
/** Local wall-clock time, `HH:MM`. */
const time = { is: 'time' } as const;
/** Base address of a service or proxy. */
const address = { is: 'address' } as const;
const none = { is: 'none' } as const;
const days = { is: 'number', min: 1, max: 3650, offers: [30, 90, 365] } as const;

const choice = <const Options extends readonly (string | number)[]>(...options: Options) =>
  ({ is: 'choice', options }) as const;
const either = <const Shapes extends readonly PlainShape[]>(...shapes: Shapes) => ({ is: 'either', shapes }) as const;
const group = <const Members extends Readonly<Record<string, Shape>>>(members: Members) =>
  ({ is: 'group', members }) as const;

/** `usual` is the default. A setting of no section is not shown, because the page itself changes it. */
const setting = <const In extends SettingsSection | null, const S extends Shape, const T extends Traits>(
  section: In,
  shape: S,
  usual: NoInfer<ValueOf<S>>,
  traits?: T,
) => ({ section, shape, usual: usual as unknown, ...(traits as T) });

const notifyShape = group(
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, toggle])) as Record<NotificationKind, typeof toggle>,
);

/** The user's settings, as saved in `settings.json`, in the order of the page. */
export const SETTINGS = {
  /** None: the built-in demo service. */
  newsAddress: setting('news', either(none, address), null),
  /** How often Broadsheet syncs by itself: by its schedule, a quarter as often, or never. */
  polling: setting('news', choice('usual', 'seldom', 'byHand'), 'usual', { engine: true }),
  /** `system`: as the environment says (HTTPS_PROXY, NO_PROXY). */
  proxy: setting('news', either(choice('system', 'none'), address), 'system', { engine: true }),
  /** None: no gateway, or the built-in one if the news source is built-in, too. */
  modelsAddress: setting('models', either(none, address), null),
  notify: setting(
    'notifications',
    notifyShape,
    { daily: true, weekly: true, monthly: true, story: true, saved: true, models: false },
    { shared: true, engine: true },
  ),
  /** How tray and dock show unread items. */
  unreadMark: setting('notifications', choice('none', 'dot', 'number'), 'dot', { needs: 'tray' }),
  /** If `from` is later than `to`, they span midnight. */
  quietHours: setting(
    'notifications',
    group({ on: toggle, from: time, to: time }),
    { on: false, from: '22:00', to: '07:00' },
    { shared: true, engine: true },
  ),
  /** None: the platform's default. */
  closeToTray: setting('tray', either(none, toggle), null, { needs: 'tray' }),
  launchAtLogin: setting('tray', toggle, false, { needs: 'launchAtLogin' }),
  startHidden: setting('tray', toggle, false),
  theme: setting('appearance', choice('system', 'light', 'dark'), 'system', { shared: true }),
  /** Percent of the default size. */
  textSize: setting('appearance', choice(80, 90, 100, 110, 125, 150), 100),
  font: setting('appearance', choice('serif', 'sans'), 'serif', { shared: true }),
  density: setting('appearance', choice('comfortable', 'compact'), 'comfortable', { shared: true }),
  timeFormat: setting('appearance', choice('system', '12h', '24h'), 'system', { shared: true }),
  language: setting('appearance', choice('system', 'en', 'zh-CN'), 'system', { shared: true }),
  /** An item counts as read once opened, after it has been open for three seconds, or only when marked by the user. */
  countsAsRead: setting('reading', choice('opened', 'afterDelay', 'byHand'), 'opened', { shared: true }),
  /** Rows that were seen count as read once they are scrolled past. */
  readOnScroll: setting('reading', toggle, false, { shared: true }),
  /** Lists show the newest item of a story for all of them. */
  foldStories: setting('reading', toggle, true, { shared: true }),
  /** Items of a service that is new to the user start as unread: those of the day or week before the first download, or all. */
  unreadAtFirst: setting('reading', choice('day', 'week', 'everything'), 'day', { engine: true }),
  /** Days before unselected, unstarred items are deleted; none keeps them for ever. */
  keepDays: setting('reading', either(none, days), null, { engine: true }),
  /** Single keys such as j, k and o are shortcuts. They conflict with some assistive technology. */
  singleKeys: setting('keyboard', toggle, true, { shared: true }),
  /** The user's keyboard shortcuts by command name; empty for none. There are fewer commands than may be saved. */
  shortcuts: setting('keyboard', { is: 'record', max: 200, maxName: 40, maxLength: 20 }, {}, { shared: true }),
  /** Days before downloaded news of services that are no longer used is deleted; none keeps it for ever. */
  keepServicesDays: setting('data', either(days, none), 90, { engine: true }),
  /** Broadsheet checks for updates. */
  updates: setting('updates', toggle, false, { needs: 'updates' }),
  /** What was searched for last, newest first. */
  recentSearches: setting(null, { is: 'list', min: 0, max: 10, maxLength: 200 }, []),
  /** The user has seen or skipped the welcome; false only in a data folder that is new. */
  welcomed: setting(null, toggle, true),
  /** Columns of the model table in display order; none for the default. */
  modelColumns: setting(null, either(none, { is: 'list', min: 1, max: 60, maxLength: 60 }), null, { shared: true }),
};

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

export type Settings = { [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]['shape']> };

export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTINGS[name].usual]),
) as unknown as Settings;

type Trait = 'shared' | 'engine';
export type SettingsWith<T extends Trait> = {
  [Name in SettingName as (typeof SETTINGS)[Name] extends Record<T, true> ? Name : never]: Settings[Name];
};

export type SharedSettings = SettingsWith<'shared'>;
export const SHARED_SETTINGS = namesWith('shared');

/** What another device set. `before` is what it replaces: a setting that was changed since stays. */
export interface ArrivedSettings {
  patch: Partial<SharedSettings>;
  before: Partial<SharedSettings>;
}

/** Picks the settings that have a trait. */
export function settingsWith<T extends Trait>(trait: T, settings: Settings): SettingsWith<T> {
  return Object.fromEntries(namesWith(trait).map((name) => [name, settings[name as SettingName]])) as SettingsWith<T>;
}

function namesWith<T extends Trait>(trait: T): (keyof SettingsWith<T>)[] {
  return SETTING_NAMES.filter((name) => trait in SETTINGS[name]) as (keyof SettingsWith<T>)[];
}

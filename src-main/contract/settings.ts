import type { Capabilities } from './model/capabilities.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from './model/notification.ts';

/** Plain data without zod, from which guard, file, sharing, command line, controls and docs/settings.md follow. */

export type Shape = PlainShape | { readonly is: 'either'; readonly shapes: readonly PlainShape[] };

type PlainShape =
  | { readonly is: 'toggle' | 'time' | 'address' | 'none' }
  | { readonly is: 'choice'; readonly options: readonly (string | number)[] }
  | { readonly is: 'number'; readonly min: number; readonly max: number; readonly offers: readonly number[] }
  | { readonly is: 'list'; readonly min: number; readonly max: number; readonly maxLength: number }
  | { readonly is: 'record'; readonly max: number; readonly maxName: number; readonly maxLength: number }
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

export const SETTINGS_SECTIONS = ['general', 'appearance', 'notifications', 'data', 'advanced'] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

interface Traits {
  /** How the user likes to read, not what belongs to a computer or deletes anything (docs/decisions/131). */
  readonly shared?: true;
  readonly engine?: true;
  readonly needs?: keyof Capabilities;
}

const toggle = { is: 'toggle' } as const;
/** Local time, `HH:MM`. */
const time = { is: 'time' } as const;
const address = { is: 'address' } as const;
const none = { is: 'none' } as const;
const days = { is: 'number', min: 1, max: 3650, offers: [30, 90, 365] } as const;

const choice = <const Options extends readonly (string | number)[]>(...options: Options) =>
  ({ is: 'choice', options }) as const;
const either = <const Shapes extends readonly PlainShape[]>(...shapes: Shapes) => ({ is: 'either', shapes }) as const;
const group = <const Members extends Readonly<Record<string, Shape>>>(members: Members) =>
  ({ is: 'group', members }) as const;

/** Without a section, only the page itself changes it. */
const setting = <const In extends SettingsSection | null, const S extends Shape, const T extends Traits>(
  section: In,
  shape: S,
  usual: NoInfer<ValueOf<S>>,
  traits?: T,
) => ({ section, shape, usual: usual as unknown, ...(traits as T) });

const notifyShape = group(
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, toggle])) as Record<NotificationKind, typeof toggle>,
);

export const SETTINGS = {
  /** Null: the built-in demo service. */
  newsAddress: setting('general', either(none, address), null),
  /** Null: no gateway, or the built-in one with the built-in news service. */
  modelsAddress: setting('general', either(none, address), null),
  language: setting('general', choice('system', 'en', 'zh-CN'), 'system', { shared: true }),
  readOnScroll: setting('general', toggle, false, { shared: true }),
  /** Null: the platform's default. */
  closeToTray: setting('general', either(none, toggle), null, { needs: 'tray' }),
  launchAtLogin: setting('general', toggle, false, { needs: 'launchAtLogin' }),
  theme: setting('appearance', choice('system', 'light', 'dark'), 'system', { shared: true }),
  textSize: setting('appearance', choice(80, 90, 100, 110, 125, 150), 100),
  font: setting('appearance', choice('serif', 'sans'), 'serif', { shared: true }),
  density: setting('appearance', choice('comfortable', 'compact'), 'comfortable', { shared: true }),
  notify: setting(
    'notifications',
    notifyShape,
    { daily: true, weekly: true, monthly: true, story: true, saved: true, models: false },
    { shared: true, engine: true },
  ),
  unreadMark: setting('notifications', choice('none', 'dot', 'number'), 'dot', { needs: 'tray' }),
  quietHours: setting(
    'notifications',
    group({ on: toggle, from: time, to: time }),
    { on: false, from: '22:00', to: '07:00' },
    { shared: true, engine: true },
  ),
  polling: setting('data', choice('usual', 'byHand'), 'usual', { engine: true }),
  keepDays: setting('data', either(none, days), null, { engine: true }),
  countsAsRead: setting('advanced', choice('opened', 'afterDelay', 'byHand'), 'opened', { shared: true }),
  /** Items of a new service that start as unread, by their age at the first download. */
  unreadAtFirst: setting('advanced', choice('day', 'week', 'everything'), 'day', { engine: true }),
  startHidden: setting('advanced', toggle, false, { needs: 'tray' }),
  /** `system`: HTTPS_PROXY and NO_PROXY. */
  proxy: setting('advanced', either(choice('system', 'none'), address), 'system', { engine: true }),
  keepServicesDays: setting('advanced', either(days, none), 90, { engine: true }),
  updates: setting('advanced', toggle, false, { needs: 'updates' }),
  /** Set in the menu of the list. */
  foldStories: setting(null, toggle, true, { shared: true }),
  /** They conflict with some assistive technology. Set beside the keys, as `shortcuts` are. */
  singleKeys: setting(null, toggle, true, { shared: true }),
  /** By command name; an empty text removes a shortcut. */
  shortcuts: setting(null, { is: 'record', max: 200, maxName: 40, maxLength: 20 }, {}, { shared: true }),
  /** 1 is the voice's own speed. Set beside the voice. */
  listenSpeed: setting(null, choice(0.75, 1, 1.25, 1.5, 2), 1, { shared: true }),
  recentSearches: setting(null, { is: 'list', min: 0, max: 10, maxLength: 200 }, []),
  /** False only in a new data folder. */
  welcomed: setting(null, toggle, true),
  /** The filters with which picks (`selected`) and all items (`all`) were left, as locations. */
  listFilters: setting(null, { is: 'record', max: 4, maxName: 10, maxLength: 2_500 }, {}),
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

/** Settings of another device; each applies only where the value here is still that of `before`. */
export interface ArrivedSettings {
  patch: Partial<SharedSettings>;
  before: Partial<SharedSettings>;
}

export function settingsWith<T extends Trait>(trait: T, settings: Settings): SettingsWith<T> {
  return Object.fromEntries(namesWith(trait).map((name) => [name, settings[name as SettingName]])) as SettingsWith<T>;
}

function namesWith<T extends Trait>(trait: T): (keyof SettingsWith<T>)[] {
  return SETTING_NAMES.filter((name) => trait in SETTINGS[name]) as (keyof SettingsWith<T>)[];
}

import {
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
  type SettingsSection,
  type Shape,
} from '../../contract/settings.ts';
import { wallClock } from '../time-text.ts';
import type { Message } from './labels.ts';
import { m } from './messages.ts';

interface HintView {
  platform: string | undefined;
  value: unknown;
}

interface RowTexts {
  label: Message;
  /** A paragraph or several. */
  hint?: (view: HintView) => string | readonly string[];
  /** Names each choice in its own language. */
  inItsLanguage?: true;
  choices?: Readonly<Record<string, Message>>;
  number?: (n: number) => string;
  none?: (view: HintView) => string;
  /** For a switch: its value as long as it was never set. */
  usual?: (view: HintView) => boolean;
  /** For a group. */
  members?: Readonly<Record<string, Message>>;
  /** Says in words what the members of a group that is switched on come to. */
  summary?: (group: never, dateLocale: string) => string;
  /** Shown in place of the control where the platform leaves no choice; null elsewhere. */
  instead?: (view: HintView) => string | null;
}

type If<Value, Texts> = [Value] extends [never] ? unknown : Texts;
type TextsOf<Value> = RowTexts &
  If<Extract<Value, string>, { choices: Readonly<Record<Extract<Value, string>, Message>> }> &
  If<Extract<Value, number>, { number: (n: number) => string }> &
  (null extends Value
    ? If<Extract<Value, boolean>, { usual: (view: HintView) => boolean }> &
        If<Exclude<Value, boolean | null>, { none: (view: HintView) => string }>
    : unknown) &
  If<Extract<Value, object>, { members: Readonly<Record<keyof Extract<Value, object>, Message>> }>;

type HasRow<S extends Shape> = S extends { is: 'toggle' | 'choice' | 'group' }
  ? true
  : S extends { is: 'either'; shapes: readonly (infer One extends Shape)[] }
    ? One['is'] extends 'number' | 'none' | 'toggle'
      ? true
      : false
    : false;

/** Settings whose control follows from their shape. */
export type RowName = {
  [Name in SettingName]: (typeof SETTINGS)[Name]['section'] extends null
    ? never
    : HasRow<(typeof SETTINGS)[Name]['shape']> extends true
      ? Name
      : never;
}[SettingName];

const percent = (percent: number): string => m.settings_appearance_percent({ percent });
const days = (days: number): string => m.days({ count: days });

export const SETTING_TEXTS = {
  polling: {
    label: m.settings_network_polling,
    hint: m.settings_network_polling_hint,
    choices: {
      usual: m.settings_network_pollings_normal,
      byHand: m.settings_network_pollings_by_hand,
    },
  },
  notify: {
    label: m.settings_notifications_kinds,
    hint: m.settings_notifications_kinds_hint,
    members: {
      daily: m.settings_notifications_kind_daily,
      weekly: m.settings_notifications_kind_weekly,
      monthly: m.settings_notifications_kind_monthly,
      story: m.settings_notifications_kind_story,
      saved: m.settings_notifications_kind_saved,
      models: m.settings_notifications_kind_models,
    },
  },
  unreadMark: {
    label: m.settings_notifications_badge,
    choices: {
      none: m.settings_notifications_badges_none,
      dot: m.settings_notifications_badges_dot,
      number: m.settings_notifications_badges_number,
    },
  },
  quietHours: {
    label: m.settings_notifications_quiet,
    hint: m.settings_notifications_quiet_hint,
    members: {
      on: m.settings_notifications_quiet_on,
      from: m.settings_notifications_from,
      to: m.settings_notifications_to,
    },
    summary: ({ from, to }: Settings['quietHours'], dateLocale) => {
      if (from === to) return m.settings_notifications_quiet_never();
      const times = { from: wallClock(from, dateLocale), to: wallClock(to, dateLocale) };
      return from < to ? m.settings_notifications_quiet_from(times) : m.settings_notifications_quiet_over(times);
    },
  },
  closeToTray: {
    label: m.settings_tray_close,
    hint: ({ platform }) => [
      m.settings_tray_close_hint(),
      ...(platform === 'linux' ? [m.settings_tray_linux_hint()] : []),
    ],
    // The default of the desktop host on each platform.
    usual: ({ platform }) => platform === 'win32',
    instead: ({ platform }) => (platform === 'darwin' ? m.settings_tray_mac_close() : null),
  },
  launchAtLogin: { label: m.settings_tray_launch_at_login, hint: m.settings_tray_launch_at_login_hint },
  startHidden: {
    label: m.settings_tray_start_hidden,
    hint: ({ platform }) =>
      platform === 'linux' ? m.settings_tray_start_hidden_linux() : m.settings_tray_start_hidden_hint(),
  },
  theme: {
    label: m.settings_appearance_theme,
    choices: {
      system: m.settings_appearance_themes_system,
      light: m.settings_appearance_themes_light,
      dark: m.settings_appearance_themes_dark,
    },
  },
  textSize: { label: m.settings_appearance_text_size, number: percent },
  font: {
    label: m.settings_appearance_font,
    choices: { serif: m.settings_appearance_fonts_serif, sans: m.settings_appearance_fonts_sans },
  },
  density: {
    label: m.settings_appearance_density,
    choices: {
      comfortable: m.settings_appearance_densities_comfortable,
      compact: m.settings_appearance_densities_compact,
    },
  },
  language: {
    label: m.settings_appearance_language,
    hint: m.settings_appearance_language_hint,
    inItsLanguage: true,
    choices: {
      system: m.settings_appearance_themes_system,
      en: m.settings_appearance_languages_en,
      'zh-CN': m.settings_appearance_languages_zh_cn,
    },
  },
  countsAsRead: {
    label: m.mark_read,
    choices: {
      opened: m.settings_reading_ways_opened,
      afterDelay: m.settings_reading_ways_after_delay,
      byHand: m.settings_reading_ways_by_hand,
    },
  },
  readOnScroll: { label: m.settings_reading_on_scroll, hint: m.settings_reading_on_scroll_hint },
  unreadAtFirst: {
    label: m.settings_reading_unread_at_first,
    hint: ({ value }) => (value === 'everything' ? [] : m.settings_reading_unread_at_first_hint()),
    choices: {
      day: m.settings_reading_unread_at_first_day,
      week: m.settings_reading_unread_at_first_week,
      everything: m.settings_reading_unread_at_first_everything,
    },
  },
  keepDays: {
    label: m.settings_reading_keep,
    hint: ({ value }) => (value === null ? [] : m.settings_reading_keep_hint()),
    number: days,
    none: m.settings_reading_for_ever,
  },
  keepServicesDays: {
    label: m.settings_data_services_keep,
    hint: ({ value }) => (value === null ? [] : m.settings_data_services_hint()),
    number: days,
    none: m.settings_reading_for_ever,
  },
  updates: { label: m.settings_updates_look, hint: m.settings_updates_look_hint },
} satisfies { [Name in RowName]: TextsOf<Settings[Name]> };

export function rowsIn(section: SettingsSection): RowName[] {
  const rows = SETTING_NAMES.filter((name): name is RowName => Object.hasOwn(SETTING_TEXTS, name));
  return rows.filter((name) => SETTINGS[name].section === section);
}

export function textsOf(name: RowName): RowTexts {
  return SETTING_TEXTS[name];
}

export const settingsSections: Readonly<Record<SettingsSection, Message>> = {
  general: m.settings_sections_general,
  appearance: m.settings_sections_appearance,
  notifications: m.notifications_title,
  data: m.settings_sections_data,
  advanced: m.settings_sections_advanced,
};

export const settingsNetworkProxies = {
  system: m.settings_network_proxies_system,
  none: m.settings_network_proxies_none,
  address: m.settings_network_proxies_address,
};

export const settingsNotificationsPermission = {
  default: m.settings_notifications_permission_default,
  granted: m.settings_notifications_permission_granted,
  denied: m.settings_notifications_permission_denied,
  unsupported: m.settings_notifications_permission_unsupported,
};

import { m } from '../messages.ts';

export const settingsSections = {
  news: m.settings_sections_news,
  models: m.settings_sections_models,
  notifications: m.settings_sections_notifications,
  tray: m.settings_sections_tray,
  appearance: m.settings_sections_appearance,
  reading: m.settings_sections_reading,
  rules: m.settings_sections_rules,
  keyboard: m.settings_sections_keyboard,
  data: m.settings_sections_data,
  aiTools: m.settings_sections_ai_tools,
  updates: m.settings_sections_updates,
};

export const settingsAppearanceDensities = {
  comfortable: m.settings_appearance_densities_comfortable,
  compact: m.settings_appearance_densities_compact,
};

export const settingsAppearanceFonts = {
  serif: m.settings_appearance_fonts_serif,
  sans: m.settings_appearance_fonts_sans,
};

export const settingsAppearanceLanguages = {
  system: m.settings_appearance_languages_system,
  en: m.settings_appearance_languages_en,
  'zh-CN': m.settings_appearance_languages_zh_cn,
};

export const settingsAppearanceThemes = {
  system: m.settings_appearance_themes_system,
  light: m.settings_appearance_themes_light,
  dark: m.settings_appearance_themes_dark,
};

export const settingsAppearanceTimeFormats = {
  system: m.settings_appearance_time_formats_system,
  '12h': m.settings_appearance_time_formats_12h,
  '24h': m.settings_appearance_time_formats_24h,
};

export const settingsNetworkPollings = {
  usual: m.settings_network_pollings_normal,
  seldom: m.settings_network_pollings_seldom,
  byHand: m.settings_network_pollings_by_hand,
};

export const settingsNetworkProxies = {
  system: m.settings_network_proxies_system,
  none: m.settings_network_proxies_none,
  address: m.settings_network_proxies_address,
};

export const settingsNotificationsKind = {
  daily: m.settings_notifications_kind_daily,
  weekly: m.settings_notifications_kind_weekly,
  monthly: m.settings_notifications_kind_monthly,
  story: m.settings_notifications_kind_story,
  saved: m.settings_notifications_kind_saved,
  models: m.settings_notifications_kind_models,
};

export const settingsNotificationsBadges = {
  none: m.settings_notifications_badges_none,
  dot: m.settings_notifications_badges_dot,
  number: m.settings_notifications_badges_number,
};

export const settingsNotificationsPermission = {
  default: m.settings_notifications_permission_default,
  granted: m.settings_notifications_permission_granted,
  denied: m.settings_notifications_permission_denied,
  unsupported: m.settings_notifications_permission_unsupported,
};

export const quietHoursEnds = {
  to: m.settings_notifications_to,
  from: m.settings_notifications_from,
};

export const settingsReadingWays = {
  opened: m.settings_reading_ways_opened,
  afterDelay: m.settings_reading_ways_after_delay,
  byHand: m.settings_reading_ways_by_hand,
};

export const settingsUnreadAtFirst = {
  day: m.settings_reading_unread_at_first_day,
  week: m.settings_reading_unread_at_first_week,
  everything: m.settings_reading_unread_at_first_everything,
};

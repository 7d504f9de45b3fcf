/** The sections of the settings, in their order. Each has its words in `settings.sections` and its view in `views/settings`. */
export const SETTINGS_SECTIONS = ['news', 'models', 'appearance', 'keyboard'] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

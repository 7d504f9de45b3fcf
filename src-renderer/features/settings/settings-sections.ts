import type { Capabilities } from '../../../src-main/contract/model/capabilities.ts';

/** The sections of the settings, in their order. Each has its title in `settingsSections` and its view in `SettingsDialog.svelte`. */
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

/** The sections that apply to this host. */
export function sectionsOf(can: Pick<Capabilities, 'tray' | 'launchAtLogin' | 'updates'> | null): SettingsSection[] {
  const missing: Partial<Record<SettingsSection, boolean>> = {
    tray: !can?.tray && !can?.launchAtLogin,
    updates: !can?.updates,
  };
  return SETTINGS_SECTIONS.filter((section) => !missing[section]);
}

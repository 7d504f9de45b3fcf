import { settingsPatch } from './guards.ts';
import type { Settings } from './settings.ts';

/**
 * Settings that machines may share through the folder of marks (docs/decisions/138): how the reader likes to read. Left out is
 * what belongs to a computer (addresses, proxy, text size, tray, start) and what removes or downloads something.
 */
export const CARRIED_SETTINGS = [
  'theme',
  'language',
  'density',
  'font',
  'timeFormat',
  'countsAsRead',
  'foldStories',
  'readOnScroll',
  'singleKeys',
  'shortcuts',
  'notify',
  'quietHours',
  'modelColumns',
] as const satisfies readonly (keyof Settings)[];

export type CarriedSetting = (typeof CARRIED_SETTINGS)[number];
export type CarriedSettings = Pick<Settings, CarriedSetting>;

/** What another machine set. `before` is what it replaces: a setting that was changed since stays. */
export interface ArrivedSettings {
  patch: Partial<CarriedSettings>;
  before: Partial<CarriedSettings>;
}

export function isCarriedSetting(name: string): name is CarriedSetting {
  return CARRIED_SETTINGS.some((one) => one === name);
}

export function carriedSettings(settings: Settings): CarriedSettings {
  return Object.fromEntries(CARRIED_SETTINGS.map((name) => [name, settings[name]])) as unknown as CarriedSettings;
}

/** A setting from a file, checked like a call of the window; null if this version does not know it, or its value. */
export function readCarriedSetting(name: string, value: unknown): Partial<CarriedSettings> | null {
  if (!isCarriedSetting(name)) return null;
  const { success, data } = settingsPatch.safeParse({ [name]: value });
  return success ? data : null;
}

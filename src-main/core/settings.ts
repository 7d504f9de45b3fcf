import { checkArgs } from '../contract/guards.ts';
import { DEFAULT_SETTINGS, type Settings } from '../contract/settings.ts';
import type { SettingsStore } from '../contract/ports.ts';
import type { StoredFile } from './stored_file.ts';

/**
 * Settings from a file that anyone may have edited: what is valid is taken, everything else falls back to its default,
 * one field at a time, so that one bad value does not cost the reader the rest.
 */
export function checkSettings(raw: unknown): Settings {
  const settings: Settings = { ...DEFAULT_SETTINGS };
  if (typeof raw !== 'object' || raw === null) return settings;
  for (const name of Object.keys(DEFAULT_SETTINGS)) {
    if (Object.hasOwn(raw, name)) Object.assign(settings, validField(name, (raw as Record<string, unknown>)[name]));
  }
  return settings;
}

/** The reader's settings in a file of the data folder. Errors of `set`: as those of {@link StoredFile.write}. */
export function settingsIn(file: StoredFile): SettingsStore {
  return {
    get: () => checkSettings(file.read()),
    set: (settings) => {
      file.write(settings);
    },
  };
}

function validField(name: string, value: unknown): Partial<Settings> {
  try {
    return checkArgs('settings.set', { patch: { [name]: value } }).patch;
  } catch {
    return {};
  }
}

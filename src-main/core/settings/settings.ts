import { BroadsheetError } from '../../contract/errors.ts';
import { checkArgs } from '../../contract/methods.ts';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import type { SettingsStore } from '../../contract/ports.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../contract/settings.ts';
import { migrateSettings, SETTINGS_VERSION } from './settings-migrations.ts';
import type { StoredFile } from '../files/json-file.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Settings from a file that anyone may have edited: what is valid is taken, everything else is as in `fallback`, one field at
 * a time, so that one bad value does not cost the reader the rest.
 */
export function checkSettings(raw: unknown, fallback: Settings = DEFAULT_SETTINGS): Settings {
  const settings: Settings = { ...fallback };
  if (!isMembers(raw)) return settings;
  for (const name of Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[]) {
    if (Object.hasOwn(raw, name)) Object.assign(settings, validField(name, whole(name, raw[name], fallback)));
  }
  return settings;
}

/**
 * The reader's settings in a file of the data folder. One of a newer version is used as far as it is understood, and never
 * written. Errors of `set`: `data_newer`, and those of {@link StoredFile.write}; then everything stays as it was.
 */
export function settingsIn(file: StoredFile): SettingsStore {
  const stored = migrateSettings(file.read());
  let settings = checkSettings(stored.members);
  return {
    storageWarnings: [...(file.warning ? [file.warning] : []), ...(stored.isNewer ? [NEWER] : [])],
    get: () => settings,
    set: (changed) => {
      if (stored.isNewer) throw newerSettings();
      file.write({ ...changed, version: SETTINGS_VERSION });
      settings = changed;
    },
  };
}

const NEWER: StorageWarning = { file: 'settings.json', setAsideAs: null, reason: 'newer' };

function newerSettings(): BroadsheetError {
  return new BroadsheetError(
    'data_newer',
    'The file settings.json was written by a newer Broadsheet, so it is not changed. Install that version, or move the file away.',
  );
}

/** A nested setting as it is checked: its valid members over those that hold without it. */
function whole(name: keyof Settings, value: unknown, fallback: Settings): unknown {
  if (!isMembers(value)) return value;
  if (name === 'notify' || name === 'quietHours') {
    const known = Object.entries(value).filter(([member]) => Object.hasOwn(fallback[name], member));
    return validMembers(name, known, { ...fallback[name] });
  }
  return name === 'shortcuts' ? validMembers(name, Object.entries(value), {}) : value;
}

function validMembers(name: keyof Settings, given: [member: string, value: unknown][], rest: Members): Members {
  return given.reduce((members, [member, value]) => {
    const changed = { ...members, [member]: value };
    return Object.keys(validField(name, changed)).length > 0 ? changed : members;
  }, rest);
}

function validField(name: keyof Settings, value: unknown): Partial<Settings> {
  try {
    return checkArgs('settings.set', { patch: { [name]: value } }).patch;
  } catch {
    return {};
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isDeepStrictEqual } from 'node:util';
import { BroadsheetError } from '../../contract/errors.ts';
import { checkArgs } from '../../contract/methods.ts';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import type { SettingsStore } from '../../contract/ports.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../contract/settings.ts';
import { migrateSettings, SETTINGS_VERSION } from './settings-migrations.ts';
import type { StoredFile } from '../files/json-file.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads settings from a file that anyone may have edited. Each field is validated separately and replaced from
 * `fallback` if invalid, so that one bad value doesn't lose the others.
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
 * The settings in a file, and the names of those whose value is wrong, wholly or in part. Each wrong value costs only
 * itself: what `earlier` has in its place is used, otherwise the default. `raw` is null if the file can't be used.
 */
export function recoveredSettings(raw: object | null, earlier: () => object): { settings: Settings; wrong: string[] } {
  if (raw === null) return { settings: checkSettings(earlier()), wrong: [] };
  const settings = checkSettings(raw);
  const wrong = (Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[]).filter(
    (name) => Object.hasOwn(raw, name) && !isTaken(name, (raw as Members)[name], settings[name]),
  );
  if (wrong.length === 0) return { settings, wrong };
  const better = checkSettings(raw, checkSettings(earlier()));
  for (const name of wrong) Object.assign(settings, { [name]: better[name] });
  return { settings, wrong };
}

/** Whether a value of the file was used as it is. Members that this version doesn't know don't count. */
function isTaken(name: keyof Settings, value: unknown, taken: unknown): boolean {
  if (!isMembers(value) || !isMembers(taken)) return isDeepStrictEqual(value, taken);
  const known = Object.entries(value).filter(
    ([member]) => name === 'shortcuts' || Object.hasOwn(DEFAULT_SETTINGS[name] as Members, member),
  );
  return known.every(([member, given]) => isDeepStrictEqual(given, taken[member]));
}

/**
 * The settings file in the data folder. `earlier` has values to use in place of wrong ones. A file of a newer version is read as far as possible and never written. Errors
 * of `set`: `data_newer`, and those of {@link StoredFile.write}. Settings are then unchanged.
 */
export function settingsIn(file: StoredFile, earlier: () => object = () => ({})): SettingsStore {
  const stored = migrateSettings(file.read());
  const { settings: found, wrong } = recoveredSettings(file.warning ? null : stored.members, earlier);
  let settings = found;
  const warnings: StorageWarning[] = file.warning ? [file.warning] : [];
  if (stored.isNewer) warnings.push(NEWER);
  else if (wrong.length > 0) warnings.push({ ...WRONG_VALUES, members: wrong });
  return {
    storageWarnings: warnings,
    get: () => settings,
    set: (changed) => {
      if (stored.isNewer) throw newerSettings();
      file.write({ ...changed, version: SETTINGS_VERSION });
      settings = changed;
    },
  };
}

const NEWER: StorageWarning = { file: 'settings.json', setAsideAs: null, reason: 'newer' };

const WRONG_VALUES: StorageWarning = { file: 'settings.json', setAsideAs: null, reason: 'invalid-values' };

function newerSettings(): BroadsheetError {
  return new BroadsheetError(
    'data_newer',
    'The file settings.json was written by a newer Broadsheet, so it is not changed. Install that version, or move the file away.',
  );
}

/** A nested setting: its valid members, with defaults for the others. */
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

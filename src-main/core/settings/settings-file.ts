import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isServiceAddress } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { readSetting } from '../../contract/guards.ts';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import type { Clock, Log, SettingsStore } from '../../contract/ports.ts';
import { DEFAULT_SETTINGS, SETTING_NAMES, SETTINGS, type SettingName, type Settings } from '../../contract/settings.ts';
import { lockDataFolder, storedServices } from '../../store/index.ts';
import { writeAtomicallySync } from '../files/atomic-write.ts';
import { openJsonFile, readJsonFile, type StoredFile } from '../files/json-file.ts';

const NAME = 'settings';
const COPY = 'settings-last-good';
export const LAST_GOOD = `${COPY}.json`;

type Members = Readonly<Record<string, unknown>>;

interface SettingsOptions {
  folder: string;
  clock: Clock;
  log: Log;
  openWriter(): { set(members: Record<string, unknown>): void };
  readFile?: (file: string) => Buffer;
}
type ReadOptions = Pick<SettingsOptions, 'folder' | 'log' | 'readFile'>;

/**
 * Without a usable file, uses and restores the last good copy; without a copy, the addresses of the services whose data
 * is saved: a broken file must not look like a wish for other services (docs/decisions/157). A file of a newer version
 * is read as far as possible and never written. Errors of `set`: `data_newer`, and those of {@link StoredFile.write};
 * settings are then unchanged.
 */
export function openSettings(options: SettingsOptions): SettingsStore {
  const { folder, log } = options;
  const file = openJsonFile({ ...options, name: NAME, keepsPlace: true });
  const earlier = earlierSettings(options);
  if (file.warning?.setAsideAs) putBack(file, earlier, log);

  const stored = migrateSettings(file.read());
  const found = recoverSettings(file.warning ? null : stored.members, earlier);
  const warnings: StorageWarning[] = file.warning ? [file.warning] : [];
  if (stored.isNewer) warnings.push({ file: 'settings.json', setAsideAs: null, reason: 'newer' });
  else if (found.wrong.length > 0) {
    warnings.push({ file: 'settings.json', setAsideAs: null, reason: 'invalid-values', members: found.wrong });
  }
  if (file.exists && warnings.length === 0) keepCopy(folder, file, log);

  let settings = isUnused(folder, file) ? { ...found.settings, welcomed: false } : found.settings;
  return {
    storageWarnings: warnings,
    get: () => settings,
    set: (changed) => {
      if (stored.isNewer) throw newerSettings();
      file.write({ ...changed, version: SETTINGS_VERSION });
      settings = changed;
      keepCopy(folder, file, log);
    },
  };
}

/** Changes nothing. `wrong` names settings whose value can't be used. */
export function readSettings(options: ReadOptions): { settings: Settings; wrong: SettingName[] } {
  const { content, exists } = readJsonFile({ ...options, name: NAME });
  return recoverSettings(exists ? content : {}, earlierSettings(options));
}

/** Creates a missing folder. Doesn't open the databases. */
export function inLockedFolder<T>(folder: string, work: () => T): T {
  const lock = lockDataFolder(folder);
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** Checks each setting separately, so that one bad value doesn't lose the others. */
export function checkSettings(raw: unknown, fallback: Settings = DEFAULT_SETTINGS): Settings {
  const settings: Settings = { ...fallback };
  if (!isMembers(raw)) return settings;
  for (const name of SETTING_NAMES) {
    if (Object.hasOwn(raw, name)) Object.assign(settings, readSetting(name, withoutWrong(name, raw[name], fallback)));
  }
  return settings;
}

/** Replaces each wrong value, or part of one, from `earlier`, else by the default. `raw`: null for an unusable file. */
function recoverSettings(raw: object | null, earlier: () => object): { settings: Settings; wrong: SettingName[] } {
  if (raw === null) return { settings: checkSettings(earlier()), wrong: [] };
  const settings = checkSettings(raw);
  const wrong = SETTING_NAMES.filter(
    (name) => Object.hasOwn(raw, name) && !isTaken(name, (raw as Members)[name], settings[name]),
  );
  if (wrong.length === 0) return { settings, wrong };
  const better = checkSettings(raw, checkSettings(earlier()));
  for (const name of wrong) Object.assign(settings, { [name]: better[name] });
  return { settings, wrong };
}

function isTaken(name: SettingName, value: unknown, taken: unknown): boolean {
  if (!isMembers(value) || !isMembers(taken)) return isDeepStrictEqual(value, taken);
  return knownMembers(name, value).every(([member, given]) => isDeepStrictEqual(given, taken[member]));
}

/** Replaces wrong members of a group from `fallback`, and removes those of a record. */
function withoutWrong(name: SettingName, value: unknown, fallback: Settings): unknown {
  const { is } = SETTINGS[name].shape;
  if (!isMembers(value) || (is !== 'group' && is !== 'record')) return value;
  return knownMembers(name, value).reduce(
    (members, [member, given]) => {
      const changed = { ...members, [member]: given };
      return readSetting(name, changed) === null ? members : changed;
    },
    is === 'group' ? { ...(fallback[name] as Members) } : {},
  );
}

function knownMembers(name: SettingName, value: Members): [member: string, value: unknown][] {
  const { shape } = SETTINGS[name];
  const members = Object.entries(value);
  return shape.is === 'group' ? members.filter(([member]) => Object.hasOwn(shape.members, member)) : members;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Migration = (members: Members) => Members;

/** Append only, and only if the meaning of a member changes: new members have defaults. */
const SETTINGS_MIGRATIONS: readonly Migration[] = [];

export const SETTINGS_VERSION = SETTINGS_MIGRATIONS.length + 1;

/** Leaves files of newer versions unchanged; without a number it is version 1. */
export function migrateSettings(
  stored: object,
  migrations: readonly Migration[] = SETTINGS_MIGRATIONS,
): { members: Members; isNewer: boolean } {
  const members = stored as Members;
  const version = versionOf(members);
  const isNewer = version > migrations.length + 1;
  return { members: migrations.slice(version - 1).reduce((result, migrate) => migrate(result), members), isNewer };
}

function versionOf({ version }: Members): number {
  return typeof version === 'number' && Number.isSafeInteger(version) && version >= 1 ? version : 1;
}

function newerSettings(): BroadsheetError {
  return new BroadsheetError(
    'data_newer',
    'The file settings.json was written by a newer Broadsheet, so it is not changed. Install that version, or move the file away.',
  );
}

/** The page shows the welcome in a new data folder, until it is seen or skipped. */
function isUnused(folder: string, file: StoredFile): boolean {
  const traces = [LAST_GOOD, 'user.db'];
  return !file.exists && !file.warning && !traces.some((name) => existsSync(join(folder, name)));
}

function earlierSettings({ folder, log, readFile }: ReadOptions): () => object {
  let found: object | null = null;
  return () =>
    (found ??= {
      ...services(folder),
      ...readJsonFile({ folder, name: COPY, log, ...(readFile && { readFile }) }).content,
    });
}

function services(folder: string): Partial<Settings> {
  if (folder === ':memory:') return {};
  const { news, models } = storedServices(folder);
  return {
    ...(news !== null && isServiceAddress(news) && { newsAddress: news }),
    ...(models !== null && isServiceAddress(models) && { modelsAddress: models }),
  };
}

function putBack(file: StoredFile, earlier: () => object, log: Log): void {
  try {
    file.write(earlier());
  } catch (error) {
    log('warn', 'The settings could not be restored', { reason: error instanceof Error ? error.message : 'unknown' });
  }
}

/** Only logs a failure: if nothing can be written, others report it. */
function keepCopy(folder: string, file: StoredFile, log: Log): void {
  try {
    const content = file.read();
    const { content: copy } = readJsonFile({ folder, name: COPY, log: () => undefined });
    if (!isDeepStrictEqual(copy, content)) writeAtomicallySync(join(folder, LAST_GOOD), JSON.stringify(content));
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    log('info', 'The copy of the settings could not be saved', { code });
  }
}

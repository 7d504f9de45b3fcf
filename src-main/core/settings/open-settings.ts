import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { isServiceAddress } from '../../contract/addresses.ts';
import type { Clock, Log, SettingsStore } from '../../contract/ports.ts';
import type { Settings } from '../../contract/settings.ts';
import { storedServices } from '../../store/index.ts';
import { writeAtomicallySync } from '../files/atomic-write.ts';
import { openJsonFile, readJsonFile, type StoredFile } from '../files/json-file.ts';
import { recoveredSettings, settingsIn } from './settings.ts';

const NAME = 'settings';
const COPY = 'settings-last-good';
/** The copy of the settings file as it was when it was last read completely. */
export const LAST_GOOD = `${COPY}.json`;

interface SettingsOptions {
  folder: string;
  clock: Clock;
  log: Log;
  openWriter(): { set(members: Record<string, unknown>): void };
  readFile?: (file: string) => Buffer;
}

/**
 * Opens the settings file of a data folder. Without a usable file, the last good copy is used and takes its place;
 * without a copy, the addresses of the services whose data is saved: a broken file must not look like a wish for other
 * services (docs/decisions/054).
 */
export function openSettings(options: SettingsOptions): SettingsStore {
  const { folder, log } = options;
  const file = openJsonFile({ ...options, name: NAME, keepsPlace: true });
  const earlier = earlierSettings(options);
  if (file.warning?.setAsideAs) putBack(file, earlier, log);
  const store = settingsIn(file, earlier);
  let fresh = isNew(folder, file);
  const isWhole = file.exists && (store.storageWarnings ?? []).length === 0;
  if (isWhole) keepCopy(folder, file, log);
  return {
    ...store,
    get: () => (fresh ? { ...store.get(), welcomed: false } : store.get()),
    set: (settings) => {
      store.set(settings);
      fresh = false;
      keepCopy(folder, file, log);
    },
  };
}

/** Whether nobody has used the data folder yet: the page then shows the welcome, until the reader has seen or skipped it. */
function isNew(folder: string, file: StoredFile): boolean {
  const traces = [LAST_GOOD, 'user.db'];
  return !file.exists && !file.warning && !traces.some((name) => existsSync(join(folder, name)));
}

/** The settings of a data folder for a command that only reads: nothing is changed. */
export function readSettings(options: Pick<SettingsOptions, 'folder' | 'log' | 'readFile'>): Settings {
  return readSettingsFile(options).settings;
}

/** The same with the names of those whose value can't be used. */
export function readSettingsFile(options: Pick<SettingsOptions, 'folder' | 'log' | 'readFile'>): {
  settings: Settings;
  wrong: string[];
} {
  const { content, exists } = readJsonFile({ ...options, name: NAME });
  return recoveredSettings(exists ? content : {}, earlierSettings(options));
}

/** Read only when they are needed. */
function earlierSettings({
  folder,
  log,
  readFile,
}: Pick<SettingsOptions, 'folder' | 'log' | 'readFile'>): () => object {
  let found: object | null = null;
  return () =>
    (found ??= {
      ...services(folder),
      ...readJsonFile({ folder, name: COPY, log, ...(readFile && { readFile }) }).content,
    });
}

/** Of a demo there is no address: it is the default. */
function services(folder: string): Partial<Settings> {
  if (folder === ':memory:') return {};
  const { news, models } = storedServices(folder);
  return {
    ...(news !== null && isServiceAddress(news) && { newsAddress: news }),
    ...(models !== null && isServiceAddress(models) && { modelsAddress: models }),
  };
}

/** The next start must find the same settings. */
function putBack(file: StoredFile, earlier: () => object, log: Log): void {
  try {
    file.write(earlier());
  } catch (error) {
    log('warn', 'The settings could not be restored', { reason: error instanceof Error ? error.message : 'unknown' });
  }
}

/** A failure doesn't matter to the settings themselves: what really can't be written is reported by others. */
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

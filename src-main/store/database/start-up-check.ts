import Database from 'better-sqlite3';
import { existsSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { listBackups } from './backups.ts';
import { isCorruption, isSound } from './corruption.ts';
import { corruptionMarker, park, removeDatabase, setAside, unpark, type StoreFiles } from './files.ts';
import { newerThanThis } from './migrate.ts';
import { MODELS_MIGRATIONS } from './migrations/models.ts';
import { FETCH_LOG_MIGRATIONS } from './migrations/fetch-log.ts';
import { MIRROR_MIGRATIONS } from './migrations/mirror.ts';
import { USER_MIGRATIONS } from './migrations/user.ts';
import { Properties } from './properties.ts';
import { finishRestore } from './restore.ts';

const LOCK_WAIT_MS = 2_000;

type Condition = 'absent' | 'usable' | 'damaged' | 'newer';

interface StartUpCheck {
  folder: string;
  files: StoreFiles;
  /** ms since 1970: part of the name of a file that is set aside. */
  now: number;
  storageWarnings: StorageWarning[];
}

/**
 * Sees to it that what is in a locked folder can be opened, and that its mirror is that of `source`. A file that cannot be
 * used is set aside, never overwritten. Errors: `data_newer` for user.db, and then nothing was touched: it is never
 * replaced without being asked.
 */
export function quarantineUnusable(folder: string, files: StoreFiles, source: string, now: number): StorageWarning[] {
  const check: StartUpCheck = { folder, files, now, storageWarnings: [] };
  finishRestore(files.user, now);
  const user = condition(files.user, USER_MIGRATIONS.length, true);
  if (user === 'newer') throw newerThanThis('user');
  if (user === 'damaged') {
    putAside(check, files.user, user);
    nameBackup(check);
  }
  const models = condition(files.models, MODELS_MIGRATIONS.length, true);
  if (models === 'damaged' || models === 'newer') putAside(check, files.models, models);

  checkMirror(check);
  takeMirrorOf(check, source);
  // Again: another one may have come from its parking place.
  checkMirror(check);
  if (!existsSync(files.mirror)) removeDatabase(files.search);
  return check.storageWarnings;
}

/** The mirror and what belongs to it. Opening each file also folds its write-ahead log in, so that it can be moved. */
function checkMirror(check: StartUpCheck): void {
  const { mirror, search, fetchLog } = check.files;
  for (const [file, found] of [
    [mirror, conditionOfMirror(mirror)],
    [fetchLog, condition(fetchLog, FETCH_LOG_MIGRATIONS.length, true)],
  ] as const) {
    if (found === 'damaged' || found === 'newer') putAside(check, file, found);
  }
  // Derived: made again without a word.
  if (condition(search, Infinity) === 'damaged') removeDatabase(search);
  rmSync(corruptionMarker(search), { force: true });
}

function putAside({ now, storageWarnings }: StartUpCheck, file: string, reason: 'damaged' | 'newer'): void {
  storageWarnings.push({ file: basename(file), setAsideAs: setAside(file, reason, now), reason });
  rmSync(corruptionMarker(file), { force: true });
}

/** What the reader did cannot be fetched again, but there may be a copy of it. */
function nameBackup({ folder, storageWarnings }: StartUpCheck): void {
  const [newest] = listBackups(folder);
  const warning = storageWarnings.at(-1);
  if (newest && warning) warning.backup = newest.name;
}

/** The mirror of another service is put away, not mixed with this one's and not lost. */
function takeMirrorOf({ folder, files }: StartUpCheck, source: string): void {
  const stored = existsSync(files.mirror) ? storedSource(files.mirror) : null;
  if (stored === source) return;
  if (stored !== null) park(folder, stored);
  if (!existsSync(files.mirror)) unpark(folder, source);
}

/** The service whose mirror this file is; null for a file that holds none yet. */
function storedSource(mirror: string): string | null {
  const database = new Database(mirror, { readonly: true, timeout: LOCK_WAIT_MS });
  try {
    const named = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'property'").get();
    return named ? new Properties(database, 'main').get('source') : null;
  } finally {
    database.close();
  }
}

/** A mirror that cannot say whose it is cannot be used; the rest of it is looked at as it is read. */
function conditionOfMirror(file: string): Condition {
  const found = condition(file, MIRROR_MIGRATIONS.length);
  if (found !== 'usable') return found;
  try {
    storedSource(file);
    return found;
  } catch (error) {
    if (isCorruption(error)) return 'damaged';
    throw error;
  }
}

/** Errors: those of the disk. Only what is certainly damaged is called so. */
function condition(file: string, newest: number, thorough = false): Condition {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  // SQLite would make an empty file anew, and drop a write-ahead log that has lost its file.
  if (bytes === 0) return existsSync(file) || existsSync(`${file}-wal`) ? 'damaged' : 'absent';
  if (existsSync(corruptionMarker(file))) return 'damaged';
  try {
    return conditionOf(new Database(file, { timeout: LOCK_WAIT_MS, fileMustExist: true }), newest, thorough);
  } catch (error) {
    if (isCorruption(error)) return 'damaged';
    throw error;
  }
}

function conditionOf(database: Database.Database, newest: number, thorough: boolean): Condition {
  try {
    const version = database.pragma('user_version', { simple: true }) as number;
    const tables = database.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
    if (version > newest) return 'newer';
    // Version and tables are written as one.
    const torn = version > 0 !== tables > 0;
    return torn || (thorough && !isSound(database)) ? 'damaged' : 'usable';
  } finally {
    database.close();
  }
}

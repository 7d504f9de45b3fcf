import Database from 'better-sqlite3';
import { existsSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { listBackups } from './backups.ts';
import { isCorruption, isSound } from './corruption.ts';
import { inUse, isLocked } from './errors.ts';
import { corruptionMarker, park, removeDatabase, repairMarker, setAside, unpark, type StoreFiles } from './files.ts';
import { newerThanThis } from './migrate.ts';
import { MODELS_MIGRATIONS } from './migrations/models.ts';
import { FETCH_LOG_MIGRATIONS } from './migrations/fetch-log.ts';
import { MIRROR_MIGRATIONS } from './migrations/mirror.ts';
import { USER_MIGRATIONS } from './migrations/user.ts';
import { checkPlace, obstacleAt, type Obstacle } from './places.ts';
import { Properties } from './properties.ts';
import { finishRestore } from './restore.ts';

const LOCK_WAIT_MS = 2_000;

type Condition = 'absent' | 'usable' | 'damaged' | 'newer' | Obstacle;

interface StartUpCheck {
  folder: string;
  files: StoreFiles;
  /** ms since 1970; part of the new name of a file that is set aside. */
  now: number;
  storageWarnings: StorageWarning[];
}

/**
 * Makes sure that the files of a locked folder can be opened and that its mirror belongs to `source`. An unusable file
 * is set aside, never overwritten. Errors: `data_newer` for user.db, before anything is changed: user.db is never
 * replaced unless the reader asks for it.
 */
export function quarantineUnusable(folder: string, files: StoreFiles, source: string, now: number): StorageWarning[] {
  const check: StartUpCheck = { folder, files, now, storageWarnings: [] };
  // These can't be downloaded again, and a link may lead to a disk that is missing: they are never replaced unasked.
  checkPlace(files.user);
  checkPlace(files.models);
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
  switchMirrorTo(check, source);
  // Check again: the mirror may have been moved back from its parking folder.
  checkMirror(check);
  if (!existsSync(files.mirror)) removeDatabase(files.search);
  return check.storageWarnings;
}

/** Checks the mirror and its files. Opening a file also merges its write-ahead log, so that it can be moved. */
function checkMirror(check: StartUpCheck): void {
  const { mirror, search, fetchLog } = check.files;
  for (const [file, found] of [
    [mirror, conditionOfMirror(mirror)],
    [fetchLog, condition(fetchLog, FETCH_LOG_MIGRATIONS.length, true)],
  ] as const) {
    if (found === 'absent') removeMarkers(file);
    else if (found !== 'usable') putAside(check, file, found);
  }
  // Derived data: it is rebuilt without a warning, except that nothing unknown is removed.
  const index = condition(search, Infinity);
  if (index === 'folder' || index === 'link') putAside(check, search, index);
  else if (index === 'damaged') removeDatabase(search);
  rmSync(corruptionMarker(search), { force: true });
}

function putAside(
  { now, storageWarnings }: StartUpCheck,
  file: string,
  reason: Exclude<Condition, 'absent' | 'usable'>,
): void {
  storageWarnings.push({ file: basename(file), setAsideAs: setAside(file, reason, now), reason });
  removeMarkers(file);
}

/** What was found in a file says nothing about the next one in its place. */
function removeMarkers(file: string): void {
  rmSync(corruptionMarker(file), { force: true });
  rmSync(repairMarker(file), { force: true });
}

/** Adds the newest backup to the warning: user data can't be downloaded again. */
function nameBackup({ folder, storageWarnings }: StartUpCheck): void {
  const [newest] = listBackups(folder);
  const warning = storageWarnings.at(-1);
  if (newest && warning) warning.backup = newest.name;
}

/** Parks the mirror of another service, and moves back that of `source` if it was parked. */
function switchMirrorTo({ folder, files, now }: StartUpCheck, source: string): void {
  const stored = existsSync(files.mirror) ? storedSource(files.mirror) : null;
  if (stored === source) return;
  if (stored !== null) park(folder, stored, now);
  if (!existsSync(files.mirror)) unpark(folder, source);
}

/** The service that a mirror file belongs to; null if it has none yet. */
function storedSource(mirror: string): string | null {
  const database = new Database(mirror, { readonly: true, timeout: LOCK_WAIT_MS });
  try {
    const named = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'property'").get();
    return named ? new Properties(database, 'main').get('source') : null;
  } finally {
    database.close();
  }
}

/** A mirror with an unreadable service name is unusable. The rest of it is checked as it is read. */
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

/** Reports a file as damaged only if that is certain. Errors: those of the file system. */
function condition(file: string, newest: number, thorough = false): Condition {
  const obstacle = obstacleAt(file);
  if (obstacle) return obstacle;
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  // SQLite would reinitialise an empty file, and discard a write-ahead log without its database.
  if (bytes === 0) return existsSync(file) || existsSync(`${file}-wal`) ? 'damaged' : 'absent';
  if (existsSync(corruptionMarker(file))) return 'damaged';
  try {
    return conditionOf(new Database(file, { timeout: LOCK_WAIT_MS, fileMustExist: true }), newest, thorough);
  } catch (error) {
    if (isCorruption(error)) return 'damaged';
    if (isLocked(error)) throw inUse(basename(file), error);
    throw error;
  }
}

function conditionOf(database: Database.Database, newest: number, thorough: boolean): Condition {
  try {
    const version = database.pragma('user_version', { simple: true }) as number;
    const tables = database.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
    if (version > newest) return 'newer';
    // Version and tables are written in one transaction.
    const torn = version > 0 !== tables > 0;
    return torn || (thorough && !isSound(database)) ? 'damaged' : 'usable';
  } finally {
    database.close();
  }
}

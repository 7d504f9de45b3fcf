import Database from 'better-sqlite3';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { finishRestore, listBackups } from './backups.ts';
import { isSound } from './corruption.ts';
import { lockedError, isLocked, mayBeDamage } from './errors.ts';
import { checkMarker, corruptionMarker, removeDatabase, repairMarker, setAside, type StoreFiles } from './files.ts';
import { FILE_NAMES, identify, newestVersion, ROLES, roleInHeader, type Role } from './identity.ts';
import { newerThanThis } from './migrate.ts';
import { park, unpark } from './parked-mirrors.ts';
import { kindOf } from './places.ts';
import { mirrorProperties } from './properties.ts';
import { noteMissing } from './set-aside.ts';

const LOCK_WAIT_MS = 2_000;
/** One page, the smallest SQLite file. */
const SMALLEST_BYTES = 512;
/** No version has so many migrations: the number in the file is damaged. */
const IMPOSSIBLE_VERSION = 10_000;

/** `foreign`: another database than the one that belongs there. `not-a-file`: for example a folder. */
type Fault = 'damaged' | 'newer' | 'foreign' | 'not-a-file';
type Condition = 'absent' | 'usable' | Fault;

interface StartUpCheck {
  folder: string;
  files: StoreFiles;
  /** ms since 1970; part of the new name of a file that is set aside. */
  now: number;
  /** Those that the folder itself doesn't note (set-aside.ts). */
  storageWarnings: StorageWarning[];
}

/**
 * Makes sure that the files of a locked folder can be opened and that its mirror belongs to `source`. Unusable files are set
 * aside, never overwritten. Returns the warnings that the folder doesn't note. Errors: `data_newer` for user.db, which is
 * never replaced unless the reader asks for it.
 */
export function quarantineUnusable(folder: string, files: StoreFiles, source: string, now: number): StorageWarning[] {
  const check: StartUpCheck = { folder, files, now, storageWarnings: [] };
  finishRestore(files.user, now);
  exchangeBack(check);
  const missing = new Set(lostFiles(files).flatMap(({ role, state }) => (state === 'missing' ? [role] : [])));
  const user = condition(files.user, 'user', true);
  if (user === 'newer') throw newerThanThis('user');
  if (isFault(user)) putAside(check, files.user, user);
  if (user === 'absent' && missing.has('user')) noteMissing(folder, 'user.db', now, listBackups(folder)[0]?.at);
  const models = condition(files.models, 'models', true);
  if (isFault(models)) putAside(check, files.models, models);
  if (models === 'absent' && missing.has('models')) noteMissing(folder, 'models.db', now);

  checkMirror(check);
  switchMirrorTo(check, source);
  // Check again: the mirror may have been moved back from its parking folder.
  checkMirror(check);
  // The files of a mirror move together: a mirror missing alone was not moved. Without it the others are useless.
  const isAlone = missing.has('mirror') && !(missing.has('fetchLog') && missing.has('search'));
  if (existsSync(files.mirror)) return check.storageWarnings;
  if (isAlone) noteMissing(folder, 'mirror.db', now);
  removeDatabase(files.search);
  return check.storageWarnings;
}

/**
 * Sets aside a database of Broadsheet under the name of another one, before SQLite applies the log next to it. If its own place
 * is empty then, the files were exchanged, and it is moved there.
 */
function exchangeBack(check: StartUpCheck): void {
  const { folder, files, storageWarnings } = check;
  const misplaced = ROLES.flatMap((role) => {
    for (const companion of ['-wal', '-shm']) putObstacleAside(check, files[role] + companion);
    const owner = kindOf(files[role]) === 'file' ? roleInHeader(files[role]) : null;
    return owner === null || owner === role ? [] : [{ owner, aside: putAside(check, files[role], 'foreign') }];
  });
  for (const { owner, aside } of misplaced) {
    if (kindOf(files[owner]) !== 'absent') continue;
    // Without the log next to it, which may be the other database's, and which SQLite would apply.
    renameSync(join(folder, aside), files[owner]);
    storageWarnings.push({ file: FILE_NAMES[owner], setAsideAs: null, reason: 'put-back' });
  }
}

/** A folder or link in the place of a log would make the database unreadable. */
function putObstacleAside({ now }: StartUpCheck, path: string): void {
  if (kindOf(path) === 'other') setAside(path, 'not-a-file', now);
}

/** Opening a file also merges its write-ahead log, so that it can be moved. */
function checkMirror(check: StartUpCheck): void {
  const { mirror, search, fetchLog } = check.files;
  for (const [file, found] of [
    [mirror, conditionOfMirror(mirror)],
    [fetchLog, condition(fetchLog, 'fetchLog', true)],
    [search, condition(search, 'search')],
  ] as const) {
    if (isFault(found)) putAside(check, file, found);
    else if (found === 'absent') removeMarkers(file);
  }
}

function isFault(found: Condition): found is Fault {
  return found !== 'absent' && found !== 'usable';
}

function putAside({ now }: StartUpCheck, file: string, reason: Fault): string {
  const aside = setAside(file, reason, now);
  removeMarkers(file);
  return aside;
}

/** Clears findings, which don't apply to the next file in this place. */
function removeMarkers(file: string): void {
  for (const marker of [corruptionMarker(file), repairMarker(file), checkMarker(file)]) rmSync(marker, { force: true });
}

function switchMirrorTo({ folder, files, now }: StartUpCheck, source: string): void {
  const stored = existsSync(files.mirror) ? storedSource(files.mirror) : null;
  if (stored === source) return;
  if (stored !== null) park(folder, stored, now);
  if (!existsSync(files.mirror)) unpark(folder, source);
}

/** Returns null for a mirror without a service yet. */
function storedSource(mirror: string): string | null {
  const database = new Database(mirror, { readonly: true, timeout: LOCK_WAIT_MS });
  try {
    const named = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'property'").get();
    return named ? mirrorProperties.get(database, 'source') : null;
  } finally {
    database.close();
  }
}

/** Calls a mirror with an unreadable service name damaged. The rest is checked as it is read. */
function conditionOfMirror(file: string): Condition {
  const found = condition(file, 'mirror');
  if (found !== 'usable') return found;
  try {
    storedSource(file);
    return found;
  } catch (error) {
    if (mayBeDamage(error)) return 'damaged';
    throw error;
  }
}

/** Returns `damaged` only if that is certain. Errors: those of the file system. */
function condition(file: string, role: Role, thorough = false): Condition {
  const kind = kindOf(file);
  if (kind === 'other') return 'not-a-file';
  if (kind === 'absent') return existsSync(`${file}-wal`) ? 'damaged' : 'absent';
  if (isTooShort(file)) return 'damaged';
  if (existsSync(corruptionMarker(file))) return 'damaged';
  try {
    return conditionOf(new Database(file, { timeout: LOCK_WAIT_MS, fileMustExist: true }), role, thorough);
  } catch (error) {
    if (mayBeDamage(error)) return 'damaged';
    if (isLocked(error)) throw lockedError(basename(file), error);
    throw error;
  }
}

function conditionOf(database: Database.Database, role: Role, thorough: boolean): Condition {
  try {
    const version = database.pragma('user_version', { simple: true }) as number;
    if (version < 0 || version > IMPOSSIBLE_VERSION) return 'damaged';
    // The tables of a newer version are not known here.
    if (version > newestVersion(role)) return 'newer';
    const found = identify(database, role);
    if (found === 'foreign') return found;
    return found === 'incomplete' || (thorough && !isSound(database)) ? 'damaged' : 'usable';
  } finally {
    database.close();
  }
}

export interface LostFile {
  role: Role;
  state: 'missing' | 'empty';
}

/**
 * Returns databases that are missing or empty although the folder was in use: another one has tables, or there is a backup.
 * All files are created before the first gets its tables, so an interrupted start has lost none. Changes nothing.
 */
export function lostFiles(files: StoreFiles): LostFile[] {
  const lost = ROLES.flatMap((role): LostFile[] => {
    const kind = kindOf(files[role]);
    if (kind === 'absent') return [{ role, state: 'missing' }];
    return kind === 'file' && isTooShort(files[role]) ? [{ role, state: 'empty' }] : [];
  });
  if (lost.length === 0) return lost;
  const others = ROLES.filter((role) => !lost.some((one) => one.role === role));
  const wasInUse = listBackups(dirname(files.user)).length > 0 || others.some((role) => hasTables(files[role]));
  return wasInUse ? lost : [];
}

/** Returns true for a file that SQLite would overwrite, with its log. */
function isTooShort(file: string): boolean {
  return statSync(file).size < SMALLEST_BYTES;
}

/** Counts a damaged file as one that has tables. Errors: those of disks and locks. */
function hasTables(file: string): boolean {
  if (kindOf(file) !== 'file') return false;
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      return database.pragma('user_version', { simple: true }) !== 0;
    } finally {
      database.close();
    }
  } catch (error) {
    if (mayBeDamage(error)) return true;
    throw error;
  }
}

import Database from 'better-sqlite3';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { finishRestore, listBackups } from './backups.ts';
import { isSound } from './corruption.ts';
import {
  FILE_NAMES,
  LOCK_WAIT_MS,
  newerThanThis,
  newestVersion,
  ROLES,
  schemaVersion,
  type Role,
} from './databases.ts';
import { lockedError, isLocked, mayBeDamage } from './errors.ts';
import {
  checkMarker,
  corruptionMarker,
  kindOf,
  removeDatabase,
  repairMarker,
  setAside,
  storeFiles,
  type StoreFiles,
} from './files.ts';
import { identify, roleInHeader, roleOf } from './identity.ts';
import { park, unpark } from './parked-mirrors.ts';
import { mirrorProperties } from './properties.ts';
import { noteMissing } from './set-aside.ts';

const MIN_BYTES = 512;
/** Above this, the number in the file is damaged. */
const IMPOSSIBLE_VERSION = 10_000;

/** `foreign`: another database than the one that belongs there. */
type Fault = 'damaged' | 'newer' | 'foreign' | 'not-a-file';
type Condition = 'absent' | 'usable' | Fault;

/**
 * Sets unusable files aside, and makes sure that the mirror belongs to `source`. Returns the warnings that the folder doesn't
 * note. Errors: `data_newer` for user.db, which is replaced only by the reader.
 */
export function quarantineUnusable(folder: string, source: string, now: number): StorageWarning[] {
  const files = storeFiles(folder);
  finishRestore(files.user, now);
  const warnings = exchangeBack(folder, files, now);
  const missing = new Set(lostFiles(files).flatMap(({ role, state }) => (state === 'missing' ? [role] : [])));
  const user = condition(files.user, 'user');
  if (user === 'newer') throw newerThanThis('user');
  if (isFault(user)) putAside(files.user, user, now);
  if (user === 'absent' && missing.has('user')) noteMissing(folder, 'user.db', now, listBackups(folder)[0]?.at);

  checkMirror(files, now);
  switchMirrorTo(source, folder, files, now);
  // Check again: the mirror may have been moved back from its parking folder.
  checkMirror(files, now);
  if (existsSync(files.mirror)) return warnings;
  // The files of a mirror move together: a mirror missing alone was not moved. Without it the index is useless.
  if (missing.has('mirror') && !missing.has('search')) noteMissing(folder, 'mirror.db', now);
  removeDatabase(files.search);
  return warnings;
}

/** Sets databases under another name aside, or exchanges them back, before SQLite applies the logs next to them. */
function exchangeBack(folder: string, files: StoreFiles, now: number): StorageWarning[] {
  const misplaced = ROLES.flatMap((role) => {
    for (const companion of ['-wal', '-shm']) putObstacleAside(files[role] + companion, now);
    const owner = kindOf(files[role]) === 'file' ? roleInHeader(files[role]) : null;
    return owner === null || owner === role ? [] : [{ owner, aside: putAside(files[role], 'foreign', now) }];
  });
  const exchanged = misplaced.filter(({ owner, aside }) => {
    if (kindOf(files[owner]) !== 'absent') return false;
    // Without the log next to it, which may be the other database's, and which SQLite would apply.
    renameSync(join(folder, aside), files[owner]);
    return true;
  });
  return exchanged.map(({ owner }) => ({ file: FILE_NAMES[owner], setAsideAs: null, reason: 'put-back' }));
}

/** A folder or link in the place of a log would make the database unreadable. */
function putObstacleAside(path: string, now: number): void {
  if (kindOf(path) === 'other') setAside(path, 'not-a-file', now);
}

/** Opening a file also merges its write-ahead log, so that it can be moved. */
function checkMirror(files: StoreFiles, now: number): void {
  const conditions = (['mirror', 'search'] as const).map((role) => ({
    file: files[role],
    found: condition(files[role], role),
  }));
  for (const { file, found } of conditions) {
    if (isFault(found)) putAside(file, found, now);
    else if (found === 'absent') removeMarkers(file);
  }
}

function isFault(found: Condition): found is Fault {
  return found !== 'absent' && found !== 'usable';
}

function putAside(file: string, reason: Fault, now: number): string {
  const aside = setAside(file, reason, now);
  removeMarkers(file);
  return aside;
}

/** They don't apply to the next file in this place. */
function removeMarkers(file: string): void {
  for (const marker of [corruptionMarker(file), repairMarker(file), checkMarker(file)]) rmSync(marker, { force: true });
}

function switchMirrorTo(source: string, folder: string, files: StoreFiles, now: number): void {
  const stored = existsSync(files.mirror) ? storedSource(files.mirror) : null;
  if (stored === source) return;
  if (stored !== null) park(folder, stored, now);
  if (!existsSync(files.mirror)) unpark(folder, source);
}

function storedSource(mirror: string): string | null {
  const database = new Database(mirror, { readonly: true, timeout: LOCK_WAIT_MS });
  try {
    return schemaVersion(database, 'main') > 0 ? mirrorProperties.get(database, 'source') : null;
  } finally {
    database.close();
  }
}

/** Returns `damaged` only if that is certain. */
function condition(file: string, role: Role): Condition {
  const kind = kindOf(file);
  if (kind === 'other') return 'not-a-file';
  if (kind === 'absent') return existsSync(`${file}-wal`) ? 'damaged' : 'absent';
  if (isTooShort(file)) return 'damaged';
  if (existsSync(corruptionMarker(file))) return 'damaged';
  try {
    return conditionOf(new Database(file, { timeout: LOCK_WAIT_MS, fileMustExist: true }), role);
  } catch (error) {
    if (mayBeDamage(error)) return 'damaged';
    if (isLocked(error)) throw lockedError(basename(file), error);
    throw error;
  }
}

function conditionOf(database: Database.Database, role: Role): Condition {
  try {
    const version = schemaVersion(database, 'main');
    if (version < 0 || version > IMPOSSIBLE_VERSION) return 'damaged';
    // Without our id it is no later version of this file.
    if (version > newestVersion(role)) return roleOf(database) === role ? 'newer' : 'foreign';
    const found = identify(database, role);
    if (found === 'foreign') return found;
    if (found === 'incomplete') return 'damaged';
    // Checking all of these two takes too long, but the name of the service must be readable.
    if (role === 'mirror' && version > 0) mirrorProperties.get(database, 'source');
    return role === 'mirror' || role === 'search' || isSound(database) ? 'usable' : 'damaged';
  } finally {
    database.close();
  }
}

export interface LostFile {
  role: Role;
  state: 'missing' | 'empty';
}

/** An interrupted first start has lost none: all files are created before the first gets its tables. */
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

/** SQLite would overwrite such a file, with its log. */
function isTooShort(file: string): boolean {
  return statSync(file).size < MIN_BYTES;
}

/** Counts a damaged file as one that has tables. */
function hasTables(file: string): boolean {
  if (kindOf(file) !== 'file') return false;
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      return schemaVersion(database, 'main') !== 0;
    } finally {
      database.close();
    }
  } catch (error) {
    if (mayBeDamage(error)) return true;
    throw error;
  }
}

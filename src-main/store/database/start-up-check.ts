import Database from 'better-sqlite3';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import { listBackups, takeRestored } from './backups.ts';
import { mayBeDamage } from './errors.ts';
import { FILES, LOCK_WAIT_MS, newerThanThis, ROLES, schemaVersion, type Role } from './databases.ts';
import { isTooShort, stateOf, type FileState } from './file-states.ts';
import {
  checkMarker,
  corruptionMarker,
  kindOf,
  removeDatabase,
  setAside,
  storeFiles,
  type StoreFiles,
} from './files.ts';
import { roleInHeader } from './identity.ts';
import { MIRROR_ROLES, park, unpark } from './parked-mirrors.ts';
import { mirrorProperties } from './properties.ts';
import { noteMissing } from './set-aside.ts';

/**
 * Sets unusable files aside, and makes sure that the mirror belongs to `source`. Returns the warnings that the folder doesn't
 * note. Errors: `data_newer` for user.db, which is replaced only by the reader.
 */
export function quarantineUnusable(folder: string, source: string, now: number): StorageWarning[] {
  const files = storeFiles(folder);
  takeRestored(files.user, now);
  const warnings = exchangeBack(folder, files, now);
  const missing = new Set(lostFiles(files).flatMap(({ role, state }) => (state === 'missing' ? [role] : [])));
  const user = settle(files.user, 'user', now);
  if (user === 'absent' && missing.has('user')) noteMissing(folder, FILES.user.name, now, listBackups(folder)[0]?.at);
  for (const role of MIRROR_ROLES) settle(files[role], role, now);
  switchMirrorTo(source, folder, files, now);
  // Again: they may have been moved back from their parking folder.
  for (const role of MIRROR_ROLES) settle(files[role], role, now);
  if (existsSync(files.mirror)) return warnings;
  // They move together: a mirror missing alone was not moved. Without it the index is useless.
  if (missing.has('mirror') && !missing.has('search')) noteMissing(folder, FILES.mirror.name, now);
  removeDatabase(files.search);
  return warnings;
}

/** A file that can't be used is set aside, and makes room for a new one. Returns its state before. */
function settle(file: string, role: Role, now: number): FileState {
  const state = stateOf(file, role);
  if (state === 'usable') return state;
  // Going on without it would look like lost stars.
  if (state === 'newer' && FILES[role].origin === 'kept') throw newerThanThis(role);
  if (state === 'absent') removeMarkers(file);
  else putAside(file, state, now);
  return state;
}

function putAside(file: string, reason: FileState, now: number): string {
  const aside = setAside(file, reason, now);
  removeMarkers(file);
  return aside;
}

/** They don't apply to the next file in this place. */
function removeMarkers(file: string): void {
  for (const marker of [corruptionMarker(file), checkMarker(file)]) rmSync(marker, { force: true });
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
  return exchanged.map(({ owner }) => ({ file: FILES[owner].name, setAsideAs: null, reason: 'put-back' }));
}

/** A folder or link in the place of a log would make the database unreadable. */
function putObstacleAside(path: string, now: number): void {
  if (kindOf(path) === 'other') setAside(path, 'not-a-file', now);
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

export interface LostFile {
  role: Role;
  state: 'missing' | 'empty';
}

/** An interrupted first start has lost none: all files are created before the first gets its tables. */
export function lostFiles(files: StoreFiles): LostFile[] {
  const lost = emptyPlaces(files);
  if (lost.length === 0) return lost;
  const others = ROLES.filter((role) => !lost.some((one) => one.role === role));
  const wasInUse = listBackups(dirname(files.user)).length > 0 || others.some((role) => hasTables(files[role]));
  return wasInUse ? lost : [];
}

export function emptyPlaces(files: StoreFiles): LostFile[] {
  return ROLES.flatMap((role): LostFile[] => {
    const kind = kindOf(files[role]);
    if (kind === 'absent') return [{ role, state: 'missing' }];
    return kind === 'file' && isTooShort(files[role]) ? [{ role, state: 'empty' }] : [];
  });
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

import Database from 'better-sqlite3';
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { FILES, LOCK_WAIT_MS, type Role } from './databases.ts';
import { isLocked, lockedError, mayBeDamage } from './errors.ts';
import { corruptionMarker, kindOf } from './files.ts';
import { contentState, isSound, type ContentState } from './identity.ts';

const MIN_BYTES = 512;

/** `foreign`: another database than the one that belongs there. */
export type FileState = ContentState | 'absent' | 'not-a-file';

/** Returns `damaged` only if that is certain. Opening a file also merges its write-ahead log, so that it can be moved. */
export function stateOf(file: string, role: Role, { readonly = false } = {}): FileState {
  const kind = kindOf(file);
  if (kind === 'other') return 'not-a-file';
  if (kind === 'absent') return existsSync(`${file}-wal`) ? 'damaged' : 'absent';
  if (isTooShort(file) || existsSync(corruptionMarker(file))) return 'damaged';
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly, timeout: LOCK_WAIT_MS, fileMustExist: true });
    const state = contentState(database, role);
    // Checking all pages of the others takes too long.
    return state === 'usable' && FILES[role].origin === 'kept' && !isSound(database) ? 'damaged' : state;
  } catch (error) {
    if (mayBeDamage(error)) return 'damaged';
    if (isLocked(error)) throw lockedError(basename(file), error);
    throw error;
  } finally {
    database?.close();
  }
}

/** SQLite would overwrite such a file, with its log. */
export function isTooShort(file: string): boolean {
  return statSync(file).size < MIN_BYTES;
}

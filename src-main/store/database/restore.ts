import Database from 'better-sqlite3';
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkBackup, soundBackup } from './backups.ts';
import { flushFile, moveDatabase, removeDatabase, setAside, storeFiles } from './files.ts';
import { stamp } from './identity.ts';
import { lockFolder, type FolderLock } from './lock.ts';
import { migrate } from './migrate.ts';
import { USER_MIGRATIONS } from './migrations/user.ts';
import { PRIVATE_FILE } from './private-files.ts';
import { settleLosses } from './set-aside.ts';

/** A restore that has replaced user.db. */
export interface Restored {
  /** Puts the file back that was replaced. The files must not be open. */
  undo(): void;
}

/**
 * Replaces user.db with a backup and sets the old file aside as `user.db.replaced-…`. The files must not be open; `lock`
 * is the folder's lock if the caller holds it. The backup is opened and migrated on trial before. If interrupted, the next
 * start either completes it or leaves everything unchanged ({@link finishRestore}). Errors: `not_found`,
 * `data_unreadable`, `data_newer`, `data_in_use`, and those of the file system, after which nothing has changed.
 */
export function restoreBackup(folder: string, name: string, now: number, lock?: FolderLock): Restored {
  const { user, lock: file } = storeFiles(folder);
  const own = lock ? null : lockFolder(file);
  try {
    const ready = readyFile(user);
    const unfinished = `${ready}-unfinished`;
    removeDatabase(unfinished);
    copyFileSync(soundBackup(folder, name), unfinished);
    chmodSync(unfinished, PRIVATE_FILE);
    openOnTrial(unfinished, name);
    flushFile(unfinished);
    renameSync(unfinished, ready);
    const replaced = existsSync(user) ? setAside(user, 'replaced', now) : null;
    finishRestore(user, now);
    const unsettle = settleLosses(folder, 'user.db');
    return {
      undo: () => {
        if (replaced === null) removeDatabase(user);
        else {
          // One rename, so that there is a user.db at every moment.
          for (const companion of ['-wal', '-shm']) rmSync(user + companion, { force: true });
          moveDatabase(join(folder, replaced), user);
        }
        unsettle();
      },
    };
  } finally {
    own?.release();
  }
}

/** Makes a copy of a backup what opening will make of it. Errors: as {@link soundBackup}. */
function openOnTrial(copy: string, name: string): void {
  const database = new Database(copy);
  try {
    migrate(database, 'main', USER_MIGRATIONS);
    stamp(database, 'user');
  } finally {
    database.close();
  }
  checkBackup(copy, name);
}

/** Completes an interrupted {@link restoreBackup}. Call it in a locked folder, before user.db is opened. */
export function finishRestore(user: string, now: number): void {
  const ready = readyFile(user);
  removeDatabase(`${ready}-unfinished`);
  if (!existsSync(ready)) return;
  // The restore stopped before it moved user.db: discard it.
  if (existsSync(user)) return rmSync(ready);
  if (existsSync(`${user}-wal`)) setAside(user, 'replaced', now);
  renameSync(ready, user);
}

/** The complete copy of a backup, ready to replace user.db. */
function readyFile(user: string): string {
  return `${user}-restored`;
}

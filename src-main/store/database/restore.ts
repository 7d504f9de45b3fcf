import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { soundBackup } from './backups.ts';
import { flushFile, removeDatabase, setAside, storeFiles } from './files.ts';
import { PRIVATE_FILE } from './private-files.ts';
import { lockFolder, type FolderLock } from './lock.ts';

/**
 * Replaces user.db with a backup and sets the old file aside as `user.db.replaced-…`. The files must not be open; `lock`
 * is the folder's lock if the caller holds it. If
 * interrupted, the next start either completes it or leaves everything unchanged ({@link finishRestore}). Errors:
 * `not_found`, `data_unreadable`, `data_newer`, `data_in_use`, and those of the file system, after which nothing has
 * changed.
 */
export function restoreBackup(folder: string, name: string, now: number, lock?: FolderLock): void {
  const { user, lock: file } = storeFiles(folder);
  const own = lock ? null : lockFolder(file);
  try {
    const ready = readyFile(user);
    const unfinished = `${ready}-unfinished`;
    copyFileSync(soundBackup(folder, name), unfinished);
    chmodSync(unfinished, PRIVATE_FILE);
    flushFile(unfinished);
    renameSync(unfinished, ready);
    if (existsSync(user)) setAside(user, 'replaced', now);
    finishRestore(user, now);
  } finally {
    own?.release();
  }
}

/** Completes an interrupted {@link restoreBackup}. Call it in a locked folder, before user.db is opened. */
export function finishRestore(user: string, now: number): void {
  const ready = readyFile(user);
  rmSync(`${ready}-unfinished`, { force: true });
  if (!existsSync(ready)) return;
  // The restore stopped before it moved user.db: discard it.
  if (existsSync(user)) return rmSync(ready);
  if (existsSync(`${user}-wal`)) setAside(user, 'replaced', now);
  renameSync(ready, user);
}

/** Removes the downloaded data. The reader's data stays, and so do the fetch times. Errors: as above. */
export function removeMirror(folder: string, lock?: FolderLock): void {
  const { mirror, search, lock: file } = storeFiles(folder);
  const own = lock ? null : lockFolder(file);
  try {
    removeDatabase(mirror);
    removeDatabase(search);
  } finally {
    own?.release();
  }
}

/** The complete copy of a backup, ready to replace user.db. */
function readyFile(user: string): string {
  return `${user}-restored`;
}

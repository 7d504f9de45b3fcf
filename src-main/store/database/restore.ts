import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { soundBackup } from './backups.ts';
import { flushFile, removeDatabase, setAside, storeFiles } from './files.ts';
import { lockFolder } from './lock.ts';

/**
 * Puts a backup in the place of user.db, which is set aside as `user.db.replaced-…`. Nobody may have the folder open. Ended at
 * any point, it is either not done or done by the next start ({@link finishRestore}). Errors: `not_found`, `data_unreadable`,
 * `data_newer`, `data_in_use`, and the system's own, after which everything is as it was.
 */
export function restoreBackup(folder: string, name: string, now: number): void {
  const { user, lock } = storeFiles(folder);
  const held = lockFolder(lock);
  try {
    const ready = readyFile(user);
    const unfinished = `${ready}-unfinished`;
    copyFileSync(soundBackup(folder, name), unfinished);
    flushFile(unfinished);
    renameSync(unfinished, ready);
    if (existsSync(user)) setAside(user, 'replaced', now);
    finishRestore(user, now);
  } finally {
    held.release();
  }
}

/** Ends what {@link restoreBackup} had begun when it was cut short. In a locked folder, before user.db is looked at. */
export function finishRestore(user: string, now: number): void {
  const ready = readyFile(user);
  rmSync(`${ready}-unfinished`, { force: true });
  if (!existsSync(ready)) return;
  // It had not yet come to user.db: it did not happen.
  if (existsSync(user)) return rmSync(ready);
  if (existsSync(`${user}-wal`)) setAside(user, 'replaced', now);
  renameSync(ready, user);
}

/** Throws away what the service said; what the reader did stays, and so does when the service may be asked. Errors: as above. */
export function removeMirror(folder: string): void {
  const { mirror, search, lock } = storeFiles(folder);
  const held = lockFolder(lock);
  try {
    removeDatabase(mirror);
    removeDatabase(search);
  } finally {
    held.release();
  }
}

/** A backup that is whole and waits for its place. */
function readyFile(user: string): string {
  return `${user}-restored`;
}

import Database from 'better-sqlite3';
import { existsSync, rmSync } from 'node:fs';
import { BroadsheetError } from '../../contract/errors.ts';
import { isCorruption } from './errors.ts';
import { mapSystemError } from '../../common/system-errors.ts';
import { storeFiles, makePrivateFile, makePrivateFolder, tightenFolder } from './files.ts';
import { checkPlace } from './places.ts';

/** A locked data folder. */
export interface FolderLock {
  release(): void;
}

/**
 * Creates a data folder if it is missing, closes it to other users of this computer, and locks it. Errors: those of
 * {@link lockFolder}.
 */
export function lockDataFolder(folder: string): FolderLock {
  makeFolder(folder);
  // Before the lock is taken: whoever may read it could take it.
  tightenFolder(folder);
  return lockFolder(storeFiles(folder).lock);
}

/** Errors: `data_read_only`, also if a file is in its place; `disk_full`. */
export function makeFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') throw notAFolder(folder, cause);
    const mapped = mapSystemError(cause);
    if (mapped instanceof BroadsheetError && mapped.code !== 'data_read_only') throw mapped;
    throw new BroadsheetError(
      'data_read_only',
      "Can't create the data folder. Check the path and its permissions, or choose another folder.",
      { cause },
    );
  }
}

/**
 * Allows one writer per data folder. The lock is an open exclusive transaction on a separate file. The operating system
 * releases it with the process, even after a crash, so there are no stale locks and no process ids to check. Errors:
 * `data_in_use`, `data_read_only`; `data_unreadable` if something else is in the place of the lock file.
 */
export function lockFolder(file: string): FolderLock {
  checkPlace(file);
  try {
    return lock(file);
  } catch (error) {
    if (!isCorruption(error)) throw inUse(error);
    // The lock file is always empty. One with content is not ours, so nobody can hold the lock.
    rmSync(file);
    return lockFolder(file);
  }
}

function notAFolder(folder: string, cause: unknown): BroadsheetError {
  const words = `${folder} can't be the data folder, because it is a file or a link, or inside one. Choose another one.`;
  return new BroadsheetError('data_read_only', words, { retryable: true, cause });
}

function lock(file: string): FolderLock {
  createLockFile(file);
  const database = new Database(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => database.close() };
}

/** SQLite explains better than the system why a file can't be created. */
function createLockFile(file: string): void {
  try {
    if (!existsSync(file)) makePrivateFile(file);
  } catch {
    // Opening it fails, too.
  }
}

/** Maps a busy lock to `data_in_use`; other errors stay as they are. */
function inUse(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError) || !/^SQLITE_(BUSY|LOCKED)/.test(error.code)) return error;
  return new BroadsheetError(
    'data_in_use',
    'Broadsheet is already running with this data folder. Switch to it, close it, or choose another folder.',
    { retryable: true, cause: error },
  );
}

/**
 * Checks that a folder is writable and not open elsewhere, by taking its lock briefly. Leaves no files behind. Errors:
 * `data_in_use`, `data_read_only`.
 */
export function checkFolder(folder: string): void {
  const { lock: file } = storeFiles(folder);
  const wasThere = existsSync(file);
  lockFolder(file).release();
  if (!wasThere) rmSync(file, { force: true });
}

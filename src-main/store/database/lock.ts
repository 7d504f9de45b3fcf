import Database from 'better-sqlite3';
import { existsSync, rmSync } from 'node:fs';
import { BroadsheetError } from '../../contract/errors.ts';
import { isCorruption } from './errors.ts';
import { mapSystemError } from '../../common/system-errors.ts';
import { storeFiles, makePrivateFile, makePrivateFolder, tightenFolder } from './files.ts';
import { checkPlace } from './places.ts';

export interface FolderLock {
  release(): void;
}

/** Creates a missing data folder, closes it to other users of this computer, and locks it. Errors: as {@link lockFolder}. */
export function lockDataFolder(folder: string): FolderLock {
  makeFolder(folder);
  // Before locking: users who may read the file could take the lock.
  tightenFolder(folder);
  return lockFolder(storeFiles(folder).lock);
}

/** Errors: `data_read_only`, also if a file is in its place; `disk_full`. */
export function makeFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') throw noFolderError(folder, cause);
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
 * Allows one writer per data folder. The lock is an open exclusive transaction on a separate file: the operating system
 * releases it with the process, even after a crash, so there are no stale locks and no process ids. Errors: `data_in_use`,
 * `data_read_only`; `data_unreadable` if something else is in the place of the lock file.
 */
export function lockFolder(file: string): FolderLock {
  checkPlace(file);
  try {
    return lock(file);
  } catch (error) {
    if (!isCorruption(error)) throw mapBusy(error);
    // The lock file is always empty. One with content is not ours, and no lock.
    rmSync(file);
    return lockFolder(file);
  }
}

function noFolderError(folder: string, cause: unknown): BroadsheetError {
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

function createLockFile(file: string): void {
  try {
    if (!existsSync(file)) makePrivateFile(file);
  } catch {
    // Opening it fails, too, and SQLite's error explains it better.
  }
}

/** Maps a busy lock to `data_in_use`; other errors stay as they are. */
function mapBusy(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError) || !/^SQLITE_(BUSY|LOCKED)/.test(error.code)) return error;
  return new BroadsheetError(
    'data_in_use',
    'Broadsheet is already running with this data folder. Switch to it, close it, or choose another folder.',
    { retryable: true, cause: error },
  );
}

/** Takes the lock briefly, and leaves no files behind. Errors: `data_in_use`, `data_read_only`. */
export function checkFolder(folder: string): void {
  const { lock: file } = storeFiles(folder);
  const wasThere = existsSync(file);
  lockFolder(file).release();
  if (!wasThere) rmSync(file, { force: true });
}

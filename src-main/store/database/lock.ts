import Database from 'better-sqlite3';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import { isCorruption, isLocked } from './errors.ts';
import { mapSystemError } from '../../common/system-errors.ts';
import { assertNoObstacle, makePrivateFile, makePrivateFolder, storeFiles, tightenFolder } from './files.ts';

export interface FolderLock {
  release(): void;
}

/** `name` is another lock than that of the databases. */
export function lockDataFolder(folder: string, name?: string): FolderLock {
  makeFolder(folder);
  // Before locking: users who may read the file could take the lock.
  tightenFolder(folder);
  return lockFolder(name === undefined ? storeFiles(folder).lock : join(folder, name));
}

/** Errors: `data_read_only`, `disk_full`. */
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

/** The system ends this open transaction with the process, even after a crash. Errors: `data_in_use`, `data_read_only`. */
export function lockFolder(file: string): FolderLock {
  assertNoObstacle(file);
  try {
    return lock(file);
  } catch (error) {
    if (isLocked(error)) throw inUseError(error);
    if (!isCorruption(error)) throw error;
    // A lock file is always empty: this one is not ours.
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

function inUseError(cause: unknown): BroadsheetError {
  return new BroadsheetError(
    'data_in_use',
    'Broadsheet is already running with this data folder. Switch to it, close it, or choose another folder.',
    { retryable: true, cause },
  );
}

/** Leaves no files behind. */
export function checkFolder(folder: string): void {
  const { lock: file } = storeFiles(folder);
  const wasThere = existsSync(file);
  lockFolder(file).release();
  if (!wasThere) rmSync(file, { force: true });
}

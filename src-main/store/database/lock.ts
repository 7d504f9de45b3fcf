import Database from 'better-sqlite3';
import { existsSync, rmSync } from 'node:fs';
import { BroadsheetError } from '../../contract/errors.ts';
import { isCorruption } from './corruption.ts';
import { storeFiles } from './files.ts';

/**
 * One writer a data folder. The lock is an open exclusive transaction on a file of its own: the operating system ends it
 * with the process, however that dies, so there is no stale lock to clean up and no process id to guess about.
 * Errors: `data_in_use`, `data_read_only`.
 */
export function lockFolder(file: string): { release(): void } {
  try {
    return lock(file);
  } catch (error) {
    if (!isCorruption(error)) throw inUse(error);
    // It is always empty: whatever is in it was put there by something else, and nobody can hold it.
    rmSync(file);
    return lockFolder(file);
  }
}

function lock(file: string): { release(): void } {
  const database = new Database(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => database.close() };
}

/** In words for a folder that is in use; every other error as it is. */
function inUse(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError) || !/^SQLITE_(BUSY|LOCKED)/.test(error.code)) return error;
  return new BroadsheetError(
    'data_in_use',
    'Broadsheet is already running with this data folder. Use that one, close it first, or choose another folder.',
    { retryable: true, cause: error },
  );
}

/**
 * Whether a folder can be written to and nobody else has it open, as far as taking its lock tells. Leaves nothing behind.
 * Errors: `data_in_use`, `data_read_only`.
 */
export function checkFolder(folder: string): void {
  const { lock: file } = storeFiles(folder);
  const wasThere = existsSync(file);
  lockFolder(file).release();
  if (!wasThere) rmSync(file, { force: true });
}

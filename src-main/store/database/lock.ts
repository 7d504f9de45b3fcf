import Database from 'better-sqlite3';
import { rmSync } from 'node:fs';
import { BroadsheetError } from '../../contract/errors.ts';
import { isCorruption } from './corruption.ts';
import { explainStoreError } from './errors.ts';

/**
 * One writer a data folder. The lock is an open exclusive transaction on a file of its own: the operating system ends it
 * with the process, however that dies, so there is no stale lock to clean up and no process id to guess about.
 * Errors: `data_in_use`, `data_read_only`.
 */
export function lockFolder(file: string): { release(): void } {
  try {
    return lock(file);
  } catch (error) {
    if (!isCorruption(error)) throw explained(error);
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

function explained(error: unknown): unknown {
  const known = explainStoreError(error);
  if (!(known instanceof BroadsheetError) || known.code !== 'data_in_use') return known;
  return new BroadsheetError(
    'data_in_use',
    'Broadsheet is already running with this data folder. Use that one, close it first, or choose another folder.',
    { retryable: true, cause: error },
  );
}

import Database from 'better-sqlite3';
import { existsSync, renameSync } from 'node:fs';
import { removeDatabase } from './files.ts';

/**
 * Makes a file that is not there as an empty database, and lets it appear under its name only when it is one. So no crash at
 * a first start leaves a file without content, and one that is found can only have lost it.
 */
export function makeDatabase(file: string): void {
  if (existsSync(file)) return;
  const unfinished = `${file}-new`;
  // A start before this one may have been cut short here.
  removeDatabase(unfinished);
  const database = new Database(unfinished);
  try {
    // Writes the first page.
    database.pragma('journal_mode = WAL');
  } finally {
    database.close();
  }
  renameSync(unfinished, file);
}

import Database from 'better-sqlite3';
import { existsSync, renameSync } from 'node:fs';
import { removeDatabase } from './files.ts';
import { makePrivateFile } from './private-files.ts';
import { stamp, type Role } from './identity.ts';

/**
 * Creates a missing database. The file gets its final name only once it is valid, so a crash at first start leaves no
 * empty file, and an empty file always means lost content.
 */
export function makeDatabase(file: string, role: Role): void {
  if (existsSync(file)) return;
  const unfinished = `${file}-new`;
  // An earlier start may have been interrupted here.
  removeDatabase(unfinished);
  makePrivateFile(unfinished);
  const database = new Database(unfinished);
  try {
    // Writes the first page.
    database.pragma('journal_mode = WAL');
    stamp(database, role);
  } finally {
    database.close();
  }
  renameSync(unfinished, file);
}

/** Loads SQLite, which else the first database that a thread opens does. Errors: what loading it throws. */
export function loadSqlite(): void {
  new Database(':memory:').close();
}

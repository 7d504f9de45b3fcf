import Database from 'better-sqlite3';

/** Loads the native module, which else the first database that a thread opens does. Errors: what loading it throws. */
export function loadSqlite(): void {
  new Database(':memory:').close();
}

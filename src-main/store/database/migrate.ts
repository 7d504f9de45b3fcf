import type { Database } from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';

/**
 * Brings a database to the newest version, one transaction a migration; `PRAGMA user_version` counts those that have run.
 * Errors: `data_newer` where a newer Broadsheet has written the file.
 */
export function migrate(database: Database, schema: string, migrations: readonly string[]): void {
  const version = schemaVersion(database, schema);
  if (version > migrations.length) throw newerThanThis(schema);
  migrations.slice(version).forEach((sql, index) => {
    database.transaction(() => {
      database.exec(inSchema(sql, schema));
      database.pragma(`${schema}.user_version = ${String(version + index + 1)}`);
    })();
  });
}

/** The files whose names differ from those of their schemas. */
const FILE_NAMES: Readonly<Record<string, string>> = { main: 'mirror.db', fetchLog: 'fetch-log.db' };

export function newerThanThis(schema: string): BroadsheetError {
  const file = FILE_NAMES[schema] ?? `${schema}.db`;
  return new BroadsheetError(
    'data_newer',
    `The file ${file} was written by a newer Broadsheet. Install that version, or choose another data folder.`,
  );
}

export function schemaVersion(database: Database, schema: string): number {
  return database.pragma(`${schema}.user_version`, { simple: true }) as number;
}

/**
 * CREATE statements name no schema, so that each migration reads as for a file by itself. Others have to name it: without
 * one a table of the same name in another file would be found first.
 */
function inSchema(sql: string, schema: string): string {
  return sql.replace(/\bCREATE (TABLE|INDEX|UNIQUE INDEX) (?=\w)/g, `CREATE $1 ${schema}.`);
}

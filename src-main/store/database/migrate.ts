import type { Database } from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';

/** Runs each migration in its own transaction. Errors: `data_newer` if a newer Broadsheet has written the file. */
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

const FILE_NAMES: Readonly<Record<string, string>> = { main: 'mirror.db', fetchLog: 'fetch-log.db' };

export function newerThanThis(schema: string): BroadsheetError {
  const file = FILE_NAMES[schema] ?? `${schema}.db`;
  return new BroadsheetError(
    'data_newer',
    `The file ${file} was written by a newer version of Broadsheet. Install that version, or choose another data folder.`,
  );
}

export function schemaVersion(database: Database, schema: string): number {
  return database.pragma(`${schema}.user_version`, { simple: true }) as number;
}

/** Returns the SQL that creates the tables of a file in another schema. */
export function tablesSql(schema: string, migrations: readonly string[], target: string): string {
  return migrations.map((sql) => inSchema(sql.replaceAll(`${schema}.`, `${target}.`), target)).join('\n');
}

/**
 * Adds the schema to CREATE statements, which omit it to read like those of a standalone file. Other statements must name it,
 * or SQLite may find a table of the same name in another file.
 */
function inSchema(sql: string, schema: string): string {
  return sql.replace(/\bCREATE (TABLE|INDEX|UNIQUE INDEX) (?=\w)/g, `CREATE $1 ${schema}.`);
}

/** The database files of a data folder: their names, their versions, and the migrations that create their tables. */
import type { Database } from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';
import { MIRROR_001 } from '../migrations/mirror-001.ts';
import { USER_001 } from '../migrations/user-001.ts';

export const ROLES = ['mirror', 'user', 'search'] as const;
export type Role = (typeof ROLES)[number];

/** The name under which a database is attached to a connection to the mirror. */
export type Schema = 'main' | Exclude<Role, 'mirror'>;

interface FileRules {
  name: string;
  /** `PRAGMA application_id` as letters, which the command `file` shows, too. Those of earlier development were others. */
  id: string;
  /** One a version, each in a numbered file. Files of readers have them, so they are never edited (docs/decisions/004). */
  migrations: readonly string[];
  /** `kept`: can't be downloaded again. `derived`: from the mirror, so nothing is lost with it. */
  origin: 'kept' | 'downloaded' | 'derived';
  held: string;
  cure: string;
}

/** Everything that differs from file to file, once they are opened (docs/decisions/004). */
export const FILES: Readonly<Record<Role, FileRules>> = {
  mirror: {
    name: 'mirror.db',
    id: 'BrMi',
    migrations: [MIRROR_001],
    origin: 'downloaded',
    held: 'the downloaded news, also what the news service no longer offers',
    cure: 'It downloads its content again.',
  },
  user: {
    name: 'user.db',
    id: 'BrUs',
    migrations: [USER_001],
    origin: 'kept',
    held: 'what you read, starred and wrote, and the history of models',
    cure: 'Then `broadsheet status` names the latest backup to restore, if there is one.',
  },
  search: {
    name: 'search.db',
    id: 'BrSe',
    // Another layout is built again (search/search-index.ts).
    migrations: [],
    origin: 'derived',
    held: 'the search index',
    cure: 'It builds its content again.',
  },
};

export const LOCK_WAIT_MS = 2_000;

export function schemaOf(role: Role): Schema {
  return role === 'mirror' ? 'main' : role;
}

/** Returns '' for a database in memory or one that is not attached. */
export function fileOf(database: Database, role: Role): string {
  const attached = database.pragma('database_list') as { name: string; file: string }[];
  return attached.find(({ name }) => name === schemaOf(role))?.file ?? '';
}

export function newestVersion(role: Role): number {
  return FILES[role].origin === 'derived' ? Infinity : FILES[role].migrations.length;
}

export function schemaVersion(database: Database, schema: string): number {
  return database.pragma(`${schema}.user_version`, { simple: true }) as number;
}

/** Runs each migration in its own transaction. Errors: `data_newer` if a newer Broadsheet has written the file. */
export function migrate(database: Database, schema: string, migrations: readonly string[]): void {
  const version = schemaVersion(database, schema);
  if (version > migrations.length) throw newerThanThis(ROLES.find((role) => schemaOf(role) === schema) ?? 'mirror');
  migrations.slice(version).forEach((sql, index) => {
    database.transaction(() => {
      database.exec(inSchema(sql, schema));
      database.pragma(`${schema}.user_version = ${String(version + index + 1)}`);
    })();
  });
}

export function newerThanThis(role: Role): BroadsheetError {
  return new BroadsheetError(
    'data_newer',
    `The file ${FILES[role].name} was written by a newer version of Broadsheet. Install that version, or choose another data folder.`,
  );
}

/** Statements other than CREATE name the schema, or SQLite may find a table of the same name in another file. */
function inSchema(sql: string, schema: string): string {
  return sql.replace(/\bCREATE (TABLE|INDEX|UNIQUE INDEX) (?=\w)/g, `CREATE $1 ${schema}.`);
}

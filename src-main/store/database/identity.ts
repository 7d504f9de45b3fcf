import Database, { type Database as Connection } from 'better-sqlite3';
import { closeSync, openSync, readSync } from 'node:fs';
import { LIST_INDEX_SQL } from '../lists/list-indexes.ts';
import { canBeSearched, SEARCH_LAYOUT, searchTables } from '../search/search-index.ts';
import { mayBeDamage } from './errors.ts';
import { FETCH_LOG_MIGRATIONS } from './migrations/fetch-log.ts';
import { MIRROR_MIGRATIONS } from './migrations/mirror.ts';
import { MODELS_MIGRATIONS } from './migrations/models.ts';
import { USER_MIGRATIONS } from './migrations/user.ts';

/** The databases of a data folder, by the property of `StoreFiles` that has their path. */
export const ROLES = ['mirror', 'user', 'fetchLog', 'search', 'models'] as const;
export type Role = (typeof ROLES)[number];

/** `PRAGMA application_id` of each file: the letters Bs and two of its name. `file` shows it, too. */
const APPLICATION_IDS: Readonly<Record<Role, number>> = {
  mirror: idOf('BsMi'),
  user: idOf('BsUs'),
  fetchLog: idOf('BsFl'),
  search: idOf('BsSe'),
  models: idOf('BsMo'),
};

export const FILE_NAMES: Readonly<Record<Role, string>> = {
  mirror: 'mirror.db',
  user: 'user.db',
  fetchLog: 'fetch-log.db',
  search: 'search.db',
  models: 'models.db',
};

/** The search index has no migrations: another layout is built again (search/search-index.ts). */
const MIGRATIONS: Readonly<Record<Role, readonly string[]>> = {
  mirror: MIRROR_MIGRATIONS,
  user: USER_MIGRATIONS,
  fetchLog: FETCH_LOG_MIGRATIONS,
  search: [],
  models: MODELS_MIGRATIONS,
};

/** The name under which the database is attached to a connection to the mirror. */
export function schemaOf(role: Role): string {
  return role === 'mirror' ? 'main' : role;
}

/** Whose database is attached under a name of {@link schemaOf}. */
export function roleOfSchema(schema: string): Role {
  return ROLES.find((role) => schemaOf(role) === schema) ?? 'mirror';
}

/** The newest version that this Broadsheet knows. */
export function newestVersion(role: Role): number {
  return role === 'search' ? Infinity : MIGRATIONS[role].length;
}

/** Whose database this is by its application id; null if it has none or an unknown one. */
export function roleOf(database: Connection, schema = 'main'): Role | null {
  const id = applicationId(database, schema);
  return ROLES.find((role) => APPLICATION_IDS[role] === id) ?? null;
}

/** {@link roleOf} of a file that nobody opens, from its first bytes: SQLite would apply the log beside it. */
export function roleInHeader(file: string): Role | null {
  const header = Buffer.alloc(72);
  const handle = openSync(file, 'r');
  try {
    if (readSync(handle, header) < header.length || !header.toString('latin1').startsWith('SQLite format 3'))
      return null;
  } finally {
    closeSync(handle);
  }
  const id = header.readInt32BE(68);
  return ROLES.find((role) => APPLICATION_IDS[role] === id) ?? null;
}

/** Writes the application id if the file has another one. */
export function stamp(database: Connection, role: Role, schema = 'main'): void {
  const id = APPLICATION_IDS[role];
  if (applicationId(database, schema) !== id) database.pragma(`${schema}.application_id = ${String(id)}`);
}

/** The objects of a database by name, each with all that its row in the schema says: see {@link objectText}. */
type Objects = ReadonlyMap<string, string>;

/**
 * Whether a database is what its place says. `foreign`: it is another file of Broadsheet, or of another program.
 * `incomplete`: tables or indexes are missing, or are others than those that are created here. A file that was created but
 * not used yet has no tables. Errors: SQLite's.
 */
export function identify(database: Connection, role: Role, schema = 'main'): 'expected' | 'foreign' | 'incomplete' {
  const owner = roleOf(database, schema);
  if (owner !== null && owner !== role) return 'foreign';
  const version = database.pragma(`${schema}.user_version`, { simple: true }) as number;
  const found = objectsIn(database, schema);
  // Version and tables are written in one transaction.
  if (version === 0 && found.size === 0) return owner === role ? 'expected' : 'foreign';
  if (role === 'search') return identifyIndex(database, schema, { found, owner, version });
  const isOther = [...expectedObjects(role, version)].some(([name, text]) => found.get(name) !== text);
  if (!isOther && version > 0) return role === 'mirror' && hasOtherListIndex(found) ? 'incomplete' : 'expected';
  return owner === role ? 'incomplete' : 'foreign';
}

interface FoundIndex {
  found: Objects;
  owner: Role | null;
  version: number;
}

/** An index of another layout is built again when it is opened, so only its tables' names count. */
function identifyIndex(database: Connection, schema: string, { found, owner, version }: FoundIndex) {
  if (owner !== 'search' && !found.has('item_text')) return 'foreign';
  if (version !== SEARCH_LAYOUT) return 'expected';
  if ([...searchObjects()].some(([name, text]) => found.get(name) !== text)) return 'incomplete';
  try {
    return canBeSearched(database, schema) ? 'expected' : 'incomplete';
  } catch (error) {
    if (mayBeDamage(error)) return 'incomplete';
    throw error;
  }
}

let ofSearch: Objects | undefined;

/** Those of the present layout. FTS5 adds tables of its own, which only creating them tells. */
function searchObjects(): Objects {
  if (ofSearch) return ofSearch;
  const database = new Database(':memory:');
  try {
    database.exec(searchTables('main'));
    return (ofSearch = objectsIn(database, 'main'));
  } finally {
    database.close();
  }
}

/** These indexes come and go, but one that is there is as it was created. */
function hasOtherListIndex(found: Objects): boolean {
  return [...LIST_INDEX_SQL].some(
    ([name, sql]) => found.has(name) && found.get(name) !== expectedText(normalForm(sql)),
  );
}

function objectsIn(database: Connection, schema: string): Objects {
  const rows = database
    .prepare<[], Parameters<typeof objectText>[0]>(
      `SELECT type, name, tbl_name AS owner, sql FROM ${schema}.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'`,
    )
    .all();
  return new Map(rows.map((row) => [row.name, objectText(row)]));
}

/**
 * The tables and indexes that the migrations up to `version` create, with their normalised SQL. A test compares this
 * with a migrated database.
 */
export function expectedObjects(role: Role, version: number): Objects {
  const statements = MIGRATIONS[role].slice(0, version).flatMap((sql) => normalForm(sql).split('; '));
  return new Map(
    statements.flatMap((sql) => {
      const name = CREATED.exec(sql)?.groups?.['name'];
      return name === undefined ? [] : [[name, expectedText(sql.replace(/;$/, ''))] as const];
    }),
  );
}

const CREATED = /^CREATE (?:UNIQUE )?(?<type>TABLE|INDEX) (?<name>\w+)(?: ON (?<owner>\w+))?/;

/** Returns the entry of the schema for an object that this SQL creates. */
function expectedText(sql: string): string {
  const { type = '', name = '', owner = name } = CREATED.exec(sql)?.groups ?? {};
  return objectText({ type: type.toLowerCase(), name, owner, sql });
}

/** `owner` is the table that an index belongs to. */
function objectText({ type, owner, sql }: { type: string; name: string; owner: string; sql: string }): string {
  return `${type} of ${owner}: ${normalForm(sql)}`;
}

/** SQL without comments and with single spaces: an edited comment is no other table. */
function normalForm(sql: string): string {
  return sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').replace(/ ?; ?/g, '; ').trim();
}

function applicationId(database: Connection, schema: string): number {
  return database.pragma(`${schema}.application_id`, { simple: true }) as number;
}

function idOf(letters: string): number {
  return Buffer.from(letters, 'latin1').readInt32BE();
}

import Database, { type Database as Connection } from 'better-sqlite3';
import { closeSync, openSync, readSync } from 'node:fs';
import { LIST_INDEX_SQL } from '../lists/list-indexes.ts';
import { canBeSearched, SEARCH_LAYOUT, searchTables } from '../search/search-index.ts';
import { mayBeDamage } from './errors.ts';
import { FETCH_LOG_MIGRATIONS } from '../migrations/fetch-log.ts';
import { MIRROR_MIGRATIONS } from '../migrations/mirror.ts';
import { MODELS_MIGRATIONS } from '../migrations/models.ts';
import { USER_MIGRATIONS } from '../migrations/user.ts';

export const ROLES = ['mirror', 'user', 'fetchLog', 'search', 'models'] as const;
export type Role = (typeof ROLES)[number];

/** `PRAGMA application_id` of each file, which the command `file` shows, too. */
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

/** The search index has none: another layout is built again (search/search-index.ts). */
const MIGRATIONS: Readonly<Record<Role, readonly string[]>> = {
  mirror: MIRROR_MIGRATIONS,
  user: USER_MIGRATIONS,
  fetchLog: FETCH_LOG_MIGRATIONS,
  search: [],
  models: MODELS_MIGRATIONS,
};

/** Returns the name under which the database is attached to a connection to the mirror. */
export function schemaOf(role: Role): string {
  return role === 'mirror' ? 'main' : role;
}

export function roleOfSchema(schema: string): Role {
  return ROLES.find((role) => schemaOf(role) === schema) ?? 'mirror';
}

export function newestVersion(role: Role): number {
  return role === 'search' ? Infinity : MIGRATIONS[role].length;
}

/** Reads the application id; returns null for none or an unknown one. */
export function roleOf(database: Connection, schema = 'main'): Role | null {
  const id = applicationId(database, schema);
  return ROLES.find((role) => APPLICATION_IDS[role] === id) ?? null;
}

/** Does as {@link roleOf} without opening the database: SQLite would apply the log next to it. */
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

export function stamp(database: Connection, role: Role, schema = 'main'): void {
  const id = APPLICATION_IDS[role];
  if (applicationId(database, schema) !== id) database.pragma(`${schema}.application_id = ${String(id)}`);
}

type Objects = ReadonlyMap<string, string>;

/**
 * Returns `foreign` for another file of Broadsheet, or of another program; `incomplete` if tables or indexes are missing or
 * differ from those that are created here. A file that was created but not used yet has no tables. Errors: SQLite's.
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

/** An index of another layout is rebuilt when it is opened, so only the names of its tables count. */
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

/** Creates an index to get its objects, because FTS5 adds its own tables. */
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

/** List indexes come and go, but one that is there must be as it was created. */
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

/** Returns the objects that the migrations up to `version` create. A test compares them with a migrated database. */
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

function expectedText(sql: string): string {
  const { type = '', name = '', owner = name } = CREATED.exec(sql)?.groups ?? {};
  return objectText({ type: type.toLowerCase(), name, owner, sql });
}

function objectText({ type, owner, sql }: { type: string; name: string; owner: string; sql: string }): string {
  return `${type} of ${owner}: ${normalForm(sql)}`;
}

/** Removes comments and line breaks: an edited comment is no other table. */
function normalForm(sql: string): string {
  return sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').replace(/ ?; ?/g, '; ').trim();
}

function applicationId(database: Connection, schema: string): number {
  return database.pragma(`${schema}.application_id`, { simple: true }) as number;
}

function idOf(letters: string): number {
  return Buffer.from(letters, 'latin1').readInt32BE();
}

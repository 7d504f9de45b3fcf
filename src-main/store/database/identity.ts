import Database, { type Database as Connection } from 'better-sqlite3';
import { closeSync, openSync, readSync } from 'node:fs';
import { LIST_INDEX_SQL } from '../lists/list-indexes.ts';
import { canBeSearched, SEARCH_LAYOUT, searchTables } from '../search/search-index.ts';
import { MIGRATIONS, ROLES, schemaVersion, type Role } from './databases.ts';
import { mayBeDamage } from './errors.ts';

/** `PRAGMA application_id`, which the command `file` shows, too. Those of earlier development were others. */
const APPLICATION_IDS: Readonly<Record<Role, number>> = {
  mirror: idOf('BrMi'),
  user: idOf('BrUs'),
  search: idOf('BrSe'),
};

export function roleOf(database: Connection, schema = 'main'): Role | null {
  const id = applicationId(database, schema);
  return ROLES.find((role) => APPLICATION_IDS[role] === id) ?? null;
}

/** Doesn't open the database, because SQLite would apply the log next to it. */
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

export function setRole(database: Connection, role: Role, schema = 'main'): void {
  const id = APPLICATION_IDS[role];
  if (applicationId(database, schema) !== id) database.pragma(`${schema}.application_id = ${String(id)}`);
}

type Objects = ReadonlyMap<string, string>;

/** `foreign`: of another role or program. `incomplete`: tables or indexes are missing, or not as they were created. */
export function identify(database: Connection, role: Role, schema = 'main'): 'expected' | 'foreign' | 'incomplete' {
  const owner = roleOf(database, schema);
  if (owner !== null && owner !== role) return 'foreign';
  const version = schemaVersion(database, schema);
  const found = objectsIn(database, schema);
  // Created but not used yet: version and tables are written in one transaction.
  if (version === 0 && found.size === 0) return owner === role ? 'expected' : 'foreign';
  if (role === 'search') {
    if (owner !== 'search' && !found.has('item_text')) return 'foreign';
    // An index of another layout is rebuilt when it is opened.
    return version !== SEARCH_LAYOUT || isWholeIndex(database, schema, found) ? 'expected' : 'incomplete';
  }
  const isOther = [...expectedObjects(role, version)].some(([name, text]) => found.get(name) !== text);
  if (!isOther && version > 0) return role === 'mirror' && hasOtherListIndex(found) ? 'incomplete' : 'expected';
  return owner === role ? 'incomplete' : 'foreign';
}

function isWholeIndex(database: Connection, schema: string, found: Objects): boolean {
  if ([...searchObjects()].some(([name, text]) => found.get(name) !== text)) return false;
  try {
    return canBeSearched(database, schema);
  } catch (error) {
    if (mayBeDamage(error)) return false;
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

/** Not all list indexes have to be there. */
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

/** Exported for the test that compares it with a migrated database. */
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

/** An edited comment is no other table. */
function normalForm(sql: string): string {
  return sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').replace(/ ?; ?/g, '; ').trim();
}

function applicationId(database: Connection, schema: string): number {
  return database.pragma(`${schema}.application_id`, { simple: true }) as number;
}

function idOf(letters: string): number {
  return Buffer.from(letters, 'latin1').readInt32BE();
}

import Database, { type Database as Connection } from 'better-sqlite3';
import { closeSync, openSync, readSync } from 'node:fs';
import { LIST_INDEX_SQL } from '../lists/list-indexes.ts';
import { trySearch, SEARCH_LAYOUT, searchTables } from '../search/search-index.ts';
import { FILES, newestVersion, ROLES, schemaVersion, type Role } from './databases.ts';
import { mirrorProperties } from './properties.ts';

function roleOf(database: Connection, schema = 'main'): Role | null {
  const id = applicationId(database, schema);
  return ROLES.find((role) => idOf(FILES[role].id) === id) ?? null;
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
  return ROLES.find((role) => idOf(FILES[role].id) === id) ?? null;
}

export function setRole(database: Connection, role: Role, schema = 'main'): void {
  const id = idOf(FILES[role].id);
  if (applicationId(database, schema) !== id) database.pragma(`${schema}.application_id = ${String(id)}`);
}

type Objects = ReadonlyMap<string, string>;

/** Above this, the number in the file is damaged. */
const IMPOSSIBLE_VERSION = 10_000;

export type ContentState = 'usable' | 'damaged' | 'newer' | 'foreign';

/** Doesn't check all pages. `damaged`: tables or indexes are missing, or not as they were created. Throws for a damaged page. */
export function contentState(database: Connection, role: Role, schema = 'main'): ContentState {
  const owner = roleOf(database, schema);
  const version = schemaVersion(database, schema);
  if (version > IMPOSSIBLE_VERSION) return 'damaged';
  // Without our id it is no later version of this file.
  if (version > newestVersion(role)) return owner === role ? 'newer' : 'foreign';
  const found = objectsIn(database, schema);
  // A search index of another layout is rebuilt when it is opened.
  if (role === 'search' && owner === role && version !== SEARCH_LAYOUT) return 'usable';
  // Created but not used yet: version and tables are written in one transaction.
  if (version === 0 && owner === role && found.size === 0) return 'usable';
  if (version > 0 && hasItsObjects(database, role, schema, found)) return 'usable';
  return owner === role ? 'damaged' : 'foreign';
}

function hasItsObjects(database: Connection, role: Role, schema: string, found: Objects): boolean {
  const expected = expectedObjects(role, schemaVersion(database, schema));
  const isAsExpected = (name: string, text: string): boolean =>
    found.get(name) === text || (LIST_INDEX_SQL.has(name) && !found.has(name));
  if (![...expected].every(([name, text]) => isAsExpected(name, text))) return false;
  // The name of the service and the index must be readable.
  if (role === 'mirror') mirrorProperties.get(database, 'source');
  if (role === 'search') trySearch(database, schema);
  return true;
}

/** May throw instead of returning false. */
export function isSound(database: Connection, schema = 'main'): boolean {
  return database.pragma(`${schema}.integrity_check(1)`, { simple: true }) === 'ok';
}

function objectsIn(database: Connection, schema: string): Objects {
  const rows = database
    .prepare<[], Parameters<typeof objectText>[0]>(
      `SELECT type, name, tbl_name AS owner, sql FROM ${schema}.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'`,
    )
    .all();
  return new Map(rows.map((row) => [row.name, objectText(row)]));
}

const known = new Map<string, Objects>();

/** Creates such a database in memory, because a migration may alter tables, and FTS5 adds its own. */
export function expectedObjects(role: Role, version: number): Objects {
  const sql = statementsOf(role, version).join(';\n');
  const found = known.get(sql);
  if (found) return found;
  const database = new Database(':memory:');
  try {
    database.exec(sql);
    const objects = objectsIn(database, 'main');
    known.set(sql, objects);
    return objects;
  } finally {
    database.close();
  }
}

/** The indexes of lists are those of the newest version, so an earlier one may lack their columns. */
function statementsOf(role: Role, version: number): string[] {
  if (role === 'search') return [searchTables('main')];
  const migrations = FILES[role].migrations.slice(0, version);
  return role === 'mirror' && version === newestVersion(role)
    ? [...migrations, ...LIST_INDEX_SQL.values()]
    : migrations;
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

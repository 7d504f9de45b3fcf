import type { Database as Connection } from 'better-sqlite3';
import { findDisagreements } from './derived-data.ts';
import { damaged, isCorruption, mayBeDamage } from './errors.ts';
import { addMarker, corruptionMarker, repairMarker } from './files.ts';
import { FILE_NAMES, identify, roleOfSchema, ROLES, schemaOf, type Role } from './identity.ts';
import { tablesSql } from './migrate.ts';
import { FETCH_LOG_MIGRATIONS } from './migrations/fetch-log.ts';
import { markForCheck } from './stored-json.ts';

/**
 * The databases whose content can be downloaded or built again. They are set aside if damage is found while they are in
 * use.
 */
const REPLACEABLE = ['mirror', 'search', 'fetchLog'] as const satisfies Role[];

/** The files that lists, texts and marks do without. */
const SPARED = ['search', 'fetchLog'] as const satisfies Role[];

/** The files of a connection in whose place is a stand-in. */
const standIns = new WeakMap<Connection, Role[]>();

/** The connections whose files were examined after an error that may have another cause than damage. */
const examined = new WeakSet<Connection>();

/**
 * Call it with every error of a connection, and throw what it returns. After an error that may be damage it examines the
 * files, because the error doesn't name one, and marks each damaged one that can be replaced, so that the next start sets
 * it aside: about a second for 100,000 items. Without corruption that is done once for a connection: a mistake in a
 * statement would cost it each time. If none is damaged, a complete check becomes due, which also looks at rows.
 */
export function noteDamage(thrown: unknown, database: Connection): unknown {
  if (!mayBeDamage(thrown)) return thrown;
  if (!isCorruption(thrown)) {
    const missing = standInsOf(database);
    if (missing.length > 0) return damaged(namesOf(missing), thrown, 'is missing or damaged');
    if (examined.has(database)) return thrown;
    examined.add(database);
  }
  const found = ROLES.filter((role) => fileOf(database, schemaOf(role)) !== '' && !isWhole(database, role));
  const replaceable = found.filter(isReplaceable);
  for (const role of replaceable) markReplaceable(role, fileOf(database, schemaOf(role)));
  // SQLite also stumbles over JSON in a row, and over damage in a file that can't be replaced here.
  if (replaceable.length === 0) markForCheck(database);
  return found.length === 0 ? thrown : damaged(namesOf(found), thrown);
}

/** A file that another program has locked is examined by the next start. */
function isWhole(database: Connection, role: Role): boolean {
  try {
    return identify(database, role, schemaOf(role)) === 'expected' && isSound(database, schemaOf(role));
  } catch (error) {
    return !mayBeDamage(error);
  }
}

/** Whether a database passes SQLite's integrity check; `schema` is the name that it is attached under. */
export function isSound(database: Connection, schema = 'main'): boolean {
  try {
    return database.pragma(`${schema}.integrity_check(1)`, { simple: true }) === 'ok';
  } catch (error) {
    if (mayBeDamage(error)) return false;
    throw error;
  }
}

const MAX_MESSAGES = 20;

/** The tables of a database, for {@link findCorruption}. With the first one, unused pages are checked. */
export function tablesOf(database: Connection, schema: string): string[] {
  const sql = `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' ORDER BY rowid`;
  return ['sqlite_schema', ...database.prepare<[], string>(sql).pluck().all()];
}

/**
 * SQLite's messages about a damaged table and its indexes; empty for a sound one. They name tables and pages but no
 * contents. A table at a time, because nothing can interrupt SQLite in it: some 0.2 s for 100,000 items.
 */
export function findCorruption(database: Connection, schema: string, table: string): string[] {
  try {
    const rows = database.pragma(`${schema}.integrity_check(${quoted(table)})`) as {
      integrity_check: string;
    }[];
    const messages = rows
      .map((row) => row.integrity_check)
      .filter((message) => message !== 'ok')
      .slice(0, MAX_MESSAGES);
    if (messages.length > 0) markSchema(database, schema);
    return messages;
  } catch (error) {
    if (!mayBeDamage(error)) throw error;
    markSchema(database, schema);
    return [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * Messages about derived data that disagrees with its source, by the name of a check of {@link DISAGREEMENTS}; empty if
 * there is none. What is wrong is marked, so that the next start repairs or replaces it. Only a disagreement found twice
 * counts: two files never commit as one.
 */
export function findWrongData(database: Connection, what: string): string[] {
  try {
    const first = findDisagreements(database, what);
    if ([first.lost, first.repairable, first.search].every((messages) => messages.length === 0)) return [];
    const { lost, repairable, search } = findDisagreements(database, what);
    if (lost.length > 0) markSchema(database, 'main');
    if (search.length > 0) markSchema(database, 'search');
    const file = fileOf(database, 'main');
    if (repairable.length > 0 && file !== '') addMarker(repairMarker(file));
    return [...lost, ...repairable, ...search];
  } catch (error) {
    if (!mayBeDamage(error)) throw error;
    noteDamage(error, database);
    return [error instanceof Error ? error.message : String(error)];
  }
}

function quoted(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

function markSchema(database: Connection, schema: string): void {
  markReplaceable(roleOfSchema(schema), fileOf(database, schema));
}

/** Marks a damaged file, if it can be replaced and is one: the next start sets it aside. */
export function markReplaceable(role: Role, file: string): void {
  if (file !== '' && isReplaceable(role)) addMarker(corruptionMarker(file));
}

function namesOf(roles: readonly Role[]): string[] {
  return roles.map((role) => FILE_NAMES[role]);
}

function isReplaceable(role: Role): boolean {
  return REPLACEABLE.some((replaceable) => replaceable === role);
}

/** Empty for a database in memory or one that is not attached. */
function fileOf(database: Connection, schema: string): string {
  const attached = database.pragma('database_list') as { name: string; file: string }[];
  return attached.find(({ name }) => name === schema)?.file ?? '';
}

/** True if an unreadable file of this kind leaves the others readable. */
export function canBeSpared(role: Role): boolean {
  return SPARED.some((spared) => spared === role);
}

/**
 * Attaches an empty database in memory in the place of a file that can't be read. It has no tables: who needs one gets an
 * error that names the file, because nothing found would be a false answer. Of the fetch log, empty tables are made in the
 * schema `temp`, where statements that name no schema find them: reports and the status are shown without it. Only for a
 * connection that reads.
 */
export function standInFor(database: Connection, role: Role): void {
  const schema = schemaOf(role);
  if (fileOf(database, schema) !== '') database.exec(`DETACH DATABASE ${schema}`);
  database.exec(`ATTACH DATABASE ':memory:' AS ${schema}`);
  standIns.set(database, [...standInsOf(database), role]);
  if (role !== 'fetchLog') return;
  // A read-only connection can't write to a database that it attaches, not even in memory; it can to the schema `temp`.
  database.pragma('temp_store = MEMORY');
  database.exec(tablesSql('fetchLog', FETCH_LOG_MIGRATIONS, 'temp'));
}

/** The files of a connection that can't be read. */
export function standInsOf(database: Connection): readonly Role[] {
  return standIns.get(database) ?? [];
}

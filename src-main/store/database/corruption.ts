import type { Database as Connection } from 'better-sqlite3';
import { findDisagreements } from './derived-data.ts';
import { damagedError, isCorruption, mayBeDamage } from './errors.ts';
import { addMarker, corruptionMarker, repairMarker } from './files.ts';
import { FILE_NAMES, identify, roleOfSchema, ROLES, schemaOf, type Role } from './identity.ts';
import { tablesSql } from './migrate.ts';
import { FETCH_LOG_MIGRATIONS } from '../migrations/fetch-log.ts';
import { markForCheck } from './stored-json.ts';

/** The databases whose content can be downloaded or built again: set aside if damage is found while they are in use. */
const REPLACEABLE = ['mirror', 'search', 'fetchLog'] as const satisfies Role[];

/** The files that lists, texts and marks do without. */
const SPARED = ['search', 'fetchLog'] as const satisfies Role[];

const standIns = new WeakMap<Connection, Role[]>();

/** Connections whose files were examined after an error that may have another cause. */
const examined = new WeakSet<Connection>();

/**
 * Call it with every error of a connection, and throw what it returns. After a possible damage it examines all files, because
 * the error names none (about a second for 100,000 items), and marks the damaged replaceable ones, so that the next start
 * sets them aside. Without corruption that is done once for a connection: a mistake in a statement would cost it each time.
 * If no file is damaged, a complete check becomes due, which also reads rows.
 */
export function noteDamage(thrown: unknown, database: Connection): unknown {
  if (!mayBeDamage(thrown)) return thrown;
  if (!isCorruption(thrown)) {
    const missing = standInsOf(database);
    if (missing.length > 0) return damagedError(namesOf(missing), thrown, 'is missing or damaged');
    if (examined.has(database)) return thrown;
    examined.add(database);
  }
  const found = ROLES.filter((role) => fileOf(database, schemaOf(role)) !== '' && !isWhole(database, role));
  const replaceable = found.filter(isReplaceable);
  for (const role of replaceable) markReplaceable(role, fileOf(database, schemaOf(role)));
  // Also after broken JSON in a row, and damage in a file that can't be replaced here.
  if (replaceable.length === 0) markForCheck(database);
  return found.length === 0 ? thrown : damagedError(namesOf(found), thrown);
}

/** Returns true for a file that another program has locked: the next start examines it. */
function isWhole(database: Connection, role: Role): boolean {
  try {
    return identify(database, role, schemaOf(role)) === 'expected' && isSound(database, schemaOf(role));
  } catch (error) {
    return !mayBeDamage(error);
  }
}

/** Runs SQLite's integrity check; `schema` is the name that the database is attached under. */
export function isSound(database: Connection, schema = 'main'): boolean {
  try {
    return database.pragma(`${schema}.integrity_check(1)`, { simple: true }) === 'ok';
  } catch (error) {
    if (mayBeDamage(error)) return false;
    throw error;
  }
}

const MAX_MESSAGES = 20;

/** Returns the tables for {@link findCorruption}. With the first one, unused pages are checked. */
export function tablesOf(database: Connection, schema: string): string[] {
  const sql = `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' ORDER BY rowid`;
  return ['sqlite_schema', ...database.prepare<[], string>(sql).pluck().all()];
}

/** Messages name no contents. Takes one table, because SQLite can't be interrupted: 0.2 s for 100,000 items. */
export function findCorruption(database: Connection, schema: string, table: string): string[] {
  try {
    const rows = database.pragma(`${schema}.integrity_check('${table.replaceAll("'", "''")}')`) as {
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
 * Returns messages about derived data that disagrees with its source, and marks it, so that the next start repairs or replaces
 * it. Only a disagreement found twice counts: two files never commit as one.
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

function markSchema(database: Connection, schema: string): void {
  markReplaceable(roleOfSchema(schema), fileOf(database, schema));
}

/** Marks a damaged file for the next start, unless it can't be replaced or is in memory. */
export function markReplaceable(role: Role, file: string): void {
  if (file !== '' && isReplaceable(role)) addMarker(corruptionMarker(file));
}

function namesOf(roles: readonly Role[]): string[] {
  return roles.map((role) => FILE_NAMES[role]);
}

function isReplaceable(role: Role): boolean {
  return REPLACEABLE.some((replaceable) => replaceable === role);
}

/** Returns '' for a database in memory or one that is not attached. */
function fileOf(database: Connection, schema: string): string {
  const attached = database.pragma('database_list') as { name: string; file: string }[];
  return attached.find(({ name }) => name === schema)?.file ?? '';
}

export function canBeSpared(role: Role): boolean {
  return SPARED.some((spared) => spared === role);
}

/**
 * Attaches an empty database in memory in place of an unreadable file, for a connection that reads. It has no tables, so that
 * statements fail with an error that names the file instead of finding nothing. The fetch log gets empty tables in the
 * schema `temp`, where statements that name no schema find them: reports and the status can do without it.
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

export function standInsOf(database: Connection): readonly Role[] {
  return standIns.get(database) ?? [];
}

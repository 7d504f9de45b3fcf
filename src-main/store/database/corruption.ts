import Database, { type Database as Connection } from 'better-sqlite3';
import { findDisagreements } from './derived-data.ts';
import { addMarker, corruptionMarker, repairMarker } from './files.ts';

/**
 * The databases whose content can be downloaded or built again. They are set aside if corruption is found while they
 * are in use.
 */
const REPLACEABLE = ['main', 'search', 'fetchLog'] as const;

/** Whether SQLite reports a damaged file or one that is no database. I/O errors are not corruption. */
export function isCorruption(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code);
}

/**
 * Call it with every error of a connection. After a corruption error it marks each damaged file, so that the next start
 * sets it aside. The error doesn't name the file, so all of them are checked: about a second for 100,000 items, and
 * only after corruption.
 */
export function noteCorruption(thrown: unknown, database: Connection): void {
  if (!isCorruption(thrown)) return;
  for (const schema of REPLACEABLE) {
    const file = fileOf(database, schema);
    if (file !== '' && !isSound(database, schema)) addMarker(corruptionMarker(file));
  }
}

/** Whether a database passes SQLite's integrity check; `schema` is the name that it is attached under. */
export function isSound(database: Connection, schema = 'main'): boolean {
  try {
    return database.pragma(`${schema}.integrity_check(1)`, { simple: true }) === 'ok';
  } catch (error) {
    if (isCorruption(error)) return false;
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
    if (messages.length > 0) markReplaceable(database, schema);
    return messages;
  } catch (error) {
    if (!isCorruption(error)) throw error;
    markReplaceable(database, schema);
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
    if (lost.length > 0) markReplaceable(database, 'main');
    if (search.length > 0) markReplaceable(database, 'search');
    const file = fileOf(database, 'main');
    if (repairable.length > 0 && file !== '') addMarker(repairMarker(file));
    return [...lost, ...repairable, ...search];
  } catch (error) {
    if (!isCorruption(error)) throw error;
    noteCorruption(error, database);
    return [error instanceof Error ? error.message : String(error)];
  }
}

function quoted(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

function markReplaceable(database: Connection, schema: string): void {
  const file = fileOf(database, schema);
  if (file !== '' && (REPLACEABLE as readonly string[]).includes(schema)) addMarker(corruptionMarker(file));
}

/** Empty for a database in memory or one that is not attached. */
function fileOf(database: Connection, schema: string): string {
  const attached = database.pragma('database_list') as { name: string; file: string }[];
  return attached.find(({ name }) => name === schema)?.file ?? '';
}

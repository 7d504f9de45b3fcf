import Database, { type Database as Connection } from 'better-sqlite3';
import { writeFileSync } from 'node:fs';
import { corruptionMarker } from './files.ts';

/** The databases that can be had anew, and so are set aside when corruption is met while they are in use. */
const REPLACEABLE = ['main', 'search', 'fetchLog'] as const;

/** Whether SQLite found that a file is no database, or a broken one; a disk that does not answer is another matter. */
export function isCorruption(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code);
}

/**
 * To be told of every error of a connection. Where it means corruption, marks each file that proves to be damaged, so that the
 * next start sets it aside. An error does not say which file it is about, so all of them are checked: about a second for
 * 100,000 items, once in a damaged file's life.
 */
export function noteCorruption(thrown: unknown, database: Connection): void {
  if (!isCorruption(thrown)) return;
  for (const schema of REPLACEABLE) {
    const file = fileOf(database, schema);
    if (file !== '' && !isSound(database, schema)) mark(file);
  }
}

/** Whether every page and index of a database fits; `schema` is the name it is attached under. */
export function isSound(database: Connection, schema = 'main'): boolean {
  try {
    return database.pragma(`${schema}.integrity_check(1)`, { simple: true }) === 'ok';
  } catch (error) {
    if (isCorruption(error)) return false;
    throw error;
  }
}

const MOST_MESSAGES = 20;

/** What is wrong with a database, in SQLite's words, which name tables and pages but no contents; empty for a sound one. */
export function findCorruption(database: Connection, schema: string): string[] {
  try {
    const rows = database.pragma(`${schema}.integrity_check(${String(MOST_MESSAGES)})`) as {
      integrity_check: string;
    }[];
    const messages = rows.map((row) => row.integrity_check).filter((message) => message !== 'ok');
    if (messages.length > 0) markReplaceable(database, schema);
    return messages;
  } catch (error) {
    if (!isCorruption(error)) throw error;
    markReplaceable(database, schema);
    return [error instanceof Error ? error.message : String(error)];
  }
}

function markReplaceable(database: Connection, schema: string): void {
  const file = fileOf(database, schema);
  if (file !== '' && (REPLACEABLE as readonly string[]).includes(schema)) mark(file);
}

/** Empty for a database in memory, and for one that is not attached. */
function fileOf(database: Connection, schema: string): string {
  const attached = database.pragma('database_list') as { name: string; file: string }[];
  return attached.find(({ name }) => name === schema)?.file ?? '';
}

/** A reader may stand where it cannot write: then the writer will meet the corruption itself. */
function mark(file: string): void {
  try {
    writeFileSync(corruptionMarker(file), '');
  } catch {
    // Nothing is lost by it.
  }
}

/**
 * Keys that items no longer have, because they were deleted without a withdrawal or have another key, for the search index.
 * The indexer may run in another thread, and a key may be used again.
 */
import { run, sql, value, type WritableDb } from '../sql.ts';
import { SEARCH_SCHEMA } from './search-index.ts';

const HAS_INDEX = sql`SELECT count(*) FROM ${SEARCH_SCHEMA}.sqlite_schema WHERE name = 'search_state'`;
const PRUNE = sql`DELETE FROM search_drop WHERE id <= (SELECT dropped FROM ${SEARCH_SCHEMA}.search_state)`;

export function addSearchDrop(db: WritableDb, key: number): void {
  run(db, 'INSERT INTO search_drop (key) VALUES (?)', key);
}

/** Deletes the entries that the index has applied. */
export function pruneSearchDrops(db: WritableDb): void {
  // The index may be created after the tables that it is built from.
  if (value<number>(db, HAS_INDEX) === 1) run(db, PRUNE);
}

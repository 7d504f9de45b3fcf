import type { Database } from 'better-sqlite3';
import { SEARCH_SCHEMA } from './search-index.ts';

/**
 * The table `search_drop`: keys that items no longer have, because they were deleted without a withdrawal or have another
 * key, for the search index. Its indexer may run in another thread, and a key may be used again. Write within the
 * transaction that changes the item.
 */
export class SearchDrops {
  readonly #database: Database;
  readonly #add;

  constructor(database: Database) {
    this.#database = database;
    this.#add = database.prepare<[number]>('INSERT INTO search_drop (key) VALUES (?)');
  }

  add(key: number): void {
    this.#add.run(key);
  }

  /** Deletes the entries that the index has applied. */
  prune(): void {
    // The index may be created after the tables that it is built from.
    const isThere = this.#database
      .prepare<[], number>(`SELECT count(*) FROM ${SEARCH_SCHEMA}.sqlite_schema WHERE name = 'search_state'`)
      .pluck()
      .get();
    if (isThere !== 1) return;
    this.#database.exec(`DELETE FROM search_drop WHERE id <= (SELECT dropped FROM ${SEARCH_SCHEMA}.search_state)`);
  }
}

import Connection, { type Database } from 'better-sqlite3';
import { ErrorBoundary, withMappedErrors } from '../database/error-boundary.ts';
import { storeFiles } from '../database/files.ts';
import { WalLimits } from '../database/wal-limits.ts';
import { mirrorProperties } from '../database/properties.ts';
import { after, derive, isUpToDate, watermark, type Derived, type Writing } from '../derived/derived.ts';
import { keysGone } from '../items/gone.ts';
import { perConnection, rows, transaction, type Db, type WritableDb } from '../sql.ts';
import { endOfStep } from '../tx.ts';
import { reportTexts } from './report-index.ts';
import { SEARCH_SCHEMA, type SearchableItem, SearchIndex } from './search-index.ts';

/** Some 20 ms. */
const STEP_ITEMS = 1000;
/** With at least this many items, merging is postponed until all are indexed. */
const LOAD_ITEMS = 5000;

const LOCK_WAIT_MS = 5_000;
/** In KiB. Each item is read once, but indexing it writes to many places. */
const ITEMS_CACHE = 2048;
const INDEX_CACHE = 8192;

const indexOf = perConnection((db) => new SearchIndex(db as Database, SEARCH_SCHEMA));

export function prepareSearch(db: WritableDb): void {
  indexOf(db);
}

/** In steps of whole writes. Another mirror starts again, and so does one that was restored. */
export const itemTexts: Derived<Writing> = {
  schema: 'search',
  version: (db) => mirrorProperties.get(db, 'build') ?? '',
  last: (db) => mirrorProperties.number(db, 'sequence'),
  restart: ({ db }) => {
    indexOf(db).clear();
  },
  step: ({ db }, { at }) => {
    const index = indexOf(db);
    if (!index.loading && endOfStep(db, at, LOAD_ITEMS) !== undefined) index.beginLoad();
    const to = endOfStep(db, at, STEP_ITEMS) ?? mirrorProperties.number(db, 'sequence');
    index.apply({ upserts: itemsWritten(db, at, to), removals: keysGone(db, at, to) });
    return after(to);
  },
};

/** How far the index is behind. `many`: a load is running, or the limit is reached. */
export type SearchLag = 'none' | 'few' | 'many';

export interface OpenSearchIndexer extends Pick<SearchIndexer, 'index' | 'merge'> {
  close(): void;
}

/** For another thread, while this process has the folder open for writing. Errors: those of SQLite, mapped. */
export function openSearchIndexer(folder: string): OpenSearchIndexer {
  return withMappedErrors(folder, () => {
    const files = storeFiles(folder);
    const database = new Connection(files.mirror, { fileMustExist: true, timeout: LOCK_WAIT_MS });
    try {
      database.prepare(`ATTACH DATABASE ? AS ${SEARCH_SCHEMA}`).run(files.search);
      database.pragma(`${SEARCH_SCHEMA}.synchronous = NORMAL`);
      database.pragma(`main.cache_size = -${String(ITEMS_CACHE)}`);
      database.pragma(`${SEARCH_SCHEMA}.cache_size = -${String(INDEX_CACHE)}`);
      // Only search.db has commits of this connection, and it is opened for large updates.
      const logs = new WalLimits(database, [SEARCH_SCHEMA]);
      logs.load();
      const boundary = new ErrorBoundary(database);
      const indexer = boundary.run(() => new SearchIndexer(database));
      const close = (): void => {
        try {
          boundary.run(() => logs.empty());
        } catch {
          // The log keeps safe what could not be moved, e.g. to a full disk.
        } finally {
          database.close();
        }
      };
      return { ...boundary.expose(indexer), close };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Updates the search index from the mirror. Two connections may take turns. */
export class SearchIndexer {
  readonly #db: Db;
  readonly #index: SearchIndex;

  constructor(db: Db) {
    this.#db = db;
    this.#index = indexOf(db);
  }

  lag(limit: number): SearchLag {
    if (this.#index.loading) return 'many';
    if (isUpToDate(this.#db, 'itemTexts', itemTexts)) return 'none';
    return endOfStep(this.#db, watermark(this.#db, 'itemTexts', 'search'), limit) === undefined ? 'few' : 'many';
  }

  /** Returns false when items and reports are indexed. With `more`, merging waits for a load, and so do reports. */
  index(more = false): boolean {
    if (more && !this.#index.loading && !isUpToDate(this.#db, 'itemTexts', itemTexts)) this.#index.beginLoad();
    return this.#derive('itemTexts', itemTexts) || (!more && this.#derive('reportTexts', reportTexts));
  }

  merge(): boolean {
    if (!this.#index.loading) return false;
    if (this.#index.mergeStep()) return true;
    this.#index.endLoad();
    return false;
  }

  #derive(name: string, derived: Derived<Writing>): boolean {
    if (isUpToDate(this.#db, name, derived)) return false;
    return transaction(this.#db, (db) => derive({ db }, name, derived));
  }
}

function itemsWritten(db: Db, from: number, to: number): SearchableItem[] {
  return rows<SearchableItem>(
    db,
    `SELECT key, title, original_title AS originalTitle, summary, source_name AS sourceName, reason,
       item_index.category, generation > 0 AS isMember
     FROM item CROSS JOIN item_index USING (key) WHERE changed > ? AND changed <= ?`,
    ...[from, to],
  );
}

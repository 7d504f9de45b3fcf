import Connection, { type Database } from 'better-sqlite3';
import { ErrorBoundary, withMappedErrors } from '../database/error-boundary.ts';
import { storeFiles } from '../database/files.ts';
import { WalLimits } from '../database/wal-limits.ts';
import { mirrorProperties } from '../database/properties.ts';
import { keysGone } from '../items/gone.ts';
import { rows, type Db } from '../sql.ts';
import { endOfStep } from '../tx.ts';
import { indexReports } from './report-index.ts';
import { SEARCH_SCHEMA, type SearchableItem, SearchIndex } from './search-index.ts';

/** Some 20 ms. */
const STEP_ITEMS = 1000;
/** With at least this many items, merging is postponed until all are indexed. */
const LOAD_ITEMS = 5000;

const LOCK_WAIT_MS = 5_000;
/** In KiB. Each item is read once, but indexing it writes to many places. */
const ITEMS_CACHE = 2048;
const INDEX_CACHE = 8192;

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

/**
 * Updates the search index from the mirror. Each step indexes complete writes, so it can stop and resume after any; it reads
 * where to continue in the transaction that writes, so two connections may take turns.
 */
export class SearchIndexer {
  readonly #db: Db;
  readonly #index: SearchIndex;

  constructor(database: Database) {
    this.#db = database;
    this.#index = new SearchIndex(database, SEARCH_SCHEMA);
    // The index belongs to another mirror, or to a later state of this one than the restored file.
    const build = mirrorProperties.get(database, 'build') ?? '';
    if (this.#index.build !== build || this.#index.watermark > this.#sequence) this.#index.clear(build);
  }

  lag(limit: number): SearchLag {
    if (this.#index.loading) return 'many';
    if (this.#isUpToDate) return 'none';
    return this.#isBehindBy(limit) ? 'many' : 'few';
  }

  step(): boolean {
    return this.index() || this.merge();
  }

  /** Returns false when items and reports are indexed. With `more`, merging waits for a load, and so do reports. */
  index(more = false): boolean {
    if (this.#isUpToDate) return !more && indexReports(this.#db, this.#index);
    if (!this.#index.loading && (more || this.#isBehindBy(LOAD_ITEMS))) {
      this.#index.beginLoad();
    }
    this.#index.claim((db) => {
      const from = this.#index.watermark;
      const to = endOfStep(db, from, STEP_ITEMS) ?? this.#sequence;
      this.#index.write({ upserts: itemsWritten(db, from, to), removals: keysGone(db, from, to), watermark: to });
    });
    return true;
  }

  merge(): boolean {
    if (!this.#index.loading) return false;
    if (this.#index.mergeStep()) return true;
    this.#index.endLoad();
    return false;
  }

  get #isUpToDate(): boolean {
    return this.#index.watermark === this.#sequence;
  }

  get #sequence(): number {
    return mirrorProperties.number(this.#db, 'sequence');
  }

  #isBehindBy(limit: number): boolean {
    return endOfStep(this.#db, this.#index.watermark, limit) !== undefined;
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

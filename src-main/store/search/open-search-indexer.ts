import Database from 'better-sqlite3';
import { ErrorBoundary, withMappedErrors } from '../database/error-boundary.ts';
import { storeFiles } from '../database/files.ts';
import { LogLimits } from '../database/log-limits.ts';
import { SEARCH_SCHEMA } from './search-index.ts';
import { SearchIndexer } from './search-indexer.ts';

const LOCK_WAIT_MS = 5_000;
/** Items are read once each; what is written for them goes to many places of the index. In KiB. */
const ITEMS_CACHE = 2048;
const INDEX_CACHE = 8192;

/** A search indexer with a connection of its own. */
export interface OpenSearchIndexer extends Pick<SearchIndexer, 'index' | 'merge'> {
  close(): void;
}

/**
 * Opens a search indexer for a folder that this process has open for writing (see {@link Store}), for example in
 * another thread. It writes search.db and reads mirror.db, which must exist. Errors: those of SQLite, mapped.
 */
export function openSearchIndexer(folder: string): OpenSearchIndexer {
  return withMappedErrors(folder, () => {
    const files = storeFiles(folder);
    const database = new Database(files.mirror, { fileMustExist: true, timeout: LOCK_WAIT_MS });
    try {
      database.prepare(`ATTACH DATABASE ? AS ${SEARCH_SCHEMA}`).run(files.search);
      database.pragma(`${SEARCH_SCHEMA}.synchronous = NORMAL`);
      database.pragma(`main.cache_size = -${String(ITEMS_CACHE)}`);
      database.pragma(`${SEARCH_SCHEMA}.cache_size = -${String(INDEX_CACHE)}`);
      // Only search.db has commits of this connection, and it is opened for large updates.
      const logs = new LogLimits(database, [SEARCH_SCHEMA]);
      logs.load();
      const boundary = new ErrorBoundary(database);
      const indexer = boundary.run(() => new SearchIndexer(database));
      const close = (): void => {
        try {
          boundary.run(() => logs.empty());
        } catch {
          // What could not be moved, for example because the disk is full, stays safe in the log.
        } finally {
          database.close();
        }
      };
      return { ...boundary.expose(indexer, ['index', 'merge']), close };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

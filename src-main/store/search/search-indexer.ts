import Connection from 'better-sqlite3';
import { ErrorBoundary, withMappedErrors } from '../database/error-boundary.ts';
import { storeFiles } from '../database/files.ts';
import { WalLimits } from '../database/wal-limits.ts';
import { mirrorProperties } from '../database/properties.ts';
import { after, derive, isUpToDate, watermark, type Derived, type Writing } from '../derived/derived.ts';
import { keysGone } from '../items/gone.ts';
import { rows, transaction, type Db } from '../sql.ts';
import { endOfStep } from '../tx.ts';
import { reportTexts } from './report-index.ts';
import {
  apply,
  beginLoad,
  clear,
  endLoad,
  isLoading,
  mergeStep,
  SEARCH_SCHEMA,
  type SearchableItem,
} from './search-index.ts';

/** Some 20 ms. */
const STEP_ITEMS = 1000;
/** With at least this many items, merging is postponed until all are indexed. */
const LOAD_ITEMS = 5000;

const LOCK_WAIT_MS = 5_000;
/** In KiB. Each item is read once, but indexing it writes to many places. */
const ITEMS_CACHE = 2048;
const INDEX_CACHE = 8192;

/** In steps of whole writes. Another mirror starts again, and so does one that was restored. */
export const itemTexts: Derived<Writing> = {
  schema: 'search',
  version: (db) => mirrorProperties.get(db, 'build') ?? '',
  last: (db) => mirrorProperties.number(db, 'sequence'),
  restart: ({ db }) => {
    clear(db);
  },
  step: ({ db }, { at }) => {
    if (!isLoading(db) && endOfStep(db, at, LOAD_ITEMS) !== undefined) beginLoad(db);
    const to = endOfStep(db, at, STEP_ITEMS) ?? mirrorProperties.number(db, 'sequence');
    apply(db, itemsWritten(db, at, to), keysGone(db, at, to));
    return after(to);
  },
};

/** How far the index is behind. `many`: a load is running, or the limit is reached. */
export type SearchLag = 'none' | 'few' | 'many';

/** Two connections may take turns. */
export interface OpenSearchIndexer {
  index(more?: boolean): boolean;
  merge(): boolean;
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
      const close = (): void => {
        try {
          boundary.run(() => logs.empty());
        } catch {
          // The log keeps safe what could not be moved, e.g. to a full disk.
        } finally {
          database.close();
        }
      };
      return { ...boundary.bind({ index, merge }), close };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

export function lag(db: Db, limit: number): SearchLag {
  if (isLoading(db)) return 'many';
  if (isUpToDate(db, 'itemTexts', itemTexts)) return 'none';
  return endOfStep(db, watermark(db, 'itemTexts', 'search'), limit) === undefined ? 'few' : 'many';
}

/** Returns false when items and reports are indexed. With `more`, merging waits for a load, and so do reports. */
function index(db: Db, more = false): boolean {
  if (more && !isLoading(db) && !isUpToDate(db, 'itemTexts', itemTexts)) transaction(db, beginLoad);
  return deriveOne(db, 'itemTexts', itemTexts) || (!more && deriveOne(db, 'reportTexts', reportTexts));
}

export function merge(db: Db): boolean {
  if (!isLoading(db)) return false;
  if (transaction(db, mergeStep)) return true;
  transaction(db, endLoad);
  return false;
}

function deriveOne(db: Db, name: string, derived: Derived<Writing>): boolean {
  return !isUpToDate(db, name, derived) && transaction(db, (db) => derive({ db }, name, derived));
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

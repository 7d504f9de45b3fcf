import type { Database } from 'better-sqlite3';
import { mirrorProperties } from '../database/properties.ts';
import { rows, value, values, type Db, type WritableDb } from '../sql.ts';
import { indexReports } from './report-index.ts';
import { SEARCH_SCHEMA, SearchIndex, type SearchableItem } from './search-index.ts';

/** Approximate number of items per step: some 20 ms of work. */
const STEP_ITEMS = 1000;
/** With at least this many items, merging is postponed until all are indexed. */
const LOAD_ITEMS = 5000;

/** How far the index is behind the mirror. `many`: a load is running, or there are as many items as was asked. */
export type SearchLag = 'none' | 'few' | 'many';

/**
 * Updates the search index from the mirror: each step indexes complete writes after the index's watermark, so it can
 * stop and resume after any step. A step reads where to continue in the transaction that writes, so two connections may
 * take turns. The saved reports come after the items: see report-index.ts.
 */
export class SearchIndexer {
  readonly #db: Db;
  readonly #index: SearchIndex;

  /** @param database a connection to mirror.db with search.db attached as `search`; only the latter is written */
  constructor(database: Database) {
    this.#db = database;
    this.#index = new SearchIndex(database, SEARCH_SCHEMA);
    // Of another mirror, or of a later state of this one than the file that was restored.
    const build = mirrorProperties.get(database, 'build') ?? '';
    if (this.#index.build !== build || this.#index.watermark > this.#sequence) this.#index.clear(build);
  }

  /** How much there is to do; `limit` items are many. */
  lag(limit: number): SearchLag {
    if (this.#index.loading) return 'many';
    if (this.#isUpToDate) return 'none';
    return this.#isBehindBy(limit) ? 'many' : 'few';
  }

  /** Indexes the next writes or, if there are none, does a part of the merging; returns false when nothing is left. */
  step(): boolean {
    return this.index() || this.merge();
  }

  /**
   * Indexes the next writes, or some reports; returns false when everything can be found.
   *
   * @param more whether a load is running: merging then waits until all is there
   */
  index(more = false): boolean {
    if (this.#isUpToDate) return !more && indexReports(this.#db, (work) => this.#claim(work));
    if (!this.#index.loading && (more || this.#isBehindBy(LOAD_ITEMS))) {
      this.#index.beginLoad();
    }
    this.#claim((db) => {
      const from = this.#index.watermark;
      const to = this.#endOfStep(from);
      const dropped = rows<{ id: number; key: number }>(
        db,
        'SELECT id, key FROM search_drop WHERE id > ? ORDER BY id',
        this.#index.dropped,
      );
      const last = dropped.at(-1)?.id;
      const withdrawn = values<number>(db, 'SELECT key FROM withdrawal WHERE sequence > ? AND sequence <= ?', from, to);
      this.#index.write({
        upserts: itemsWritten(db, from, to),
        removals: [...withdrawn, ...dropped.map(({ key }) => key)],
        watermark: to,
        ...(last !== undefined && { dropped: last }),
      });
    });
    return true;
  }

  /** Does a part of the merging that a load has postponed, which makes searches faster; returns false at the end. */
  merge(): boolean {
    if (!this.#index.loading) return false;
    if (this.#index.mergeStep()) return true;
    this.#index.endLoad();
    return false;
  }

  get #isUpToDate(): boolean {
    if (this.#index.watermark !== this.#sequence) return false;
    return this.#index.dropped >= (value<number>(this.#db, 'SELECT ifnull(max(id), 0) FROM search_drop') ?? 0);
  }

  get #sequence(): number {
    return mirrorProperties.number(this.#db, 'sequence');
  }

  #isBehindBy(limit: number): boolean {
    const ahead = value<number>(
      this.#db,
      'SELECT count(*) FROM (SELECT 1 FROM item WHERE changed > ? LIMIT ?)',
      ...[this.#index.watermark, limit],
    );
    return ahead === limit;
  }

  #endOfStep(from: number): number {
    const target = value<number>(
      this.#db,
      'SELECT changed FROM item WHERE changed > ? ORDER BY changed LIMIT 1 OFFSET ?',
      ...[from, STEP_ITEMS - 1],
    );
    return target ?? this.#sequence;
  }

  #claim(work: (tx: WritableDb) => void): void {
    this.#index.claiming(work);
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

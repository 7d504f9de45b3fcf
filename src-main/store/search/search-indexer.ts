import type { Database } from 'better-sqlite3';
import type { Properties } from '../database/properties.ts';
import { ReportIndexer } from './report-index.ts';
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
  readonly #index: SearchIndex;
  readonly #reports: ReportIndexer;
  readonly #properties: Properties;
  readonly #ahead;
  readonly #target;
  readonly #items;
  readonly #withdrawn;
  readonly #dropped;
  readonly #lastDropped;

  /**
   * @param database a connection to mirror.db with search.db attached as `search`; only the latter is written
   * @param mirror the properties of mirror.db
   */
  constructor(database: Database, mirror: Properties) {
    this.#index = new SearchIndex(database, SEARCH_SCHEMA);
    this.#properties = mirror;
    this.#ahead = database
      .prepare<[number, number], number>('SELECT count(*) FROM (SELECT 1 FROM item WHERE changed > ? LIMIT ?)')
      .pluck();
    this.#target = database
      .prepare<[number, number], number>('SELECT changed FROM item WHERE changed > ? ORDER BY changed LIMIT 1 OFFSET ?')
      .pluck();
    this.#items = database.prepare<[number, number], SearchableItem>(
      `SELECT key, title, original_title AS originalTitle, summary, source_name AS sourceName, reason,
              item_index.category, generation > 0 AS isMember
       FROM item CROSS JOIN item_index USING (key) WHERE changed > ? AND changed <= ?`,
    );
    this.#withdrawn = database
      .prepare<[number, number], number>('SELECT key FROM withdrawal WHERE sequence > ? AND sequence <= ?')
      .pluck();
    this.#dropped = database.prepare<[number], { id: number; key: number }>(
      'SELECT id, key FROM search_drop WHERE id > ? ORDER BY id',
    );
    this.#lastDropped = database.prepare<[], number>('SELECT ifnull(max(id), 0) FROM search_drop').pluck();
    // Of another mirror, or of a later state of this one than the file that was restored.
    const build = mirror.get('build') ?? '';
    if (this.#index.build !== build || this.#index.watermark > this.#sequence) this.#index.clear(build);
    this.#reports = new ReportIndexer(database, this.#index);
  }

  /** How much there is to do; `limit` items are many. */
  lag(limit: number): SearchLag {
    if (this.#index.loading) return 'many';
    if (this.#isUpToDate) return 'none';
    return this.#ahead.get(this.#index.watermark, limit) === limit ? 'many' : 'few';
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
    if (this.#isUpToDate) return !more && this.#reports.step();
    if (!this.#index.loading && (more || this.#ahead.get(this.#index.watermark, LOAD_ITEMS) === LOAD_ITEMS)) {
      this.#index.beginLoad();
    }
    this.#index.claiming(() => {
      const from = this.#index.watermark;
      const to = this.#target.get(from, STEP_ITEMS - 1) ?? this.#sequence;
      const dropped = this.#dropped.all(this.#index.dropped);
      const last = dropped.at(-1)?.id;
      this.#index.write({
        upserts: this.#items.all(from, to),
        removals: [...this.#withdrawn.all(from, to), ...dropped.map(({ key }) => key)],
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
    return this.#index.watermark === this.#sequence && this.#index.dropped >= (this.#lastDropped.get() ?? 0);
  }

  get #sequence(): number {
    return this.#properties.number('sequence');
  }
}

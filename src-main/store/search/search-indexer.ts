import type { Database } from 'better-sqlite3';
import type { Properties } from '../database/properties.ts';
import { SearchIndex, type SearchableItem } from './search-index.ts';

/** Approximate number of items per step: some 20 ms of work. */
const STEP_ITEMS = 1000;
/** With at least this many items, merging is postponed until all are indexed. */
const LOAD_ITEMS = 5000;

/**
 * Updates the search index from the mirror: each step indexes complete writes after the index's watermark, so it can
 * stop and resume after any step.
 */
export class SearchIndexer {
  readonly #index: SearchIndex;
  readonly #properties: Properties;
  readonly #ahead;
  readonly #target;
  readonly #items;
  readonly #withdrawn;

  /**
   * @param database the writer's connection, with search.db attached as `search`
   * @param mirror the properties of mirror.db
   */
  constructor(database: Database, mirror: Properties) {
    this.#index = new SearchIndex(database, 'search');
    this.#properties = mirror;
    this.#ahead = database
      .prepare<[number, number], number>('SELECT count(*) FROM (SELECT 1 FROM item WHERE changed > ? LIMIT ?)')
      .pluck();
    this.#target = database
      .prepare<[number, number], number>('SELECT changed FROM item WHERE changed > ? ORDER BY changed LIMIT 1 OFFSET ?')
      .pluck();
    this.#items = database.prepare<[number, number], SearchableItem>(
      `SELECT key, title, original_title AS originalTitle, summary, source_name AS sourceName, reason
       FROM item WHERE changed > ? AND changed <= ?`,
    );
    this.#withdrawn = database
      .prepare<[number, number], number>('SELECT key FROM withdrawal WHERE sequence > ? AND sequence <= ?')
      .pluck();
    if (this.#index.watermark > this.#sequence) this.#index.clear();
  }

  /** Indexes the next writes; returns false when the index is up to date. */
  step(): boolean {
    const from = this.#index.watermark;
    if (from === this.#sequence) return this.#mergeAfterLoad();
    if (!this.#index.loading && this.#ahead.get(from, LOAD_ITEMS) === LOAD_ITEMS) this.#index.beginLoad();
    const to = this.#target.get(from, STEP_ITEMS - 1) ?? this.#sequence;
    this.#index.apply({
      upserts: this.#items.all(from, to),
      removals: this.#withdrawn.all(from, to),
      watermark: to,
    });
    return true;
  }

  /** Does a part of the merging after a load. */
  #mergeAfterLoad(): boolean {
    if (!this.#index.loading) return false;
    if (this.#index.mergeStep()) return true;
    this.#index.endLoad();
    return false;
  }

  get #sequence(): number {
    return this.#properties.number('sequence');
  }
}

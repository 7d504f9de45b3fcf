import type { Database } from 'better-sqlite3';
import type { Properties } from '../database/properties.ts';
import type { FilterSources } from './list-filter.ts';

/** Steps from name to name in the index `item_source`, of which there may be a hundred for each. */
const NAMES_SQL = `WITH RECURSIVE found (name) AS (
    SELECT min(source_name) FROM item
    UNION ALL SELECT (SELECT min(source_name) FROM item WHERE source_name > found.name) FROM found WHERE name IS NOT NULL)
  SELECT name FROM found WHERE name IS NOT NULL`;

/** The names of all sources that have saved items, read when they are asked for and something was written since. */
export class SourceNames {
  readonly #mirror: Pick<Properties, 'number'>;
  readonly #read;
  readonly #indexes;
  #names: readonly string[] = [];
  #readAt = -1;

  constructor(database: Database, mirror: Pick<Properties, 'number'>) {
    this.#mirror = mirror;
    this.#read = database.prepare<[], string>(NAMES_SQL).pluck();
    this.#indexes = database
      .prepare<[], number>(
        `SELECT count(*) FROM main.sqlite_schema WHERE type = 'index' AND name IN ('item_facts', 'item_source')`,
      )
      .pluck();
  }

  all(): readonly string[] {
    const sequence = this.#mirror.number('sequence');
    if (sequence !== this.#readAt) {
      this.#names = this.#read.all();
      this.#readAt = sequence;
    }
    return this.#names;
  }

  /** What a filter reads only if its query has a source or a score. */
  forFilter(): Pick<FilterSources, 'sourceNames' | 'hasFacts'> {
    return { sourceNames: () => this.all(), hasFacts: this.#indexes.get() === 2 };
  }
}

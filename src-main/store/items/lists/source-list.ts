import type { Database } from 'better-sqlite3';
import type { Properties } from '../../database/properties.ts';
import type { FilterSources } from './list-filter.ts';
import type { KnownSource } from './query-conditions.ts';

/** The sources of all items, read when they are asked for and something was written since. */
export class SourceList {
  readonly #mirror: Pick<Properties, 'number'>;
  readonly #read;
  readonly #hasScores;
  #sources: readonly KnownSource[] = [];
  #readAt = -1;

  constructor(database: Database, mirror: Pick<Properties, 'number'>) {
    this.#mirror = mirror;
    this.#read = database.prepare<[], KnownSource>('SELECT id, key FROM source');
    this.#hasScores = database
      .prepare<[], number>(`SELECT count(*) FROM main.sqlite_schema WHERE type = 'index' AND name = 'item_score'`)
      .pluck();
  }

  all(): readonly KnownSource[] {
    const sequence = this.#mirror.number('sequence');
    if (sequence !== this.#readAt) {
      this.#sources = this.#read.all();
      this.#readAt = sequence;
    }
    return this.#sources;
  }

  forFilter(): Pick<FilterSources, 'sources' | 'hasScores'> {
    return { sources: () => this.all(), hasScores: this.#hasScores.get() === 1 };
  }
}

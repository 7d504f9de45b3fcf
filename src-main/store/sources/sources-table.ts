import type { Database } from 'better-sqlite3';
import { sourceKey, sourceLabel } from '../../common/source-label.ts';

/** More than a news service has sources; bounds the memory. */
const MOST_REMEMBERED = 20_000;
/** The name that is saved, in UTF-16 units. */
const LONGEST_NAME = 300;

/**
 * The table `source`: who published items, by a number that the item index repeats (docs/decisions/088). A source stays when
 * its last item goes: it may return. Write within a transaction.
 */
export class SourcesTable {
  readonly #find;
  readonly #add;
  /** The ids of names seen in this run. */
  readonly #ids = new Map<string, number>();

  constructor(database: Database) {
    this.#find = database.prepare<[string], number>('SELECT id FROM source WHERE key = ?').pluck();
    this.#add = database.prepare<[string, string]>('INSERT INTO source (key, name) VALUES (?, ?)');
  }

  /** The id of the source with this name, which is added if it is new; 0 without a name. */
  idOf(name: string | null): number {
    if (name === null) return 0;
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const key = sourceKey(name);
    if (key === '') return 0;
    const id = this.#find.get(key) ?? Number(this.#add.run(key, sourceLabel(name, LONGEST_NAME)).lastInsertRowid);
    if (this.#ids.size >= MOST_REMEMBERED) this.#ids.clear();
    this.#ids.set(name, id);
    return id;
  }

  /** After a rollback: what was added is not there. */
  drop(): void {
    this.#ids.clear();
  }
}

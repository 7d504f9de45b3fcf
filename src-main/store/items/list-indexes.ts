import type { Database } from 'better-sqlite3';

/** The indexes by which lists read `item_index`, by name. */
const LIST_INDEXES: Readonly<Record<string, string>> = {
  item_index_category: 'item_index (category, key)',
  item_index_unread: 'item_index (key) WHERE unread = 1',
  item_index_unread_category: 'item_index (category, key) WHERE unread = 1',
  item_index_starred: 'item_index (key) WHERE starred = 1',
  item_index_selected: 'item_index (key) WHERE generation > 0',
  item_index_selected_category: 'item_index (category, key) WHERE generation > 0',
  item_index_selected_unread: 'item_index (key) WHERE generation > 0 AND unread = 1',
  item_index_selected_unread_category: 'item_index (category, key) WHERE generation > 0 AND unread = 1',
};

/**
 * The indexes of lists are no part of a migration: while a first set is loaded, in random order of time, each of them
 * would be rewritten with every page. They are dropped before, created again with the last page, and a start creates
 * what is missing. Without them lists are slower but complete. Write within a transaction.
 */
export class ListIndexes {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Creates those that are missing. */
  create(): void {
    for (const [name, on] of Object.entries(LIST_INDEXES)) {
      this.#database.exec(`CREATE INDEX IF NOT EXISTS main.${name} ON ${on}`);
    }
  }

  drop(): void {
    for (const name of Object.keys(LIST_INDEXES)) this.#database.exec(`DROP INDEX IF EXISTS main.${name}`);
  }
}

/**
 * The indexes of lists are no part of a migration: while a first set is loaded, in random order of time, each of them would
 * be rewritten with every page. They are dropped before and created again, one at a time, once the set is shown; a start
 * creates what is missing. Without them lists are slower but complete.
 */
import { perConnection, script, type Db, type WritableDb } from '../sql.ts';

/** The indexes by which lists read `item_index`, by name. */
const LIST_INDEXES: readonly (readonly [name: string, on: string])[] = [
  // That of the view that opens first.
  ['item_index_selected', 'item_index (key) WHERE generation > 0 AND muted = 0'],
  ['item_index_selected_unread', 'item_index (key) WHERE generation > 0 AND unread = 1 AND muted = 0'],
  ['item_index_selected_category', 'item_index (category, key) WHERE generation > 0 AND muted = 0'],
  [
    'item_index_selected_unread_category',
    'item_index (category, key) WHERE generation > 0 AND unread = 1 AND muted = 0',
  ],
  ['item_index_unread', 'item_index (key) WHERE unread = 1 AND muted = 0'],
  ['item_index_category', 'item_index (category, key) WHERE muted = 0'],
  ['item_index_unread_category', 'item_index (category, key) WHERE unread = 1 AND muted = 0'],
  ['item_index_starred', 'item_index (key) WHERE starred = 1'],
  ['item_index_muted', 'item_index (key) WHERE muted = 1'],
  // Searches by score, in order of time.
  ['item_score', 'item (key, score)'],
  // The items of a source.
  ['item_index_source', 'item_index (source, key)'],
];

/** The SQL of each index in the form in which SQLite keeps it, by name. */
export const LIST_INDEX_SQL: ReadonlyMap<string, string> = new Map(
  LIST_INDEXES.map(([name, on]) => [name, `CREATE INDEX ${name} ON ${on}`]),
);

/** How many of them exist for certain. */
const created = perConnection(() => ({ count: 0 }));

/** Creates the next index, if it is missing. Returns false when there are all. */
export function createNext(db: WritableDb): boolean {
  const state = created(db);
  const next = LIST_INDEXES[state.count];
  if (next === undefined) return false;
  script(db, `CREATE INDEX IF NOT EXISTS main.${next[0]} ON ${next[1]}`);
  state.count += 1;
  return true;
}

/** Looks at all indexes again, for example after a rollback. */
export function forget(db: Db): void {
  created(db).count = 0;
}

export function drop(db: WritableDb): void {
  forget(db);
  for (const [name] of LIST_INDEXES) script(db, `DROP INDEX IF EXISTS main.${name}`);
}

/** Returns true if {@link createNext} has nothing left to do. */
export function isComplete(db: Db): boolean {
  return created(db).count === LIST_INDEXES.length;
}

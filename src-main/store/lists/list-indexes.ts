/**
 * Loading a first set, in random order of time, would rewrite these indexes with every page. So they are dropped before, and
 * created again one at a time once the set is shown; a start creates what is missing.
 */
import { perConnection, script, type Db, type WritableDb } from '../sql.ts';

const LIST_INDEXES: readonly (readonly [name: string, on: string])[] = [
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
  ['item_score', 'item (key, score)'],
  ['item_index_source', 'item_index (source, key)'],
];

export const LIST_INDEX_SQL: ReadonlyMap<string, string> = new Map(
  LIST_INDEXES.map(([name, on]) => [name, `CREATE INDEX ${name} ON ${on}`]),
);

const created = perConnection(() => ({ count: 0 }));

export function createNext(db: WritableDb): boolean {
  const state = created(db);
  const next = LIST_INDEXES[state.count];
  if (next === undefined) return false;
  script(db, `CREATE INDEX IF NOT EXISTS main.${next[0]} ON ${next[1]}`);
  state.count += 1;
  return true;
}

export function forget(db: Db): void {
  created(db).count = 0;
}

export function drop(db: WritableDb): void {
  forget(db);
  for (const [name] of LIST_INDEXES) script(db, `DROP INDEX IF EXISTS main.${name}`);
}

export function isComplete(db: Db): boolean {
  return created(db).count === LIST_INDEXES.length;
}

/**
 * Loading a first set, in random order of time, would rewrite these indexes with every page. So they are dropped before, and
 * created again one at a time once the set is shown; a start creates what is missing.
 */
import { after, derive, forget, renew, type Derived } from '../derived/derived.ts';
import { script } from '../sql.ts';
import type { Tx } from '../tx.ts';

/** One that changes gets another name, because the old one of a file would count as damaged; a migration drops that. */
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

const NAME = 'listIndexes';

export const listIndexes: Derived = {
  version: () => '1',
  restart: () => undefined,
  step: ({ db }, { at }) => {
    const next = LIST_INDEXES[at];
    if (next === undefined) return null;
    script(db, `CREATE INDEX IF NOT EXISTS main.${next[0]} ON ${next[1]}`);
    return after(at + 1);
  },
};

export function createNext(tx: Tx): boolean {
  return derive(tx, NAME, listIndexes);
}

/** Those of a file may have been lost. */
export function createMissing(tx: Tx): void {
  forget(tx.db, NAME);
  while (createNext(tx));
}

export function drop(tx: Tx): void {
  for (const [name] of LIST_INDEXES) script(tx.db, `DROP INDEX IF EXISTS main.${name}`);
  forget(tx.db, NAME);
  renew(tx, NAME, listIndexes);
}

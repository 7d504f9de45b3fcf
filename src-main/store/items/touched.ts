/**
 * Keeps counters and folds in step with `item_index` and `rule_match`. A row is touched before it changes, which keeps its
 * state; at the end of the transaction the differences are counted once, whatever the changes were.
 */
import type { Derived } from '../derived/derived.ts';
import { liveRules } from '../rules/applied-rules.ts';
import { run, script, sql, values, type Value, type WritableDb } from '../sql.ts';
import { hasCoverage } from '../stories/coverage.ts';
import type { Tx } from '../tx.ts';

const SORT = "ifnull(item_index.category, ''), generation > 0, item_index.unread, item_index.starred, item_index.muted";
export const TOUCHED_COLUMNS = `item_index.key, ${SORT}`;
export const TOUCH = `INSERT OR IGNORE INTO touched (key, category, selected, unread, starred, muted) SELECT ${TOUCHED_COLUMNS}`;

export const COUNTED = `SELECT ${SORT}, count(*) FROM item_index GROUP BY 1, 2, 3, 4, 5`;
export const COUNTED_SAVED = `SELECT slot, bits, unread, starred, count(*) FROM rule_match CROSS JOIN item_index USING (key)
  WHERE muted = 0 GROUP BY 1, 2, 3, 4`;

const TOUCH_ONE = sql`${TOUCH} FROM item_index WHERE key = ?`;
const TOUCH_NEW = 'INSERT OR IGNORE INTO touched (key) SELECT value FROM json_each(?)';
const TOUCH_MATCHES = 'INSERT INTO touched_match SELECT slot, key, bits FROM rule_match WHERE key = ?';
const TOUCH_ALL_MATCHES =
  'INSERT INTO touched_match SELECT slot, key, bits FROM touched CROSS JOIN rule_match USING (key)';

const COUNT = sql`INSERT INTO counter
  SELECT category, selected, unread, starred, muted, sum(n) FROM (
    SELECT category, selected, unread, starred, muted, -1 AS n FROM touched WHERE category IS NOT NULL
    UNION ALL SELECT ${SORT}, 1 FROM touched CROSS JOIN item_index USING (key))
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0 ON CONFLICT DO UPDATE SET n = n + excluded.n`;
const COUNT_SAVED = sql`INSERT INTO saved_counter
  SELECT slot, bits, unread, starred, sum(n) FROM (
    SELECT slot, bits, unread, starred, -1 AS n FROM touched_match CROSS JOIN touched USING (key) WHERE muted = 0
    UNION ALL SELECT slot, bits, item_index.unread, item_index.starred, 1
      FROM touched CROSS JOIN item_index USING (key) CROSS JOIN rule_match USING (key) WHERE item_index.muted = 0)
  GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 ON CONFLICT DO UPDATE SET n = n + excluded.n`;
const IN_OTHER_LISTS = sql`SELECT DISTINCT story FROM touched CROSS JOIN coverage USING (key) CROSS JOIN item_index USING (key)
  WHERE (touched.category, selected, touched.muted) IS NOT (ifnull(item_index.category, ''), generation > 0, item_index.muted)`;

export function createTouched(db: WritableDb): void {
  script(
    db,
    // A key without a state had no row before.
    `CREATE TEMP TABLE touched (key INTEGER PRIMARY KEY, category TEXT, selected INTEGER, unread INTEGER, starred INTEGER,
       muted INTEGER, next_unread INTEGER, next_starred INTEGER);
     CREATE TEMP TABLE touched_match (slot INTEGER, key INTEGER, bits INTEGER)`,
  );
}

/** Call it before the row or its matches change. */
export function touch(tx: Tx, key: number): void {
  if (tx.newKeys.has(key)) return;
  tx.touched = true;
  const isFirst = run(tx.db, TOUCH_ONE, key).changes > 0;
  if (isFirst && liveRules(tx).any) run(tx.db, TOUCH_MATCHES, key);
}

export function touchNew(tx: Tx, key: number): void {
  tx.newKeys.add(key);
}

/** Touches the rows that `insert` adds to `touched`, and no others. Returns false if there are none. */
export function touchAll(tx: Tx, insert: string, ...bound: readonly Value[]): boolean {
  settle(tx);
  if (run(tx.db, insert, ...bound).changes === 0) return false;
  tx.touched = true;
  if (liveRules(tx).any) run(tx.db, TOUCH_ALL_MATCHES);
  return true;
}

/** Call it at the end of a transaction. */
export function settle(tx: Tx): void {
  const { db, newKeys } = tx;
  if (!tx.touched && newKeys.size === 0) return;
  if (newKeys.size > 0) run(db, TOUCH_NEW, JSON.stringify([...newKeys]));
  run(db, COUNT);
  if (liveRules(tx).any) {
    run(db, COUNT_SAVED);
    run(db, 'DELETE FROM touched_match');
  }
  if (hasCoverage(db)) for (const story of values<string>(db, IN_OTHER_LISTS)) tx.refold.add(story);
  run(db, 'DELETE FROM touched');
  tx.touched = false;
  newKeys.clear();
}

/** They follow in each transaction; this counts all rows, for a repair. */
export const counters: Derived = {
  version: () => '1',
  restart: (tx) => {
    settle(tx);
    script(
      tx.db,
      `DELETE FROM counter; INSERT INTO counter ${COUNTED}; DELETE FROM saved_counter; INSERT INTO saved_counter ${COUNTED_SAVED};`,
    );
  },
  step: () => null,
};

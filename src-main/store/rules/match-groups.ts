import type { Database } from 'better-sqlite3';
import type { Countable, SavedMatches } from '../items/counters.ts';

type Group = Countable & SavedMatches;
type Groups = [row: Countable, matches: SavedMatches][];

/** Reads the matches of saved searches for many rows at once: those that fulfil a condition over `item_index`. */
export function groupMatches(database: Database, condition: string): (...bound: number[]) => Groups {
  const statement = database.prepare<number[], Group>(
    `SELECT slot, bits, category, min(generation, 1) AS generation, unread, starred, muted, count(*) AS times
     FROM rule CROSS JOIN rule_match USING (slot) CROSS JOIN item_index USING (key)
     WHERE kind = 'saved' AND gone = 0 AND ${condition} GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  );
  return (...bound) => statement.all(...bound).map(({ slot, bits, times, ...row }) => [row, { slot, bits, times }]);
}

/** {@link groupMatches} of the rows of a table with their keys. */
export function matchesOf(database: Database, table: 'touched' | 'item_index'): Groups {
  return groupMatches(database, `key IN (SELECT key FROM ${table})`)();
}

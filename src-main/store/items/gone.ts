/**
 * Keys that left the index, for followers that work in steps. Of a withdrawn item, the fact is kept, with its id; the key of
 * one that was dropped because of its age, or moved, is deleted once the search index has reached it.
 */
import { asTime } from '../../common/time.ts';
import { SEARCH_SCHEMA } from '../search/search-index.ts';
import { rows, run, sql, value, values, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';

interface Withdrawal {
  at: number;
  added: number;
}

const ADD = 'INSERT INTO gone (sequence, key, id, at, added, muted) VALUES (?, ?, ?, ?, ?, ?)';
const PRUNE = sql`DELETE FROM gone WHERE id IS NULL AND sequence <= (SELECT at FROM ${SEARCH_SCHEMA}.derived WHERE name = 'itemTexts')`;

/** The key may be used again. */
export function addGone(tx: Tx, key: number): void {
  tx.wrote = true;
  run(tx.db, ADD, tx.sequence, key, null, tx.now, 0, 0);
}

export function addWithdrawal(
  tx: Tx,
  { id, key, added, muted }: { id: string; key: number; added: number; muted: number },
): void {
  tx.past = null;
  run(tx.db, ADD, tx.sequence, key, id, tx.now, added, muted);
}

/** Call it before {@link addGone}. */
export function pruneGone({ db }: Tx): void {
  run(db, PRUNE);
}

export function keysGone(db: Db, from: number, to: number): number[] {
  return values<number>(db, 'SELECT key FROM gone WHERE sequence > ? AND sequence <= ?', from, to);
}

export function hasWithdrawals(db: Db): boolean {
  return value<number>(db, 'SELECT EXISTS (SELECT 1 FROM gone WHERE id IS NOT NULL)') === 1;
}

export function lastWithdrawal(db: Db, id: string): Withdrawal | undefined {
  // Sorting in SQL takes five times as long as this search, which each new item needs.
  const all = rows<Withdrawal & { sequence: number }>(db, 'SELECT sequence, at, added FROM gone WHERE id = ?', id);
  return all.length > 1 ? all.sort((a, b) => a.sequence - b.sequence).at(-1) : all[0];
}

export function withdrawnAt(db: Db, id: string): string | null {
  if (value<number>(db, 'SELECT 1 FROM item WHERE id = ?', id) !== undefined) return null;
  return asTime(lastWithdrawal(db, id)?.at ?? null);
}

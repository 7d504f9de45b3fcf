/**
 * Writes items, and keeps what the service dropped without a withdrawal: a departure from the selected set is open until the
 * item list has the item, and a parked item stays until the service confirms its removal (docs/decisions/144).
 */
import type { Item } from '../../contract/model/item.ts';
import { rows, run, sql, value, values, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { ITEM_HAS_NOTE } from '../user-data/notes.ts';
import { noteWithdrawal } from './missing-stars.ts';
import {
  addReason,
  endDeparture,
  findStored,
  remove,
  removeMember,
  renewMember,
  saveItem,
  timesOf,
  type Origin,
  type Outcome,
  type Removable,
  type Stored,
} from './save.ts';
import { addGone, addWithdrawal, pruneGone } from './gone.ts';
import { keyAt, latestTime, MAX_DELAY, sortTime } from './time-key.ts';

/** `member`: a snapshot lacked it. `left`: it left the set; `old`: it is too old for the item list, which `listed` lacks. */
export type Parking = 'member' | 'left' | 'old' | 'listed';

type Leaving = 'left' | 'outOfReach' | 'withdrawn';

const MAX_CHANGES_A_NUMBER = 1000;
/** The list covers seven days (document 1 section 4.1). */
const LISTED_WINDOW = 7 * 24 * 3_600_000;

const HAS_NOTE = sql`SELECT ${ITEM_HAS_NOTE} FROM item WHERE arrival = ?`;
const OLD = sql`SELECT item.id, arrival, item_index.key
  FROM item_index CROSS JOIN item USING (arrival)
  WHERE item_index.key >= ? AND item_index.key < ? AND generation = 0 AND starred = 0 AND NOT ${ITEM_HAS_NOTE}
    AND NOT EXISTS (SELECT 1 FROM parked_item WHERE parked_item.id = item.id)
  ORDER BY item_index.key LIMIT ?`;

export function upsert(tx: Tx, item: Item, origin: Origin, time = sortTime(item, tx.now)): Outcome {
  takeNumber(tx);
  const outcome = saveItem(tx, item, origin, time);
  if (outcome !== 'refused' && mayBeParked(tx)) {
    if (origin.kind === 'selected') unpark(tx, item.id);
    // It is public, but may have left the selected set.
    else run(tx.db, "DELETE FROM parked_item WHERE id = ? AND parking IN ('old', 'listed')", item.id);
  }
  if (outcome === 'added' && time < tx.now - MAX_DELAY) tx.summary.older += 1;
  count(tx, item.id, outcome);
  return outcome;
}

/** Inserts the oldest first, which keeps neighbours together. Returns false if one was refused. */
export function upsertAll(tx: Tx, items: readonly Item[], origin: Origin): boolean {
  const outcomes = inOrder(items, tx.now).map(({ item, time }) => upsert(tx, item, origin, time));
  return !outcomes.includes('refused');
}

export function leave(tx: Tx, id: string, nowForDeleting = tx.now): void {
  if (unpark(tx, id) !== 'old') {
    countLeaving(tx, id, { nowForDeleting, isSaid: true });
    return;
  }
  const stored = findStored(tx, id);
  if (stored?.generation === 0 && !isKept(tx, stored)) withdraw(tx, id);
}

export function confirmDeparture({ db }: Tx, id: string): void {
  run(db, 'UPDATE departure SET confirmed = 1 WHERE id = ?', id);
}

export function complete(tx: Tx, id: string, reason: string): void {
  count(tx, id, addReason(tx, id, reason));
}

export function withdraw(tx: Tx, id: string): void {
  unpark(tx, id);
  takeNumber(tx);
  const stored = findStored(tx, id);
  // The same withdrawal may arrive twice.
  if (!stored) return;
  withdrawItem(tx, stored);
  count(tx, id, 'withdrawn');
}

export function keepMember(tx: Tx, id: string, generation: number): void {
  renewMember(tx, id, generation);
  unpark(tx, id);
}

export function countMissing(tx: Tx, generation: number): number {
  return membersBefore(tx, generation).length;
}

/** Takes members that the snapshot lacked out of the set; none is withdrawn before {@link confirmLosses}. */
export function sweepBefore(tx: Tx, generation: number, nowForDeleting = tx.now): void {
  for (const id of membersBefore(tx, generation)) {
    const outcome = countLeaving(tx, id, { nowForDeleting, isSaid: false });
    park(tx, id, outcome === 'outOfReach' ? 'old' : 'left');
  }
}

export function parkBefore(tx: Tx, generation: number): void {
  for (const id of membersBefore(tx, generation)) park(tx, id, 'member');
}

/** The list of all items shows which of those that `left` were withdrawn; the `old` ones are, unless they are kept. */
export function confirmLosses(tx: Tx, parking: Exclude<Parking, 'listed'>, nowForDeleting = tx.now): void {
  for (const id of parkedIds(tx.db, parking)) leave(tx, id, nowForDeleting);
}

/** Parks exactly these items, which the item list should have. They stay. */
export function parkListed(tx: Tx, ids: readonly string[]): void {
  for (const id of parkedIds(tx.db, 'listed')) unpark(tx, id);
  for (const id of ids) park(tx, id, 'listed');
}

export function acceptLosses(tx: Tx, lost: 'selected' | 'items', nowForDeleting: number): void {
  if (lost === 'items') {
    for (const id of parkedIds(tx.db, 'listed')) withdraw(tx, id);
    return;
  }
  for (const parking of ['member', 'left', 'old'] as const) confirmLosses(tx, parking, nowForDeleting);
}

/** Skips members and kept items; counts none as withdrawn. `next` is null at the end. */
export function dropBefore(
  tx: Tx,
  horizon: number,
  from: number,
  limit: number,
): { dropped: number; next: number | null } {
  const old = rows<Removable>(tx.db, OLD, from, keyAt(horizon), limit);
  if (old.length > 0) pruneGone(tx);
  for (const stored of old) {
    takeNumber(tx);
    remove(tx, stored);
    addGone(tx, stored.key);
    tx.changes += 1;
    endDeparture(tx.db, stored.id);
  }
  const last = old.at(-1);
  return { dropped: old.length, next: last && old.length === limit ? last.key + 1 : null };
}

export function openDepartures(db: Db): { id: string; at: number }[] {
  return rows<{ id: string; at: number }>(
    db,
    `SELECT departure.id, at FROM departure JOIN item ON item.id = departure.id JOIN item_index USING (key)
     WHERE confirmed = 0 AND generation = 0`,
  );
}

export function parkedIds(db: Db, parking: Parking): string[] {
  return values<string>(db, 'SELECT id FROM parked_item WHERE parking = ?', parking);
}

export function parkingOf(db: Db, id: string): Parking | undefined {
  return value<Parking>(db, 'SELECT parking FROM parked_item WHERE id = ?', id);
}

function membersBefore({ db }: Tx, generation: number): string[] {
  return values<string>(
    db,
    'SELECT id FROM item_index JOIN item USING (arrival) WHERE generation > 0 AND generation < ?',
    generation,
  );
}

function countLeaving(tx: Tx, id: string, options: { nowForDeleting: number; isSaid: boolean }): Leaving | null {
  takeNumber(tx);
  const stored = findStored(tx, id);
  if (!stored || stored.generation === 0) return null;
  const outcome = leaveSet(tx, stored, options);
  count(tx, id, outcome === 'outOfReach' ? 'left' : outcome);
  return outcome;
}

/**
 * An item within the window of the list stays as unselected until the list shows whether it is public. An older one can't be
 * looked up: it is withdrawn, or only `outOfReach` without `isSaid`. Starred and noted items stay.
 */
function leaveSet(tx: Tx, stored: Stored, { nowForDeleting, isSaid }: Parameters<typeof countLeaving>[2]): Leaving {
  const isOutOfReach = latestTime(timesOf(stored), tx.now) < nowForDeleting - LISTED_WINDOW;
  const isLost = isOutOfReach && !isKept(tx, stored);
  if (isLost && isSaid) {
    withdrawItem(tx, stored);
    return 'withdrawn';
  }
  run(
    tx.db,
    `INSERT INTO departure (id, at, added, confirmed) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, confirmed = excluded.confirmed`,
    ...[stored.id, tx.now, stored.added, Number(isOutOfReach)],
  );
  removeMember(tx, stored);
  return isLost ? 'outOfReach' : 'left';
}

function withdrawItem(tx: Tx, stored: Stored): void {
  const { id, key, muted, starred } = stored;
  remove(tx, stored);
  addWithdrawal(tx, { id, key, added: endDeparture(tx.db, id)?.added ?? stored.added, muted });
  if (starred) noteWithdrawal(tx, stored);
}

function isKept({ db }: Tx, { starred, arrival }: Stored): boolean {
  return starred === 1 || value<number>(db, HAS_NOTE, arrival) === 1;
}

function park(tx: Tx, id: string, parking: Parking): void {
  tx.anyParked = true;
  run(tx.db, 'INSERT OR REPLACE INTO parked_item (id, parking) VALUES (?, ?)', id, parking);
}

function unpark(tx: Tx, id: string): Parking | undefined {
  if (!mayBeParked(tx)) return undefined;
  return value<Parking>(tx.db, 'DELETE FROM parked_item WHERE id = ? RETURNING parking', id);
}

function mayBeParked(tx: Tx): boolean {
  return (tx.anyParked ??= value<number>(tx.db, 'SELECT EXISTS (SELECT 1 FROM parked_item)') === 1);
}

function takeNumber(tx: Tx): void {
  if (tx.changes < MAX_CHANGES_A_NUMBER) return;
  tx.changes = 0;
  tx.sequence += 1;
  tx.past = null;
}

function count(tx: Tx, id: string, outcome: Outcome | 'left' | 'withdrawn'): void {
  if (outcome === 'unchanged' || outcome === 'refused') return;
  tx.changes += 1;
  tx.wrote = true;
  if (outcome !== 'completed' && outcome !== 'left') tx.summary[outcome] += 1;
  if (outcome !== 'added') tx.summary.ids.push(id);
}

/** Reverses responses, which list the newest first: of two items with one time the newer gets the later key. */
function inOrder(items: readonly Item[], now: number): { item: Item; time: number }[] {
  return items
    .toReversed()
    .map((item) => ({ item, time: sortTime(item, now) }))
    .sort((a, b) => a.time - b.time);
}

/** What a transaction does with items. It counts them, and parks those that the service lost without a word. */
import type { Item } from '../../contract/model/item.ts';
import type { WritableDb } from '../sql.ts';
import { confirmDeparture as confirm } from './departures.ts';
import type { ItemParts, ItemTx, Origin, Outcome } from './item-tx.ts';
import { hasParked, parkedIds, parkedSeen, parkItem, takeParked, type Parking } from './parked-items.ts';
import {
  addReason,
  dropItems,
  leaveSet,
  membersBefore,
  renewMember,
  saveItem,
  withdrawItem,
  withdrawUnkept,
} from './save.ts';
import { keyAt, LONGEST_DELAY, sortTime } from './time-key.ts';

/** Changes with one sequence number at most. */
const CHANGES_A_NUMBER = 1000;

/** Begins the item writes of a transaction. */
export function beginItems(db: WritableDb, parts: ItemParts, now: number, sequence: number): ItemTx {
  const summary = { added: 0, older: 0, revised: 0, withdrawn: 0, ids: [] };
  return { ...parts, db, now, sequence, changes: 0, summary, anyParked: hasParked(db), past: null };
}

/** Adds an item or revises the saved one. `time` (ms since 1970) is the time to sort by. */
export function upsert(tx: ItemTx, item: Item, origin: Origin, time = sortTime(item, tx.now)): Outcome {
  takeNumber(tx);
  const outcome = saveItem(tx, item, origin, time);
  if (tx.anyParked && outcome !== 'refused') {
    if (origin.kind === 'selected') takeParked(tx.db, item.id);
    else parkedSeen(tx.db, item.id);
  }
  if (outcome === 'added' && time < tx.now - LONGEST_DELAY) tx.summary.older += 1;
  count(tx, item.id, outcome);
  return outcome;
}

/**
 * Inserts the oldest first: items that are close in time are then close in the tables. Returns false if one was
 * refused: a list from a cache may still have what was withdrawn since.
 */
export function upsertAll(tx: ItemTx, items: readonly Item[], origin: Origin): boolean {
  const outcomes = inOrder(items, tx.now).map(({ item, time }) => upsert(tx, item, origin, time));
  return !outcomes.includes('refused');
}

/** Takes an item out of the selected set: see `leaveSet`. `expiryTime` is by default the time of the write. */
export function leave(tx: ItemTx, id: string, expiryTime = tx.now): void {
  if (take(tx, id) === 'old') countWithdrawn(tx, id, withdrawUnkept);
  else countLeaving(tx, id, { expiryTime, isSaid: true });
}

/** Records that the item list still has this item, which had left the selected set. */
export function confirmDeparture(tx: ItemTx, id: string): void {
  confirm(tx.db, id);
}

/** Adds a reason to a saved item. */
export function complete(tx: ItemTx, id: string, reason: string): void {
  count(tx, id, addReason(tx, id, reason));
}

export function withdraw(tx: ItemTx, id: string): void {
  take(tx, id);
  countWithdrawn(tx, id, withdrawItem);
}

/** Keeps a saved item in the selected set although its new record was unreadable. */
export function keepMember(tx: ItemTx, id: string, generation: number): void {
  renewMember(tx, id, generation);
  take(tx, id);
}

/** Returns the number of members that the snapshot of this generation didn't contain. */
export function missingIn(tx: ItemTx, generation: number): number {
  return membersBefore(tx, generation).length;
}

/**
 * Takes the members that the snapshot of this generation didn't contain out of the selected set. None is withdrawn before
 * {@link confirmLosses}.
 */
export function sweepBefore(tx: ItemTx, generation: number, expiryTime = tx.now): void {
  for (const id of membersBefore(tx, generation)) {
    const outcome = countLeaving(tx, id, { expiryTime, isSaid: false });
    park(tx, id, outcome === 'outOfReach' ? 'old' : 'left');
  }
}

/** Parks the members that the snapshot of this generation didn't contain. They stay in the selected set. */
export function parkBefore(tx: ItemTx, generation: number): void {
  for (const id of membersBefore(tx, generation)) park(tx, id, 'member');
}

/**
 * Confirms that items which left the selected set without a removal have left it. The list of all items shows which of them
 * were withdrawn.
 */
export function confirmLosses(tx: ItemTx): void {
  for (const id of parkedIds(tx.db, 'left')) take(tx, id);
}

/** Withdraws those that are too old for that list. */
export function confirmOldLosses(tx: ItemTx): void {
  for (const id of parkedIds(tx.db, 'old')) leave(tx, id);
}

/** Parks exactly these items, which the item list lacks although it should have them. They stay. */
export function parkListed(tx: ItemTx, ids: readonly string[]): void {
  for (const id of parkedIds(tx.db, 'listed')) take(tx, id);
  for (const id of ids) park(tx, id, 'listed');
}

/** Lets the parked members leave the selected set, or withdraws the parked items: the reader accepts it. */
export function acceptLosses(tx: ItemTx, lost: 'selected' | 'items', expiryTime: number): void {
  if (lost === 'items') {
    for (const id of parkedIds(tx.db, 'listed')) withdraw(tx, id);
    return;
  }
  for (const id of parkedIds(tx.db, 'member')) leave(tx, id, expiryTime);
  confirmLosses(tx);
  confirmOldLosses(tx);
}

/**
 * Removes up to `limit` unselected items without star and note that are older than `horizon` (ms since 1970). They were
 * not withdrawn, so they are not counted. `from` is 0 at first, then `next` of the previous call, which is null at the end.
 */
export function dropBefore(
  tx: ItemTx,
  horizon: number,
  from: number,
  limit: number,
): { dropped: number; next: number | null } {
  return dropItems(tx, keyAt(horizon), from, limit);
}

function countLeaving(tx: ItemTx, id: string, options: Parameters<typeof leaveSet>[2]): ReturnType<typeof leaveSet> {
  takeNumber(tx);
  const outcome = leaveSet(tx, id, options);
  if (outcome !== null) count(tx, id, outcome === 'outOfReach' ? 'left' : outcome);
  return outcome;
}

function countWithdrawn(tx: ItemTx, id: string, work: (tx: ItemTx, id: string) => boolean): void {
  takeNumber(tx);
  if (work(tx, id)) count(tx, id, 'withdrawn');
}

function park(tx: ItemTx, id: string, parking: Parking): void {
  tx.anyParked = true;
  parkItem(tx.db, id, parking);
}

function take(tx: ItemTx, id: string): Parking | undefined {
  return tx.anyParked ? takeParked(tx.db, id) : undefined;
}

/** Begins the next sequence number if the present one has enough changes. */
function takeNumber(tx: ItemTx): void {
  if (tx.changes < CHANGES_A_NUMBER) return;
  tx.changes = 0;
  tx.sequence += 1;
  tx.past = null;
}

function count(tx: ItemTx, id: string, outcome: Outcome | 'left' | 'withdrawn'): void {
  if (outcome === 'unchanged' || outcome === 'refused') return;
  tx.changes += 1;
  if (outcome !== 'completed' && outcome !== 'left') tx.summary[outcome] += 1;
  if (outcome !== 'added') tx.summary.ids.push(id);
}

/**
 * Responses list the newest items first. They are reversed, so that of two items with the same time the newer one gets
 * the later key.
 */
function inOrder(items: readonly Item[], now: number): { item: Item; time: number }[] {
  return items
    .toReversed()
    .map((item) => ({ item, time: sortTime(item, now) }))
    .sort((a, b) => a.time - b.time);
}

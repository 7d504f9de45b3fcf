/** Writes items, counts them, and parks what the service dropped without a withdrawal. */
import type { Item } from '../../contract/model/item.ts';
import type { Tx } from '../tx.ts';
import {
  confirmDeparture as confirm,
  confirmListed,
  hasParked,
  parkedIds,
  parkItem,
  takeParked,
  type Parking,
} from './parked-items.ts';
import {
  addReason,
  dropItems,
  leaveSet,
  membersBefore,
  renewMember,
  saveItem,
  withdrawItem,
  withdrawUnkept,
  type Origin,
  type Outcome,
} from './save.ts';
import { keyAt, MAX_DELAY, sortTime } from './time-key.ts';

const MAX_CHANGES_A_NUMBER = 1000;

export function upsert(tx: Tx, item: Item, origin: Origin, time = sortTime(item, tx.now)): Outcome {
  takeNumber(tx);
  const outcome = saveItem(tx, item, origin, time);
  if (outcome !== 'refused' && mayBeParked(tx)) {
    if (origin.kind === 'selected') takeParked(tx.db, item.id);
    else confirmListed(tx.db, item.id);
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

export function leave(tx: Tx, id: string, expiryTime = tx.now): void {
  if (unpark(tx, id) === 'old') countWithdrawn(tx, id, withdrawUnkept);
  else countLeaving(tx, id, { expiryTime, isSaid: true });
}

export function confirmDeparture(tx: Tx, id: string): void {
  confirm(tx.db, id);
}

export function complete(tx: Tx, id: string, reason: string): void {
  count(tx, id, addReason(tx, id, reason));
}

export function withdraw(tx: Tx, id: string): void {
  unpark(tx, id);
  countWithdrawn(tx, id, withdrawItem);
}

export function keepMember(tx: Tx, id: string, generation: number): void {
  renewMember(tx, id, generation);
  unpark(tx, id);
}

export function countMissing(tx: Tx, generation: number): number {
  return membersBefore(tx, generation).length;
}

/** Takes members that the snapshot lacked out of the set; none is withdrawn before {@link confirmLosses}. */
export function sweepBefore(tx: Tx, generation: number, expiryTime = tx.now): void {
  for (const id of membersBefore(tx, generation)) {
    const outcome = countLeaving(tx, id, { expiryTime, isSaid: false });
    park(tx, id, outcome === 'outOfReach' ? 'old' : 'left');
  }
}

export function parkBefore(tx: Tx, generation: number): void {
  for (const id of membersBefore(tx, generation)) park(tx, id, 'member');
}

/** The list of all items shows which of them were withdrawn. */
export function confirmLosses(tx: Tx): void {
  for (const id of parkedIds(tx.db, 'left')) unpark(tx, id);
}

export function confirmOldLosses(tx: Tx): void {
  for (const id of parkedIds(tx.db, 'old')) leave(tx, id);
}

/** Parks exactly these items, which the item list should have. They stay. */
export function parkListed(tx: Tx, ids: readonly string[]): void {
  for (const id of parkedIds(tx.db, 'listed')) unpark(tx, id);
  for (const id of ids) park(tx, id, 'listed');
}

export function acceptLosses(tx: Tx, lost: 'selected' | 'items', expiryTime: number): void {
  if (lost === 'items') {
    for (const id of parkedIds(tx.db, 'listed')) withdraw(tx, id);
    return;
  }
  for (const id of parkedIds(tx.db, 'member')) leave(tx, id, expiryTime);
  confirmLosses(tx);
  confirmOldLosses(tx);
}

/** Counts none as withdrawn. `horizon` is ms since 1970; `next` is null at the end. */
export function dropBefore(
  tx: Tx,
  horizon: number,
  from: number,
  limit: number,
): { dropped: number; next: number | null } {
  return dropItems(tx, keyAt(horizon), from, limit);
}

function countLeaving(tx: Tx, id: string, options: Parameters<typeof leaveSet>[2]): ReturnType<typeof leaveSet> {
  takeNumber(tx);
  const outcome = leaveSet(tx, id, options);
  if (outcome !== null) count(tx, id, outcome === 'outOfReach' ? 'left' : outcome);
  return outcome;
}

function countWithdrawn(tx: Tx, id: string, work: (tx: Tx, id: string) => boolean): void {
  takeNumber(tx);
  if (work(tx, id)) count(tx, id, 'withdrawn');
}

function park(tx: Tx, id: string, parking: Parking): void {
  tx.anyParked = true;
  parkItem(tx.db, id, parking);
}

function unpark(tx: Tx, id: string): Parking | undefined {
  return mayBeParked(tx) ? takeParked(tx.db, id) : undefined;
}

function mayBeParked(tx: Tx): boolean {
  return (tx.anyParked ??= hasParked(tx.db));
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

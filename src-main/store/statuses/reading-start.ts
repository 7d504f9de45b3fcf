/** Items from before the first copy of a service, minus an age that the reader chose, count as read (docs/decisions/046). */
import { mirrorProperties as mirror, userProperties as user, THIS_SERVICE } from '../database/properties.ts';
import { keyAt } from '../items/time-key.ts';
import * as records from '../records.ts';
import { sql, value, type Db, type WritableDb } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { projectBetween } from './item-statuses.ts';
import { STARTS_READ_BELOW } from './status-sql.ts';

/** In user.db: ms before the first copy from which items start as unread; missing for all. */
const AGE = 'unread_for';
/** In the mirror: the time of the first copy, in case user.db is lost. */
const FIRST_AT = 'first_copy_at';

const WAS_USED = sql`SELECT EXISTS (SELECT 1 FROM user.record WHERE service = ${THIS_SERVICE}
  AND kind IN ('read', 'star', 'visit'))`;

/** Returns 0 if the reader used the service before, null if not known yet. */
function firstCopyAt(db: Db): number | null {
  return records.get(db, 'start', 'first');
}

export function startKey(db: Db): number {
  const age = user.get(db, AGE);
  const first = firstCopyAt(db) ?? 0;
  return age === null || first === 0 ? 0 : keyAt(first - Number(age));
}

/** Returns true also if only another choice would make such an item read. */
export function mayStartRead(db: Db, key: number): boolean {
  return key < keyAt(firstCopyAt(db) ?? 0);
}

/** Call it before the first items are saved. A service that the reader used before stays as it is. */
export function begin(tx: Tx, at: number): void {
  const { db } = tx;
  if (firstCopyAt(db) !== null) return copyStart(db);
  const isUsed = mirror.number(db, 'sequence') > 0 || value<number>(db, WAS_USED) === 1;
  records.set(tx, 'start', 'first', isUsed ? 0 : at);
  copyStart(db);
  apply(tx);
}

/** `age` is in ms. Returns true if any item changed. */
export function choose(tx: Tx, age: number | null): boolean {
  user.set(tx.db, AGE, age);
  return apply(tx);
}

export function followStart(tx: Tx): boolean {
  const copied = mirror.number(tx.db, FIRST_AT);
  // Another user.db took the place of a lost one.
  if (firstCopyAt(tx.db) === null && copied > 0) records.set(tx, 'start', 'first', copied);
  return projectStart(tx);
}

export function projectStart(tx: Tx): boolean {
  copyStart(tx.db);
  return apply(tx);
}

function copyStart(db: WritableDb): void {
  const firstAt = firstCopyAt(db);
  if (firstAt !== null) mirror.set(db, FIRST_AT, firstAt);
}

function apply(tx: Tx): boolean {
  const { db } = tx;
  const from = mirror.number(db, STARTS_READ_BELOW);
  const to = startKey(db);
  if (from === to) return false;
  tx.past = null;
  mirror.set(db, STARTS_READ_BELOW, to === 0 ? null : to);
  return projectBetween(tx, Math.min(from, to), Math.max(from, to));
}

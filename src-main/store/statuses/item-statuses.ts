/** Two files can't commit as one, so actions are numbered: a mirror that missed some is updated when it is opened. */
import { randomUUID } from 'node:crypto';
import {
  mirrorProperties as mirror,
  userProperties as user,
  STATUS_JOIN,
  UNREAD_MARK_JOIN,
} from '../database/properties.ts';
import { TOUCH, touchAll } from '../items/touched.ts';
import { row, run, sql, type Db, type WritableDb } from '../sql.ts';
import type { Tx } from '../tx.ts';

export interface StatusRow {
  read_at: number | null;
  starred_at: number | null;
  marked_at: number | null;
}

export const NO_STATUS: StatusRow = { read_at: null, starred_at: null, marked_at: null };

/** In the mirror: the key below which its index counts unmarked items as read. */
export const STARTS_READ_BELOW = 'starts_read_below';

/** Only these statements decide what is unread or starred; `item_index` has a copy for its indexes. */
const IS_UNREAD = `(item_status.read_at IS NULL AND (unread_mark.marked_at IS NOT NULL OR item_index.key >= coalesce(
  (SELECT CAST(value AS INTEGER) FROM main.property WHERE name = '${STARTS_READ_BELOW}'), 0)))`;
const IS_STARRED = '(item_status.starred_at IS NOT NULL)';
const STATUSES = `${STATUS_JOIN} ${UNREAD_MARK_JOIN}`;
export const OUTDATED = `item JOIN item_index USING (key, arrival) ${STATUSES}
  WHERE (unread <> ${IS_UNREAD} OR starred <> ${IS_STARRED})`;

const projection = (condition: string): string =>
  `UPDATE item_index SET unread = ${IS_UNREAD}, starred = ${IS_STARRED} FROM item ${STATUSES}
   WHERE item.arrival = item_index.arrival AND ${condition}`;
const PROJECT_TOUCHED = sql`${projection('item_index.key IN (SELECT key FROM touched)')}`;
const PROJECT_ONE = sql`${projection('item_index.key = ?')}`;

const touching = (condition: string): string => `${TOUCH} FROM ${OUTDATED} AND ${condition}`;
const OF_IDS = sql`${touching('item.id IN (SELECT value FROM json_each(?))')}`;
const OF_KEYS = sql`${touching('item_index.key >= ? AND item_index.key < ?')}`;
const OF_LATER = sql`${touching('item_status.sequence > ?')}`;
const OF_ALL = sql`${touching('true')}`;

/** Call it when the statuses of items changed that were touched alone. */
export function projectTouched({ db }: Tx): void {
  run(db, PROJECT_TOUCHED);
}

/** Call it for a touched item that got a row or another key. */
export function projectOne({ db }: Tx, key: number): void {
  run(db, PROJECT_ONE, key);
}

export function projectIds(tx: Tx, ids: readonly string[]): void {
  project(tx, OF_IDS, JSON.stringify(ids));
}

/** Returns true if it changed an item. */
export function projectBetween(tx: Tx, from: number, to: number): boolean {
  return project(tx, OF_KEYS, from, to);
}

export function projectAll(tx: Tx): void {
  project(tx, OF_ALL);
}

function project(tx: Tx, insert: string, ...bound: (string | number)[]): boolean {
  const any = touchAll(tx, insert, ...bound);
  if (any) projectTouched(tx);
  return any;
}

export function findStatus(db: Db, service: string, id: string): StatusRow | undefined {
  return row<StatusRow>(
    db,
    `SELECT read_at, starred_at, marked_at FROM user.item_status LEFT JOIN user.unread_mark USING (mirror, item_id)
     WHERE mirror = ? AND item_id = ?`,
    service,
    id,
  );
}

/** Call {@link projectIds} afterwards. */
export function putStatus(
  db: WritableDb,
  { service, id }: { service: string; id: string },
  before: StatusRow,
  status: StatusRow,
  sequence: number,
): void {
  run(
    db,
    'INSERT OR REPLACE INTO user.item_status (mirror, item_id, read_at, starred_at, sequence) VALUES (?, ?, ?, ?, ?)',
    ...[service, id, status.read_at, status.starred_at, sequence],
  );
  if (status.marked_at === before.marked_at) return;
  if (status.marked_at === null) run(db, 'DELETE FROM user.unread_mark WHERE mirror = ? AND item_id = ?', service, id);
  else
    run(
      db,
      'INSERT OR REPLACE INTO user.unread_mark (mirror, item_id, marked_at) VALUES (?, ?, ?)',
      ...[service, id, status.marked_at],
    );
}

export function beginAction(tx: Tx): number {
  const { db } = tx;
  tx.past = null;
  const sequence = user.number(db, 'sequence') + 1;
  user.set(db, 'sequence', sequence);
  mirror.set(db, 'statuses_applied', sequence);
  return sequence;
}

export function followStatuses(tx: Tx): void {
  const { db } = tx;
  const file = user.get(db, 'id');
  const known = file !== null && mirror.get(db, 'statuses_of') === file;
  const from = known ? mirror.number(db, 'statuses_applied') : 0;
  const to = user.number(db, 'sequence');
  if (known && from === to) return;
  if (known && from < to) project(tx, OF_LATER, from);
  // Another user.db, or an older copy of this one.
  else projectAll(tx);
  // An older copy numbers its actions from where it was, so it gets a new name for all mirrors.
  mirror.set(db, 'statuses_of', file === null || from > to ? nameUser(db) : file);
  mirror.set(db, 'statuses_applied', to);
}

function nameUser(db: WritableDb): string {
  const id = randomUUID();
  user.set(db, 'id', id);
  return id;
}

/** Two files can't commit as one, so actions are numbered: a mirror that missed some is updated when it is opened. */
import { randomUUID } from 'node:crypto';
import { mirrorProperties as mirror, userProperties as user } from '../database/properties.ts';
import {
  addSavedCounts,
  countIn,
  countOut,
  matchGroupsSql,
  type Countable,
  type MatchGroup,
} from '../items/counters.ts';
import { row, rows, run, sql, type Db, type WritableDb } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { followStart, isUnread, reapplyStart, startKey } from './reading-start.ts';

export interface StatusRow {
  read_at: number | null;
  starred_at: number | null;
  marked_at: number | null;
}

export const NO_STATUS: StatusRow = { read_at: null, starred_at: null, marked_at: null };

const ALL_MATCHES = sql`${matchGroupsSql('true')}`;

export function findStatus(db: Db, service: string, id: string): StatusRow | undefined {
  return row<StatusRow>(
    db,
    `SELECT read_at, starred_at, marked_at FROM user.item_status LEFT JOIN user.unread_mark USING (mirror, item_id)
     WHERE mirror = ? AND item_id = ?`,
    service,
    id,
  );
}

export function putStatus(
  tx: Tx,
  { service, id }: { service: string; id: string },
  before: StatusRow,
  status: StatusRow,
  sequence: number,
): void {
  const { db } = tx;
  run(
    db,
    'INSERT OR REPLACE INTO user.item_status (mirror, item_id, read_at, starred_at, sequence) VALUES (?, ?, ?, ?, ?)',
    ...[service, id, status.read_at, status.starred_at, sequence],
  );
  if (status.marked_at === null) {
    if (before.marked_at !== null)
      run(db, 'DELETE FROM user.unread_mark WHERE mirror = ? AND item_id = ?', service, id);
  } else if (status.marked_at !== before.marked_at) {
    run(
      db,
      'INSERT OR REPLACE INTO user.unread_mark (mirror, item_id, marked_at) VALUES (?, ?, ?)',
      ...[service, id, status.marked_at],
    );
  }
  if (service === tx.kept.service) copyToIndex(tx, id, status);
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
  if (known && from === to) {
    followStart(tx);
    return;
  }
  // Another user.db, or an older copy of this one.
  const rebuild = !known || from > to;
  if (rebuild) resetIndex(tx);
  followStart(tx);
  const later = rows<StatusRow & { item_id: string }>(
    db,
    `SELECT item_id, read_at, starred_at, marked_at FROM user.item_status LEFT JOIN user.unread_mark USING (mirror, item_id)
     WHERE mirror = ? AND sequence > ?`,
    tx.kept.service,
    rebuild ? 0 : from,
  );
  for (const status of later) copyToIndex(tx, status.item_id, status);
  // An older copy numbers its actions from where it was, so it gets a new name for all mirrors.
  mirror.set(db, 'statuses_of', file === null || from > to ? nameUser(db) : file);
  mirror.set(db, 'statuses_applied', to);
}

export function findIndexed(db: Db, id: string): (Countable & { key: number }) | undefined {
  return row<Countable & { key: number }>(
    db,
    `SELECT item_index.key, item_index.category, generation, unread, starred, muted FROM item JOIN item_index USING (key)
     WHERE id = ?`,
    id,
  );
}

function copyToIndex(tx: Tx, id: string, status: StatusRow): void {
  const { db } = tx;
  const found = findIndexed(db, id);
  if (!found) return;
  const unread = Number(isUnread(status, found.key < startKey(db)));
  const starred = Number(status.starred_at !== null);
  if (found.unread === unread && found.starred === starred) return;
  countOut(tx, found);
  countIn(tx, { ...found, unread, starred });
  run(db, 'UPDATE item_index SET unread = ?, starred = ? WHERE key = ?', unread, starred, found.key);
}

function resetIndex(tx: Tx): void {
  const { db } = tx;
  run(db, 'UPDATE item_index SET unread = 1, starred = 0 WHERE unread = 0 OR starred = 1');
  run(db, "DELETE FROM counter WHERE scope IN ('starred', 'saved')");
  run(db, 'UPDATE counter SET unread = total');
  for (const group of rows<MatchGroup>(db, ALL_MATCHES)) addSavedCounts(tx, group);
  reapplyStart(tx);
}

function nameUser(db: WritableDb): string {
  const id = randomUUID();
  user.set(db, 'id', id);
  return id;
}

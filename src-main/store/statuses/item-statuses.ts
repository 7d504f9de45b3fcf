/**
 * `item_index` has a copy of what the register says, for its indexes. Two files can't commit as one: a mirror that missed
 * records is updated when it is opened.
 */
import { randomUUID } from 'node:crypto';
import { isKind, KINDS } from '../../contract/records.ts';
import { userProperties as user, THIS_SERVICE } from '../database/properties.ts';
import { advance, after, derive, progress, type Derived } from '../derived/derived.ts';
import { touchAll, TOUCHED_COLUMNS } from '../items/touched.ts';
import { lastSeq } from '../records.ts';
import { jsonText, run, sql } from '../sql.ts';
import type { Tx } from '../tx.ts';
import { IS_STARRED, IS_UNREAD, STATUS_JOIN } from './status-sql.ts';

export const OUTDATED = `item JOIN item_index USING (key, arrival) ${STATUS_JOIN}
  WHERE (unread <> ${IS_UNREAD} OR starred <> ${IS_STARRED})`;

// Looking up an item and its records takes most of the time, so it is done once.
const touching = (condition: string): string => `INSERT OR IGNORE INTO touched
  SELECT ${TOUCHED_COLUMNS}, ${IS_UNREAD}, ${IS_STARRED} FROM ${OUTDATED} AND ${condition}`;
const PROJECT = `UPDATE item_index
  SET (unread, starred) = (SELECT next_unread, next_starred FROM touched WHERE touched.key = item_index.key)
  WHERE key IN (SELECT key FROM touched)`;
const PROJECT_ONE = sql`UPDATE item_index SET unread = ${IS_UNREAD}, starred = ${IS_STARRED} FROM item ${STATUS_JOIN}
  WHERE item.arrival = item_index.arrival AND item_index.key = ?`;

const OF_IDS = sql`${touching('item.id IN (SELECT value FROM json_each(?))')}`;
const OF_KEYS = sql`${touching('item_index.key >= ? AND item_index.key < ?')}`;
// The unary plus has the range read, not all records of the kind.
const OF_LATER = sql`${touching(`item.id IN (SELECT id FROM user.record
  WHERE seq > ? AND +kind IN ('read', 'star') AND +service = ${THIS_SERVICE})`)}`;
const OF_ALL = sql`${touching('true')}`;

export function followMarks(tx: Tx): void {
  const { db, kept, changed } = tx;
  if (changed.length === 0) return;
  const marked = changed.filter(
    ({ kind, service }) => service === kept.service && isKind(kind) && KINDS[kind].effect === 'items',
  );
  const ids = marked.flatMap((one) => one.ids);
  if (ids.length > 0) project(tx, OF_IDS, jsonText(ids));
  advance(db, 'statuses', lastSeq(db));
}

/** Call it for a touched item that got a row or another key. */
export function projectOne({ db }: Tx, key: number): void {
  run(db, PROJECT_ONE, key);
}

export function projectBetween(tx: Tx, from: number, to: number): boolean {
  return project(tx, OF_KEYS, from, to);
}

function projectAll(tx: Tx): void {
  project(tx, OF_ALL);
}

function project(tx: Tx, insert: string, ...bound: (string | number)[]): boolean {
  const any = touchAll(tx, insert, ...bound);
  if (any) run(tx.db, PROJECT);
  return any;
}

export const statuses: Derived = {
  version: (db) => user.get(db, 'id') ?? '',
  restart: (tx) => {
    projectAll(tx);
    advance(tx.db, 'statuses', lastSeq(tx.db));
  },
  // In one piece: another process could read half of it.
  step: (tx, { at }) => {
    const to = lastSeq(tx.db);
    if (at === to) return null;
    project(tx, OF_LATER, at);
    return after(to);
  },
};

export function followRegister(tx: Tx): void {
  const { db } = tx;
  const known = progress(db, 'statuses');
  const id = user.get(db, 'id');
  // An older copy numbers its records from where it was, so it gets a new name for all mirrors.
  const isOlder = known?.version === id && known.at > lastSeq(db);
  if (id === null || isOlder) user.set(db, 'id', randomUUID());
  derive(tx, 'statuses', statuses);
}

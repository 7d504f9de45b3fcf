import { createHash } from 'node:crypto';
import type { ModelChange, ModelRecord } from '../../contract/model/model.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { readOrNull } from '../database/stored-json.ts';
import { row, rows, run, value, type Db, type WritableDb } from '../sql.ts';
import type { Changes } from '../tx.ts';
import { addRefresh, keptSince } from './change-log.ts';
import { modelChanges } from './model-list-diff.ts';
import { lossOf, type ModelLoss } from './model-losses.ts';

export interface FetchedModelList {
  owner: string;
  modelList: ModelListName;
  records: readonly ModelRecord[];
  /** The part of the API key that may be shown. */
  keyEnding: string | null;
}

interface Held extends Pick<FetchedModelList, 'records' | 'keyEnding'> {
  hash: string;
}

export interface ModelRow {
  id: string;
  body: string;
}

interface ModelListRow {
  hash: string;
  key_ending: string | null;
  held: string | null;
}

export interface StoredRow extends ModelRow {
  position: number;
  first_seen_at: number;
}

interface Pair extends ModelRow {
  position: number;
  stored: StoredRow | undefined;
}

/** Replaces a damaged record, until its list is fetched again. */
export const LOST_BODY = '';

/** Null for a plausible list. Another key may list other models, so its list is believed at once. */
export function lossIn(db: Db, { owner, modelList, keyEnding, records }: FetchedModelList): ModelLoss | null {
  if (findList(db, owner, modelList)?.key_ending !== keyEnding) return null;
  return lossOf(recordsOf(db, owner, modelList), records);
}

/** The records, and saved ones that they lack: ids of records can't be read. */
export function withLacked(db: Db, { owner, modelList, records }: FetchedModelList): ModelRecord[] {
  const listed = new Set(records.map(({ id }) => id.toWellFormed()));
  return [...records, ...recordsOf(db, owner, modelList).filter(({ id }) => !listed.has(id.toWellFormed()))];
}

/** Names the list that was fetched last, held or not: an ETag is of one gateway, key and list. Null if none is saved. */
export function nameOfFetched(
  db: Db,
  { owner, modelList, keyEnding }: Omit<FetchedModelList, 'records'>,
): string | null {
  const hash = value<string>(
    db,
    "SELECT coalesce(held ->> '$.hash', hash) FROM user.model_list WHERE owner = ? AND model_list = ?",
    ...[owner, modelList],
  );
  return hash ? `${owner} ${keyEnding ?? ''} ${hash}` : null;
}

function recordsOf(db: Db, owner: string, modelList: ModelListName): ModelRecord[] {
  return modelsOf(db, owner, modelList).map((model) => recordOf(db, model));
}

/** Keeps a list that lacks too much until the reader accepts it, or another one comes. */
export function hold(db: WritableDb, { owner, modelList, records, keyEnding }: FetchedModelList): void {
  const held: Held = { hash: hashOf(bodiesOf(records).values()), keyEnding, records };
  setHeld(db, owner, modelList, JSON.stringify(held));
}

/** Saves the held list; null if there is none. */
export function accept(
  db: WritableDb,
  owner: string,
  modelList: ModelListName,
  now: number,
  nowForDeleting = now,
): Changes | null {
  const text = findList(db, owner, modelList)?.held ?? null;
  const held = text === null ? null : readOrNull(db, () => JSON.parse(text) as Held);
  return held && replace(db, { owner, modelList, ...held }, now, nowForDeleting);
}

function setHeld(db: WritableDb, owner: string, modelList: ModelListName, held: string | null): void {
  run(
    db,
    'UPDATE user.model_list SET held = ? WHERE owner = ? AND model_list = ? AND held IS NOT ?',
    ...[held, owner, modelList, held],
  );
}

/** Logs the differences as one refresh, except for a first list. Skips identical rows. */
export function replace(db: WritableDb, fetched: FetchedModelList, now: number, nowForDeleting = now): Changes {
  const { owner, modelList, keyEnding } = fetched;
  const stored = findList(db, owner, modelList);
  const bodies = bodiesOf(fetched.records);
  const hash = hashOf(bodies.values());
  if (stored?.hash === hash) {
    confirmList(db, fetched);
    return { added: 0, revised: 0, withdrawn: 0 };
  }
  const before = modelsOf(db, owner, modelList);
  const pairs = pairsOf(bodies, before);
  const withdrawn = before.filter(({ id }) => !bodies.has(id));
  if (stored) {
    const otherKey = stored.key_ending !== keyEnding;
    const changes = changesBetween(db, pairs, withdrawn, now);
    addRefresh(db, { owner, modelList, at: now, otherKey, changes }, nowForDeleting);
  }
  run(
    db,
    `INSERT OR REPLACE INTO user.model_list (owner, model_list, hash, key_ending, stored_at, count)
     VALUES (?, ?, ?, ?, ?, ?)`,
    ...[owner, modelList, hash, keyEnding, now, bodies.size],
  );
  for (const model of withdrawn) withdraw(db, fetched, model, now);
  for (const pair of pairs) put(db, fetched, pair, now);
  run(
    db,
    'DELETE FROM user.model_gone WHERE owner = ? AND model_list = ? AND at < ?',
    ...[owner, modelList, keptSince(nowForDeleting)],
  );
  return {
    added: pairs.filter((pair) => !pair.stored).length,
    revised: pairs.filter((pair) => pair.stored && pair.stored.body !== pair.body).length,
    withdrawn: withdrawn.length,
  };
}

/** Returns null for an unreadable record: the mirror is then marked for a check (docs/decisions/189). */
function readRecord(db: Db, { id, body }: ModelRow): ModelRecord | null {
  if (body === LOST_BODY) return null;
  return readOrNull(db, () => {
    const record = JSON.parse(body) as Partial<ModelRecord> | null;
    if (typeof record !== 'object' || record === null || Array.isArray(record)) throw new TypeError('Not a record.');
    // The row has the id without lone surrogates, as SQLite has none.
    const isOwn = typeof record.id === 'string' && record.id.toWellFormed() === id;
    return isOwn ? (record as ModelRecord) : { ...record, id };
  });
}

/** Returns only the id of an unreadable record, so that a list has all of its models. */
export function recordOf(db: Db, row: ModelRow): ModelRecord {
  return readRecord(db, row) ?? { id: row.id };
}

export function findModel(db: Db, owner: string, modelList: ModelListName, id: string): StoredRow | undefined {
  return row<StoredRow>(
    db,
    'SELECT id, position, first_seen_at, body FROM user.model WHERE owner = ? AND model_list = ? AND id = ?',
    ...[owner, modelList, id],
  );
}

/** In the order of the gateway's list. */
export function modelsOf(db: Db, owner: string, modelList: ModelListName): StoredRow[] {
  return rows<StoredRow>(
    db,
    'SELECT id, position, first_seen_at, body FROM user.model WHERE owner = ? AND model_list = ? ORDER BY position DESC',
    owner,
    modelList,
  );
}

function findList(db: Db, owner: string, modelList: ModelListName): ModelListRow | undefined {
  return row<ModelListRow>(
    db,
    'SELECT hash, key_ending, held FROM user.model_list WHERE owner = ? AND model_list = ?',
    owner,
    modelList,
  );
}

function confirmList(db: WritableDb, { owner, modelList, keyEnding }: FetchedModelList): void {
  setHeld(db, owner, modelList, null);
  run(
    db,
    'UPDATE user.model_list SET key_ending = ? WHERE owner = ? AND model_list = ? AND key_ending IS NOT ?',
    ...[keyEnding, owner, modelList, keyEnding],
  );
}

/** Skips identical models without parsing, and those whose saved record is unreadable: they may not have changed. */
function changesBetween(db: Db, pairs: readonly Pair[], withdrawn: readonly StoredRow[], now: number): ModelChange[] {
  const before = withdrawn.map((model) => recordOf(db, model));
  const after: ModelRecord[] = [];
  for (const pair of pairs) {
    if (pair.stored?.body === pair.body) continue;
    const known = pair.stored && readRecord(db, pair.stored);
    if (known === null) continue;
    if (known) before.push(known);
    after.push(recordOf(db, pair));
  }
  return modelChanges(before, after, now);
}

function put(db: WritableDb, { owner, modelList }: FetchedModelList, pair: Pair, now: number): void {
  const { id, body, position, stored } = pair;
  if (!stored) {
    const firstSeenAt = value<number>(
      db,
      'DELETE FROM user.model_gone WHERE owner = ? AND model_list = ? AND id = ? RETURNING first_seen_at',
      ...[owner, modelList, id],
    );
    run(
      db,
      'INSERT INTO user.model (owner, model_list, id, position, first_seen_at, body) VALUES (?, ?, ?, ?, ?, ?)',
      ...[owner, modelList, id, position, firstSeenAt ?? now, body],
    );
  } else if (stored.body !== body || stored.position !== position) {
    run(
      db,
      'UPDATE user.model SET position = ?, body = ? WHERE owner = ? AND model_list = ? AND id = ?',
      ...[position, body, owner, modelList, id],
    );
  }
}

function withdraw(db: WritableDb, { owner, modelList }: FetchedModelList, model: StoredRow, now: number): void {
  run(db, 'DELETE FROM user.model WHERE owner = ? AND model_list = ? AND id = ?', owner, modelList, model.id);
  run(
    db,
    'INSERT OR REPLACE INTO user.model_gone (owner, model_list, id, first_seen_at, at) VALUES (?, ?, ?, ?, ?)',
    ...[owner, modelList, model.id, model.first_seen_at, now],
  );
}

/** Keeps the first of two records with one id. SQLite stores no lone surrogates, so ids are made well-formed. */
function bodiesOf(records: readonly ModelRecord[]): Map<string, string> {
  const bodies = new Map<string, string>();
  for (const record of records) {
    const id = record.id.toWellFormed();
    if (!bodies.has(id)) bodies.set(id, JSON.stringify(record));
  }
  return bodies;
}

function hashOf(bodies: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const body of bodies) hash.update(body).update('\n');
  return hash.digest('base64url');
}

/** Numbers positions from the end, keeping saved ones: gateways list new models first. */
function pairsOf(bodies: ReadonlyMap<string, string>, before: readonly StoredRow[]): Pair[] {
  const rows = new Map(before.map((row) => [row.id, row]));
  let position = 0;
  const fromTheEnd = [...bodies].toReversed().map(([id, body]) => {
    const stored = rows.get(id);
    position = Math.max(position + 1, stored?.position ?? 0);
    return { id, body, position, stored };
  });
  return fromTheEnd.toReversed();
}

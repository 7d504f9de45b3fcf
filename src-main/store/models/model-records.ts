import type { ModelRecord } from '../../contract/model/model.ts';
import { readOrNull } from '../database/stored-json.ts';
import type { Db } from '../sql.ts';

export interface ModelRow {
  id: string;
  body: string;
}

/** The body of a record that was damaged, until its list is fetched again. */
export const LOST_BODY = '';

/** Returns null for what can't be read: the mirror is then marked for a check (docs/decisions/053). */
export function readRecord(db: Db, { id, body }: ModelRow): ModelRecord | null {
  if (body === LOST_BODY) return null;
  return readOrNull(db, () => {
    const record = JSON.parse(body) as Partial<ModelRecord> | null;
    if (typeof record !== 'object' || record === null || Array.isArray(record)) throw new TypeError('Not a record.');
    // It is found by the id of its row, in which SQLite has no lone surrogates.
    const isOwn = typeof record.id === 'string' && record.id.toWellFormed() === id;
    return isOwn ? (record as ModelRecord) : { ...record, id };
  });
}

/** Returns only the id of one that can't be read, so that a list has all of its models. */
export function recordOf(db: Db, row: ModelRow): ModelRecord {
  return readRecord(db, row) ?? { id: row.id };
}

import type { ModelRecord } from '../../contract/model/model.ts';
import { readOrNull } from '../database/stored-json.ts';
import type { Db } from '../sql.ts';

export interface ModelRow {
  id: string;
  body: string;
}

/** Replaces a damaged record, until its list is fetched again. */
export const LOST_BODY = '';

/** Returns null for an unreadable record: the mirror is then marked for a check (docs/decisions/053). */
export function readRecord(db: Db, { id, body }: ModelRow): ModelRecord | null {
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

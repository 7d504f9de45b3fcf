/** Model lists that lack too much to be believed at once (docs/decisions/148). */
import { numberIn } from '../../common/numbers.ts';
import { basePrices, readPrice } from '../../common/price.ts';
import { isJsonObject, type Json, type ModelRecord } from '../../contract/model/model.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import type { LostKind } from '../../contract/model/sync-status.ts';
import { readOrNull } from '../database/stored-json.ts';
import { row, run, type Db, type WritableDb } from '../sql.ts';

export interface FetchedModelList {
  owner: string;
  modelList: ModelListName;
  records: readonly ModelRecord[];
  /** Ids of records can't be read, so the saved models that it lacks stay. */
  hidesIds?: boolean;
  /** ETag of the response; null without one, or if the list came in several responses. */
  validator: string | null;
  /** The part of the API key that may be shown. */
  keyEnding: string | null;
}

interface UnconfirmedList extends ModelLoss {
  at: number;
}

interface UnconfirmedRow {
  at: number;
  of: ModelLoss['of'];
  saved: number;
  kept: number;
  hash: string;
  records: string;
  etag: string | null;
  key_ending: string | null;
}

export function findUnconfirmed(db: Db, owner: string, modelList: ModelListName): UnconfirmedList | null {
  const found = findRow(db, owner, modelList);
  return found ? { of: found.of, at: found.at, saved: found.saved, kept: found.kept } : null;
}

export function unconfirmedAsFetched(db: Db, owner: string, modelList: ModelListName): FetchedModelList | null {
  const found = findRow(db, owner, modelList);
  if (!found) return null;
  const records = readOrNull(db, () => JSON.parse(found.records) as ModelRecord[]);
  return records && { owner, modelList, records, validator: found.etag, keyEnding: found.key_ending };
}

export function unconfirmedTerms(
  db: Db,
  owner: string,
  modelList: ModelListName,
): { etag: string | null; keyEnding: string | null } | undefined {
  const found = findRow(db, owner, modelList);
  return found && { etag: found.etag, keyEnding: found.key_ending };
}

/** Replaces an earlier list. The doubt began with the first. */
export function keepUnconfirmed(
  db: WritableDb,
  fetched: FetchedModelList,
  loss: ModelLoss,
  hash: string,
  now: number,
): void {
  const { owner, modelList, records, validator, keyEnding } = fetched;
  const earlier = findRow(db, owner, modelList);
  if (earlier?.hash === hash && earlier.etag === validator && earlier.at <= now) return;
  // A later time is of a clock that was set back.
  const at = Math.min(earlier?.at ?? now, now);
  const { of, saved, kept } = loss;
  run(
    db,
    `INSERT OR REPLACE INTO user.held_list (owner, model_list, at, of, saved, kept, hash, records, etag, key_ending)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[owner, modelList, at, of, saved, kept, hash, JSON.stringify(records), validator, keyEnding],
  );
}

export function dropUnconfirmed(db: WritableDb, owner: string, modelList: ModelListName): void {
  if (!findRow(db, owner, modelList)) return;
  run(db, 'DELETE FROM user.held_list WHERE owner = ? AND model_list = ?', owner, modelList);
}

function findRow(db: Db, owner: string, modelList: ModelListName): UnconfirmedRow | undefined {
  return row<UnconfirmedRow>(
    db,
    `SELECT at, of, saved, kept, hash, records, etag, key_ending
     FROM user.held_list WHERE owner = ? AND model_list = ?`,
    owner,
    modelList,
  );
}

/** A list may lack up to this share of the saved values: a gateway changes a few a day. */
const MAX_LOST_SHARE = 1 / 5;
/** In a short list a few are a large share. */
const MAX_FEW_LOST = 3;

export interface ModelLoss {
  of: LostKind;
  saved: number;
  kept: number;
}

export function lossOf(saved: readonly ModelRecord[], received: readonly ModelRecord[]): ModelLoss | null {
  const present = new Map(received.map((record) => [record.id.toWellFormed(), record]));
  const pairs = saved.flatMap((before) => {
    const after = present.get(before.id.toWellFormed());
    return after ? [{ before, after }] : [];
  });
  const models = { of: 'models', saved: saved.length, kept: pairs.length } as const;
  if (models.kept < models.saved / 2 || isLarge(models)) return models;
  const losses: ModelLoss[] = [
    { of: 'prices', ...count(pairs, pricedNames) },
    { of: 'contextLengths', ...count(pairs, contextLengths) },
  ];
  return losses.find(isLarge) ?? null;
}

function isLarge({ saved, kept }: ModelLoss): boolean {
  const lost = saved - kept;
  return lost > MAX_FEW_LOST && lost > saved * MAX_LOST_SHARE;
}

function count(
  pairs: readonly { before: ModelRecord; after: ModelRecord }[],
  valuesOf: (record: ModelRecord) => string[],
): { saved: number; kept: number } {
  let [saved, kept] = [0, 0];
  for (const { before, after } of pairs) {
    const left = new Set(valuesOf(after));
    for (const value of valuesOf(before)) {
      saved += 1;
      if (left.has(value)) kept += 1;
    }
  }
  return { saved, kept };
}

function pricedNames({ pricing }: ModelRecord): string[] {
  if (!isJsonObject(pricing)) return [];
  return Object.entries(basePrices(pricing)).flatMap(([name, price]) => (isPaid(price) ? [name] : []));
}

function isPaid(price: Json): boolean {
  const { kind } = readPrice(price);
  return kind === 'amount' || kind === 'varies';
}

function contextLengths({ context_length: length }: ModelRecord): string[] {
  return (numberIn(length) ?? 0) > 0 ? ['context_length'] : [];
}

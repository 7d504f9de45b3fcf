import { BroadsheetError } from '../../contract/errors.ts';
import {
  isJsonObject,
  type FieldHistory,
  type Json,
  type ModelLine,
  type ModelRecord,
  type StoredModel,
} from '../../contract/model/model.ts';
import { MODEL_LISTS, type ModelListName } from '../../contract/model/resource.ts';
import { expiryOf, modelLine } from '../../common/model-line.ts';
import { perConnection, row, type Db } from '../sql.ts';
import { changesOfModel, wholeSince, type DatedChange } from './change-log.ts';
import { basePrices, priceTiers, tierKey } from '../../common/price.ts';
import { asTime } from '../../common/time.ts';
import { findModel, modelsOf, recordOf, type StoredRow } from './model-lists.ts';
import { aliasesOf, favourites } from './model-statuses.ts';

export { refreshes } from './change-log.ts';
export { lossIn, nameOfFetched, withLacked } from './model-lists.ts';
export { aliases, workloads } from './model-statuses.ts';

interface SavedState {
  at: number;
  hash: string;
}

type Given = Json | undefined;

interface Figure {
  name: string;
  tier?: Json;
  value: Json;
}

interface Step {
  name: string;
  tier?: Given;
  at: number;
  before?: Given;
  after?: Given;
}

const CONTEXT = 'context_length';

/** Kept while `of` is the saved state: parsing thousands of records takes longer than everything else. */
const cacheOf = perConnection(() => new Map<ModelListName, { of: string; lines: readonly ModelLine[] }>());

export function isSaved(db: Db, owner: string): boolean {
  return MODEL_LISTS.some((modelList) => savedState(db, owner, modelList) !== undefined);
}

export function list(
  db: Db,
  owner: string,
  modelList: ModelListName,
): { lines: ModelLine[]; fetchedAt: string | null } {
  const saved = savedState(db, owner, modelList);
  if (!saved) return { lines: [], fetchedAt: null };
  const favouriteAt = favourites(db);
  const lines = linesOf(db, owner, modelList, saved).map((line) => {
    const at = favouriteAt.get(line.id);
    return at === undefined ? line : { ...line, favouriteAt: asTime(at) };
  });
  return { lines, fetchedAt: asTime(saved.at) };
}

export function get(db: Db, owner: string, modelList: ModelListName, id: string): StoredModel {
  const found = findModel(db, owner, modelList, id);
  if (!found) {
    throw new BroadsheetError('not_found', 'This model is not saved: the gateway no longer lists it, or never did.');
  }
  const record = recordOf(db, found);
  const since = Math.max(found.first_seen_at, wholeSince(db, owner, modelList));
  return {
    ...toLine(modelList, found, record, savedState(db, owner, modelList)?.at ?? 0),
    favouriteAt: asTime(favourites(db).get(id) ?? null),
    record,
    aliases: aliasesOf(db, id),
    histories: fieldHistoriesOf(changesOfModel(db, owner, modelList, id), since),
  };
}

function savedState(db: Db, owner: string, modelList: ModelListName): SavedState | undefined {
  return row<SavedState>(
    db,
    'SELECT stored_at AS at, hash FROM user.model_list WHERE owner = ? AND model_list = ?',
    owner,
    modelList,
  );
}

function linesOf(db: Db, owner: string, modelList: ModelListName, saved: SavedState): readonly ModelLine[] {
  const of = `${owner} ${String(saved.at)} ${saved.hash}`;
  const cached = cacheOf(db).get(modelList);
  if (cached?.of === of) return cached.lines;
  const lines = modelsOf(db, owner, modelList).map((model) => toLine(modelList, model, recordOf(db, model), saved.at));
  cacheOf(db).set(modelList, { of, lines });
  return lines;
}

function toLine(modelList: ModelListName, row: StoredRow, record: ModelRecord, storedAt: number): ModelLine {
  const fields = modelLine(record);
  return {
    modelList,
    ...fields,
    expirationDate: expiryOf(fields.expirationDate, storedAt),
    firstSeenAt: asTime(row.first_seen_at) ?? '',
    favouriteAt: null,
  };
}

/** Includes when the model was removed and came back. `changes` are oldest first, complete since `since` (ms). */
function fieldHistoriesOf(changes: readonly DatedChange[], since: number): FieldHistory[] {
  const histories = new Map<string, FieldHistory>();
  for (const { at, field, price, tier, before, after } of changes) {
    if (field === 'price' && price !== undefined) step({ name: price, tier, at, before, after });
    if (field === 'context') step({ name: CONTEXT, at, before, after });
    if (field === 'added') for (const { value, ...of } of figuresOf(after)) step({ ...of, at, after: value });
    if (field === 'removed') for (const { value, ...of } of figuresOf(before)) step({ ...of, at, before: value });
  }
  return [...histories.values()].filter(({ steps }) => steps.length > 1);

  function step({ name, tier, at, before, after }: Step): void {
    const key = `${name}\n${tier === undefined ? '' : tierKey(tier)}`;
    const known = histories.get(key);
    const history = known ?? { field: name, ...(tier !== undefined && { tier }), steps: [] };
    histories.set(key, history);
    // A model added after `since` had no value before it.
    if (!known && at > since) history.steps.push(toStep(since, before));
    history.steps.push(toStep(at, after));
  }
}

function toStep(ms: number, value: Given): FieldHistory['steps'][number] {
  const at = asTime(ms) ?? '';
  return value === undefined ? { at } : { at, value };
}

function figuresOf(fields: Given): Figure[] {
  if (!isJsonObject(fields)) return [];
  const { pricing: given, [CONTEXT]: context } = fields;
  const pricing = isJsonObject(given) ? given : {};
  const named = (prices: Record<string, Json>, tier?: Json): Figure[] =>
    Object.entries(prices).map(([name, value]) => ({ name, ...(tier !== undefined && { tier }), value }));
  return [
    ...named(basePrices(pricing)),
    ...priceTiers(pricing).flatMap((tier) => named(tier.prices, tier.given)),
    ...(context === undefined ? [] : [{ name: CONTEXT, value: context }]),
  ];
}

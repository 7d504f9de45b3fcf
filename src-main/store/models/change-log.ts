import {
  type Json,
  CHANGED_FIELDS,
  type ModelRefresh,
  type ChangedField,
  type ModelChange,
} from '../../contract/model/model.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { modelLine } from '../../common/model-line.ts';
import { asTime } from '../../common/time.ts';
import { readable } from '../database/stored-json.ts';
import { rows, run, sql, value, values, type Db, type WritableDb } from '../sql.ts';

/** Refreshes are kept this long (docs/decisions/015). */
const KEPT_MS = 730 * 24 * 3_600_000;

export interface FoundChanges {
  owner: string;
  modelList: ModelListName;
  at: number;
  otherKey: boolean;
  changes: readonly ModelChange[];
}

export interface DatedChange extends ModelChange {
  at: number;
}

interface ListedModel {
  modelList: ModelListName;
  id: string;
}

interface RefreshRow {
  id: number;
  modelList: ModelListName;
  at: number;
  other_key: number;
}

interface ChangeRow {
  model: string;
  name: string;
  field: ChangedField;
  price: string | null;
  tier: string | null;
  before: string | null;
  after: string | null;
}

const REFRESH = 'id, model_list AS modelList, at, other_key';
const CHANGE = 'model, name, field, price, tier, before, after';
const REFRESHES = sql`SELECT ${REFRESH} FROM user.refresh WHERE owner = ? ORDER BY id DESC LIMIT ?`;
const CHANGES = sql`SELECT ${CHANGE} FROM user.change WHERE refresh = ? ORDER BY rowid`;
const REFRESHES_OF = sql`SELECT ${REFRESH} FROM user.refresh
  WHERE owner = ? AND model_list = ? AND id IN (SELECT refresh FROM user.change WHERE model = ?)
  ORDER BY id DESC LIMIT ?`;
const CHANGES_OF = sql`SELECT ${CHANGE} FROM user.change WHERE refresh = ? AND model = ? ORDER BY rowid`;
const OF_MODEL = sql`SELECT refresh.at, ${CHANGE} FROM user.change JOIN user.refresh ON refresh.id = refresh
  WHERE model = ? AND owner = ? AND model_list = ? ORDER BY change.rowid`;

/** Skips an empty refresh. Deletes outdated ones of this list. */
export function addRefresh(
  db: WritableDb,
  { owner, modelList, at, otherKey, changes }: FoundChanges,
  nowForDeleting: number,
): void {
  if (changes.length === 0) return;
  const { lastInsertRowid: id } = run(
    db,
    'INSERT INTO user.refresh (owner, model_list, at, other_key) VALUES (?, ?, ?, ?)',
    ...[owner, modelList, at, Number(otherKey)],
  );
  for (const { model, name, field, price, tier, before, after } of changes) {
    run(
      db,
      `INSERT INTO user.change (refresh, model, name, field, price, tier, before, after)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, model, name, field, price ?? null, toText(tier), toText(before), toText(after)],
    );
  }
  const outdated = values<number>(
    db,
    'SELECT id FROM user.refresh WHERE owner = ? AND model_list = ? AND at < ?',
    ...[owner, modelList, keptSince(nowForDeleting)],
  );
  for (const one of outdated) {
    run(db, 'DELETE FROM user.change WHERE refresh = ?', one);
    run(db, 'DELETE FROM user.refresh WHERE id = ?', one);
  }
}

export function keptSince(now: number): number {
  return now - KEPT_MS;
}

export function wholeSince(db: Db, owner: string, modelList: ModelListName): number {
  const latest = value<number | null>(
    db,
    'SELECT max(at) FROM user.refresh WHERE owner = ? AND model_list = ?',
    owner,
    modelList,
  );
  return keptSince(latest ?? 0);
}

export function refreshes(db: Db, owner: string, limit: number, of?: ListedModel): ModelRefresh[] {
  const found = of
    ? rows<RefreshRow>(db, REFRESHES_OF, owner, of.modelList, of.id, limit)
    : rows<RefreshRow>(db, REFRESHES, owner, limit);
  return found.map((refresh) => {
    const changes = of ? rows<ChangeRow>(db, CHANGES_OF, refresh.id, of.id) : rows<ChangeRow>(db, CHANGES, refresh.id);
    return toRefresh(db, refresh, changes);
  });
}

export function changesOfModel(db: Db, owner: string, modelList: ModelListName, model: string): DatedChange[] {
  const found = rows<ChangeRow & { at: number }>(db, OF_MODEL, model, owner, modelList);
  return readable(db, found, (change) => ({ ...toChange(change), at: change.at }));
}

function toRefresh(db: Db, refresh: RefreshRow, changes: readonly ChangeRow[]): ModelRefresh {
  const { id, modelList, at, other_key: otherKey } = refresh;
  return {
    id,
    modelList,
    at: asTime(at) ?? '',
    otherKey: otherKey === 1,
    changes: readable(db, changes, (change) => withFigures(toChange(change))),
  };
}

/** Replaces the saved fields of an added or removed model with its figures. */
function withFigures(change: ModelChange): ModelChange {
  const { model, name, field, before, after } = change;
  if (field !== 'added' && field !== 'removed') return change;
  const fields = (field === 'added' ? after : before) ?? null;
  if (typeof fields !== 'object' || Array.isArray(fields)) return { model, name, field };
  const { contextLength, pricing } = modelLine({ ...fields, id: model });
  return { model, name, field, figures: { contextLength, pricing } };
}

function toChange({ model, name, field, price, tier, before, after }: ChangeRow): ModelChange {
  if (!CHANGED_FIELDS.includes(field)) throw new TypeError('Not a kind of change.');
  return {
    model,
    name,
    field,
    ...(price !== null && { price }),
    ...(tier !== null && { tier: JSON.parse(tier) as Json }),
    ...(before !== null && { before: toValue(before) }),
    ...(after !== null && { after: toValue(after) }),
  };
}

/** Removes repeated words: lists were once saved unchecked. */
function toValue(text: string): Json {
  const value = JSON.parse(text) as Json;
  return Array.isArray(value) && value.every((word) => typeof word === 'string') ? [...new Set(value)] : value;
}

function toText(value: Json | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

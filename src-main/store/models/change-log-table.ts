import type { Database } from 'better-sqlite3';
import type { Json } from '../../contract/model/json.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { modelLine } from '../../common/model-fields.ts';
import { CHANGED_FIELDS, type ModelRefresh, type ChangedField, type ModelChange } from '../../contract/model/model.ts';
import { asTime } from '../../common/timestamp.ts';
import { readable } from '../database/stored-json.ts';

/** How long refreshes are kept (docs/decisions/015). */
const KEPT_MS = 730 * 24 * 3_600_000;

/** A refresh to save. `at` is ms since 1970. */
export interface FoundChanges {
  owner: string;
  modelList: ModelListName;
  at: number;
  otherKey: boolean;
  changes: readonly ModelChange[];
}

/** A change of one model, with the time of its refresh in ms since 1970. */
export interface DatedChange extends ModelChange {
  at: number;
}

/** One model and a kind of change since some time. */
export interface RecentChange {
  modelList: ModelListName;
  model: string;
  name: string;
  field: ChangedField;
}

/** A model as a gateway lists it. */
export interface ListedModel {
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

/** The tables `refresh` and `change` of models.db. Write within a transaction. */
export class ChangeLogTable {
  readonly #database: Database;
  readonly #addRefresh;
  readonly #addChange;
  readonly #outdated;
  readonly #removeChanges;
  readonly #removeRefresh;
  readonly #refreshes;
  readonly #changes;
  readonly #refreshesOf;
  readonly #changesOf;
  readonly #ofModel;
  readonly #latest;
  readonly #counts;
  readonly #recent;

  constructor(database: Database) {
    this.#database = database;
    this.#addRefresh = database.prepare(
      'INSERT INTO models.refresh (owner, model_list, at, other_key) VALUES (?, ?, ?, ?)',
    );
    this.#addChange = database.prepare(
      `INSERT INTO models.change (refresh, model, name, field, price, tier, before, after)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#outdated = database
      .prepare<[string, string, number], number>(
        'SELECT id FROM models.refresh WHERE owner = ? AND model_list = ? AND at < ?',
      )
      .pluck();
    this.#removeChanges = database.prepare<[number]>('DELETE FROM models.change WHERE refresh = ?');
    this.#removeRefresh = database.prepare<[number]>('DELETE FROM models.refresh WHERE id = ?');
    this.#refreshes = database.prepare<[string, number], RefreshRow>(
      'SELECT id, model_list AS modelList, at, other_key FROM models.refresh WHERE owner = ? ORDER BY id DESC LIMIT ?',
    );
    this.#changes = database.prepare<[number], ChangeRow>(
      'SELECT model, name, field, price, tier, before, after FROM models.change WHERE refresh = ? ORDER BY rowid',
    );
    this.#refreshesOf = database.prepare<[string, string, string, number], RefreshRow>(
      `SELECT id, model_list AS modelList, at, other_key FROM models.refresh
       WHERE owner = ? AND model_list = ? AND id IN (SELECT refresh FROM models.change WHERE model = ?)
       ORDER BY id DESC LIMIT ?`,
    );
    this.#changesOf = database.prepare<[number, string], ChangeRow>(
      `SELECT model, name, field, price, tier, before, after FROM models.change
       WHERE refresh = ? AND model = ? ORDER BY rowid`,
    );
    this.#ofModel = database.prepare<[string, string, string], ChangeRow & { at: number }>(
      `SELECT refresh.at, model, name, field, price, tier, before, after
       FROM models.change JOIN models.refresh ON refresh.id = refresh
       WHERE model = ? AND owner = ? AND model_list = ? ORDER BY change.rowid`,
    );
    const since = 'FROM models.refresh JOIN models.change ON refresh = refresh.id WHERE owner = ? AND at > ?';
    this.#counts = database.prepare<[string, number], { field: ChangedField; count: number }>(
      `SELECT field, count(DISTINCT model_list || ' ' || model) AS count ${since} GROUP BY field ORDER BY count DESC, field`,
    );
    this.#recent = database.prepare<[string, number, number], RecentChange>(
      `SELECT model_list AS modelList, model, name, field ${since}
       ORDER BY field <> 'added', refresh.id DESC, change.rowid LIMIT ?`,
    );
    this.#latest = database
      .prepare<[string, string], number | null>('SELECT max(at) FROM models.refresh WHERE owner = ? AND model_list = ?')
      .pluck();
  }

  /** Saves a refresh unless it is empty, and deletes those of this model list that are outdated at `expiryTime`. */
  add({ owner, modelList, at, otherKey, changes }: FoundChanges, expiryTime: number): void {
    if (changes.length === 0) return;
    const { lastInsertRowid: id } = this.#addRefresh.run(owner, modelList, at, Number(otherKey));
    for (const { model, name, field, price, tier, before, after } of changes) {
      this.#addChange.run(id, model, name, field, price ?? null, toText(tier), toText(before), toText(after));
    }
    for (const outdated of this.#outdated.all(owner, modelList, this.keptSince(expiryTime))) {
      this.#removeChanges.run(outdated);
      this.#removeRefresh.run(outdated);
    }
  }

  /** Refreshes before this time are outdated. Both times are ms since 1970. */
  keptSince(now: number): number {
    return now - KEPT_MS;
  }

  /** Since when the log has every change of a model list, in ms since 1970. */
  wholeSince(owner: string, modelList: ModelListName): number {
    return this.keptSince(this.#latest.get(owner, modelList) ?? 0);
  }

  /** Newest first. */
  refreshes(owner: string, limit: number): ModelRefresh[] {
    return this.#refreshes.all(owner, limit).map((row) => this.#toRefresh(row, this.#changes.all(row.id)));
  }

  /** The refreshes that changed a model, with its changes only; newest first. */
  refreshesOf(owner: string, { modelList, id }: ListedModel, limit: number): ModelRefresh[] {
    const rows = this.#refreshesOf.all(owner, modelList, id, limit);
    return rows.map((row) => this.#toRefresh(row, this.#changesOf.all(row.id, id)));
  }

  /** How many models changed after `since` (ms since 1970), by the kind of change. */
  countsSince(owner: string, since: number): { field: ChangedField; count: number }[] {
    return this.#counts.all(owner, since);
  }

  /** The changes after `since` (ms since 1970): added models first, then the newest. */
  changedSince(owner: string, since: number, limit: number): RecentChange[] {
    return this.#recent.all(owner, since, limit);
  }

  /** The changes of a model, oldest first. Those of kind added or removed hold the watched fields. */
  ofModel(owner: string, modelList: ModelListName, model: string): DatedChange[] {
    const rows = this.#ofModel.all(model, owner, modelList);
    return readable(this.#database, rows, (row) => ({ ...toChange(row), at: row.at }));
  }

  #toRefresh({ id, modelList, at, other_key: otherKey }: RefreshRow, rows: readonly ChangeRow[]): ModelRefresh {
    return {
      id,
      modelList,
      at: asTime(at) ?? '',
      otherKey: otherKey === 1,
      changes: readable(this.#database, rows, (row) => withFigures(toChange(row))),
    };
  }
}

/** Replaces the saved fields of an added or removed model, which are for its histories, with its figures. */
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

/** A list of words as a set: one that was saved before its words were checked may repeat one. */
function toValue(text: string): Json {
  const value = JSON.parse(text) as Json;
  return Array.isArray(value) && value.every((word) => typeof word === 'string') ? [...new Set(value)] : value;
}

function toText(value: Json | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

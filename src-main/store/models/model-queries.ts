import type { Database } from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { modelLine } from '../../common/model-fields.ts';
import type { ModelRefresh, ModelLine, ModelRecord, StoredModel } from '../../contract/model/model.ts';
import { ChangeLogTable, type ListedModel } from './change-log-table.ts';
import { noteCorruption } from '../database/corruption.ts';
import { explainStoreError } from '../database/errors.ts';
import { asTime } from '../items/item-rows.ts';
import { fieldHistoriesOf } from './price-history.ts';
import { ModelStatusesTable } from './model-statuses-table.ts';

interface BodyRow {
  id: string;
  first_seen_at: number;
  body: string;
}

/** Every question about what gateways list. `owner` is a gateway's `catalogueName`. Errors of all: as the store's. */
export class ModelQueries {
  readonly #database: Database;
  readonly #log: ChangeLogTable;
  readonly #marks: ModelStatusesTable;
  readonly #stored;
  readonly #rows;
  readonly #row;
  /** Lines by model list, as of one stored model list: to read thousands of records again takes longer than all the rest. */
  readonly #kept = new Map<ModelListName, { of: string; lines: readonly ModelLine[] }>();

  constructor(database: Database) {
    this.#database = database;
    this.#log = new ChangeLogTable(database);
    this.#marks = new ModelStatusesTable(database);
    this.#stored = database.prepare<[string, string], { at: number; hash: string }>(
      'SELECT stored_at AS at, hash FROM models.model_list WHERE owner = ? AND model_list = ?',
    );
    this.#rows = database.prepare<[string, string], BodyRow>(
      `SELECT id, first_seen_at, body FROM models.model WHERE owner = ? AND model_list = ? ORDER BY position DESC`,
    );
    this.#row = database.prepare<[string, string, string], BodyRow>(
      'SELECT id, first_seen_at, body FROM models.model WHERE owner = ? AND model_list = ? AND id = ?',
    );
  }

  /** A whole model list, in the gateway's order; `fetchedAt` is null until it was stored once. */
  list(owner: string, modelList: ModelListName): { lines: ModelLine[]; fetchedAt: string | null } {
    return this.#explained(() => {
      const stored = this.#stored.get(owner, modelList);
      if (!stored) return { lines: [], fetchedAt: null };
      const favourites = this.#marks.favourites();
      const lines = this.#lines(owner, modelList, `${owner} ${String(stored.at)} ${stored.hash}`).map((line) => {
        const at = favourites.get(line.id);
        return at === undefined ? line : { ...line, favouriteAt: asTime(at) };
      });
      return { lines, fetchedAt: asTime(stored.at) };
    });
  }

  /** Errors: also `not_found`. */
  model(owner: string, modelList: ModelListName, id: string): StoredModel {
    const stored = this.#explained(() => this.#find(owner, modelList, id));
    if (stored) return stored;
    throw new BroadsheetError('not_found', 'This model is not stored: the gateway lists it no longer, or never did.');
  }

  /** The change log of both model lists, newest first; of one model only what is that model's. */
  refreshes(owner: string, limit: number, model?: ListedModel): ModelRefresh[] {
    return this.#explained(() =>
      model ? this.#log.refreshesOf(owner, model, limit) : this.#log.refreshes(owner, limit),
    );
  }

  /** Nobody's favourites. `of` is another text where another model list is stored. */
  #lines(owner: string, modelList: ModelListName, of: string): readonly ModelLine[] {
    const kept = this.#kept.get(modelList);
    if (kept?.of === of) return kept.lines;
    const lines = this.#rows.all(owner, modelList).map((row) => toLine(modelList, row, toRecord(row), null));
    this.#kept.set(modelList, { of, lines });
    return lines;
  }

  #find(owner: string, modelList: ModelListName, id: string): StoredModel | null {
    const row = this.#row.get(owner, modelList, id);
    if (!row) return null;
    const record = toRecord(row);
    const since = Math.max(row.first_seen_at, this.#log.wholeSince(owner, modelList));
    return {
      ...toLine(modelList, row, record, this.#marks.favourites().get(id) ?? null),
      record,
      aliases: this.#marks.aliasesOf(id),
      histories: fieldHistoriesOf(this.#log.ofModel(owner, modelList, id), since),
    };
  }

  #explained<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      noteCorruption(error, this.#database);
      throw explainStoreError(error);
    }
  }
}

function toLine(modelList: ModelListName, row: BodyRow, record: ModelRecord, favouriteAt: number | null): ModelLine {
  return {
    modelList,
    ...modelLine(record),
    firstSeenAt: asTime(row.first_seen_at) ?? '',
    favouriteAt: asTime(favouriteAt),
  };
}

function toRecord({ body }: BodyRow): ModelRecord {
  return JSON.parse(body) as ModelRecord;
}

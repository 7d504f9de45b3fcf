import type { Database } from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';
import { MODEL_LISTS, type ModelListName } from '../../contract/model/resource.ts';
import { expiryOf, modelLine } from '../../common/model-fields.ts';
import type { ModelRefresh, ModelLine, ModelRecord, StoredModel, Workload } from '../../contract/model/model.ts';
import type { ChangeLogTable, ListedModel, RecentChange } from './change-log-table.ts';
import { asTime } from '../../common/timestamp.ts';
import { recordOf, type ModelRow } from './model-records.ts';
import { fieldHistoriesOf } from './price-history.ts';
import type { HeldList, HeldListsTable } from './held-lists-table.ts';
import type { ModelListsTable } from './model-lists-table.ts';
import type { Alias, ModelStatusesTable } from './model-statuses-table.ts';

interface ModelTables {
  changeLog: ChangeLogTable;
  heldLists: HeldListsTable;
  modelLists: ModelListsTable;
  modelStatuses: ModelStatusesTable;
}

interface BodyRow extends ModelRow {
  first_seen_at: number;
}

/** Model lists with the reader's data. `owner` is the name of a gateway. */
export class ModelQueries {
  readonly #database: Database;
  readonly #log: ChangeLogTable;
  readonly #held: HeldListsTable;
  readonly #lists: ModelListsTable;
  readonly #statuses: ModelStatusesTable;
  readonly #stored;
  readonly #rows;
  readonly #row;
  /**
   * Lines by model list, cached for one saved state: parsing thousands of records takes longer than everything else.
   */
  readonly #cache = new Map<ModelListName, { of: string; lines: readonly ModelLine[] }>();

  constructor(database: Database, { changeLog, heldLists, modelLists, modelStatuses }: ModelTables) {
    this.#database = database;
    this.#log = changeLog;
    this.#held = heldLists;
    this.#lists = modelLists;
    this.#statuses = modelStatuses;
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

  /** True if any model list of a gateway is saved. */
  isSaved(owner: string): boolean {
    return MODEL_LISTS.some((modelList) => this.#stored.get(owner, modelList) !== undefined);
  }

  /** A complete model list in the gateway's order; `fetchedAt` is null if none was saved yet. */
  list(owner: string, modelList: ModelListName): { lines: ModelLine[]; fetchedAt: string | null } {
    const stored = this.#stored.get(owner, modelList);
    if (!stored) return { lines: [], fetchedAt: null };
    const favourites = this.#statuses.favourites();
    const lines = this.#lines(owner, modelList, stored).map((line) => {
      const at = favourites.get(line.id);
      return at === undefined ? line : { ...line, favouriteAt: asTime(at) };
    });
    return { lines, fetchedAt: asTime(stored.at) };
  }

  /** Errors: `not_found`. */
  get(owner: string, modelList: ModelListName, id: string): StoredModel {
    const stored = this.#find(owner, modelList, id);
    if (stored) return stored;
    throw new BroadsheetError('not_found', 'This model is not saved: the gateway no longer lists it, or never did.');
  }

  /** The change log of both model lists, or the changes of one model; newest first. */
  refreshes(owner: string, limit: number, model?: ListedModel): ModelRefresh[] {
    return model ? this.#log.refreshesOf(owner, model, limit) : this.#log.refreshes(owner, limit);
  }

  /** How many models changed after `since` (ms since 1970), by the kind of change. */
  changeCountsSince(owner: string, since: number): ReturnType<ChangeLogTable['countsSince']> {
    return this.#log.countsSince(owner, since);
  }

  /** The changes after `since` (ms since 1970): added models first, then the newest. */
  changedSince(owner: string, since: number, limit: number): RecentChange[] {
    return this.#log.changedSince(owner, since, limit);
  }

  /** The ETag of the list that was fetched last, held or saved, if there is one for this key. */
  validator(owner: string, modelList: ModelListName, keyEnding: string | null): string | undefined {
    return this.#lists.validator(owner, modelList, keyEnding);
  }

  /** The list that waits for the reader's decision before it replaces the saved one; null without one. */
  held(owner: string, modelList: ModelListName): HeldList | null {
    return this.#held.get(owner, modelList);
  }

  /** The reader's aliases of models, by which news items match them. */
  aliases(): Alias[] {
    return this.#statuses.aliases();
  }

  /** In order of creation. */
  workloads(): Workload[] {
    return this.#statuses.workloads();
  }

  /** The lines without favourites. */
  #lines(owner: string, modelList: ModelListName, stored: { at: number; hash: string }): readonly ModelLine[] {
    const of = `${owner} ${String(stored.at)} ${stored.hash}`;
    const cached = this.#cache.get(modelList);
    if (cached?.of === of) return cached.lines;
    const rows = this.#rows.all(owner, modelList);
    const lines = rows.map((row) => toLine(modelList, row, recordOf(this.#database, row), stored.at));
    this.#cache.set(modelList, { of, lines });
    return lines;
  }

  #find(owner: string, modelList: ModelListName, id: string): StoredModel | null {
    const row = this.#row.get(owner, modelList, id);
    if (!row) return null;
    const record = recordOf(this.#database, row);
    const since = Math.max(row.first_seen_at, this.#log.wholeSince(owner, modelList));
    return {
      ...toLine(modelList, row, record, this.#stored.get(owner, modelList)?.at ?? 0),
      favouriteAt: asTime(this.#statuses.favourites().get(id) ?? null),
      record,
      aliases: this.#statuses.aliasesOf(id),
      histories: fieldHistoriesOf(this.#log.ofModel(owner, modelList, id), since),
    };
  }
}

/** A line without a favourite. `storedAt` is when the model list was saved, in ms since 1970. */
function toLine(modelList: ModelListName, row: BodyRow, record: ModelRecord, storedAt: number): ModelLine {
  const fields = modelLine(record);
  return {
    modelList,
    ...fields,
    expirationDate: expiryOf(fields.expirationDate, storedAt),
    firstSeenAt: asTime(row.first_seen_at) ?? '',
    favouriteAt: null,
  };
}

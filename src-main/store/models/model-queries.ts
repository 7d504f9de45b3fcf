import type { Database } from 'better-sqlite3';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Listing } from '../../contract/model/item.ts';
import { modelLine } from '../../common/model-fields.ts';
import type { CatalogueRefresh, ModelLine, ModelRecord, StoredModel } from '../../contract/model/model.ts';
import { ChangeLog, type ListedModel } from './change-log-table.ts';
import { noteDamage } from '../database/corruption.ts';
import { explainStoreError } from '../database/errors.ts';
import { asTime } from '../items/item-rows.ts';
import { coursesOf } from './price-history.ts';
import { ModelMarks } from './model-statuses-table.ts';

interface BodyRow {
  id: string;
  first_seen_at: number;
  body: string;
}

/** Every question about what gateways list. `owner` is a gateway's `catalogueName`. Errors of all: as the store's. */
export class CatalogueShelf {
  readonly #database: Database;
  readonly #log: ChangeLog;
  readonly #marks: ModelMarks;
  readonly #stored;
  readonly #rows;
  readonly #row;
  /** Lines by listing, as of one stored listing: to read thousands of records again takes longer than all the rest. */
  readonly #kept = new Map<Listing, { of: string; lines: readonly ModelLine[] }>();

  constructor(database: Database) {
    this.#database = database;
    this.#log = new ChangeLog(database);
    this.#marks = new ModelMarks(database);
    this.#stored = database.prepare<[string, string], { at: number; hash: string }>(
      'SELECT stored_at AS at, hash FROM catalogue.listing WHERE owner = ? AND listing = ?',
    );
    this.#rows = database.prepare<[string, string], BodyRow>(
      `SELECT id, first_seen_at, body FROM catalogue.model WHERE owner = ? AND listing = ? ORDER BY position DESC`,
    );
    this.#row = database.prepare<[string, string, string], BodyRow>(
      'SELECT id, first_seen_at, body FROM catalogue.model WHERE owner = ? AND listing = ? AND id = ?',
    );
  }

  /** A whole listing, in the gateway's order; `fetchedAt` is null until it was stored once. */
  list(owner: string, listing: Listing): { lines: ModelLine[]; fetchedAt: string | null } {
    return this.#explained(() => {
      const stored = this.#stored.get(owner, listing);
      if (!stored) return { lines: [], fetchedAt: null };
      const favourites = this.#marks.favourites();
      const lines = this.#lines(owner, listing, `${owner} ${String(stored.at)} ${stored.hash}`).map((line) => {
        const at = favourites.get(line.id);
        return at === undefined ? line : { ...line, favouriteAt: asTime(at) };
      });
      return { lines, fetchedAt: asTime(stored.at) };
    });
  }

  /** Errors: also `not_found`. */
  model(owner: string, listing: Listing, id: string): StoredModel {
    const stored = this.#explained(() => this.#find(owner, listing, id));
    if (stored) return stored;
    throw new BroadsheetError('not_found', 'This model is not stored: the gateway lists it no longer, or never did.');
  }

  /** The change log of both listings, newest first; of one model only what is that model's. */
  refreshes(owner: string, limit: number, model?: ListedModel): CatalogueRefresh[] {
    return this.#explained(() =>
      model ? this.#log.refreshesOf(owner, model, limit) : this.#log.refreshes(owner, limit),
    );
  }

  /** Nobody's favourites. `of` is another text where another listing is stored. */
  #lines(owner: string, listing: Listing, of: string): readonly ModelLine[] {
    const kept = this.#kept.get(listing);
    if (kept?.of === of) return kept.lines;
    const lines = this.#rows.all(owner, listing).map((row) => toLine(listing, row, toRecord(row), null));
    this.#kept.set(listing, { of, lines });
    return lines;
  }

  #find(owner: string, listing: Listing, id: string): StoredModel | null {
    const row = this.#row.get(owner, listing, id);
    if (!row) return null;
    const record = toRecord(row);
    const since = Math.max(row.first_seen_at, this.#log.wholeSince(owner, listing));
    return {
      ...toLine(listing, row, record, this.#marks.favourites().get(id) ?? null),
      record,
      aliases: this.#marks.aliasesOf(id),
      courses: coursesOf(this.#log.ofModel(owner, listing, id), since),
    };
  }

  #explained<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      noteDamage(error, this.#database);
      throw explainStoreError(error);
    }
  }
}

function toLine(listing: Listing, row: BodyRow, record: ModelRecord, favouriteAt: number | null): ModelLine {
  return {
    listing,
    ...modelLine(record),
    firstSeenAt: asTime(row.first_seen_at) ?? '',
    favouriteAt: asTime(favouriteAt),
  };
}

function toRecord({ body }: BodyRow): ModelRecord {
  return JSON.parse(body) as ModelRecord;
}

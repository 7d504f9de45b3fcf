import type { Database, Statement } from 'better-sqlite3';
import { BroadsheetError } from '../contract/errors.ts';
import type { Counts, ItemRow, ItemsPage, ItemsQuery, ResourceName, StoredItem, SyncRun } from '../contract/model.ts';
import { Counters } from './counters.ts';
import { noteDamage } from './damage.ts';
import { openForReading } from './database.ts';
import { explainStoreError } from './errors.ts';
import { SERVICE_COLUMNS, fromRecord, toItemRow, type ItemRecord } from './item_rows.ts';
import { Journal, type ScheduleFacts } from './journal.ts';
import { fromKey, keyColumn, listFilter, whereClause, type Filter } from './list_filter.ts';
import { Properties } from './properties.ts';
import { SelectedSet } from './selected_set.ts';
import { snippetsFor } from './snippets.ts';

const COLUMNS = `item.key, item.id, ${SERVICE_COLUMNS.map((name) => `item.${name}`).join(', ')}, item.revised_at,
  listing.generation, mark.read_at, mark.starred_at`;

const ITEM_SQL = `SELECT ${COLUMNS} FROM item JOIN listing USING (key) LEFT JOIN user.mark ON mark.item_id = item.id
  WHERE item.id = ?`;

/** Every question about what is stored, on a connection that cannot write. */
export class StoreReader {
  readonly #database: Database;
  readonly #journal: Journal;
  readonly #properties: Properties;
  readonly #selectedSet: SelectedSet;
  readonly #counters: Counters;
  readonly #statements = new Map<string, Statement>();

  /** @param database a connection of its own, or the writer's where everything is in memory */
  constructor(database: Database) {
    this.#database = database;
    this.#properties = new Properties(database, 'main');
    this.#selectedSet = new SelectedSet(database);
    this.#counters = new Counters(database);
    this.#journal = new Journal(database);
  }

  /** Errors: `not_found` where nothing is stored yet. */
  static open(folder: string): StoreReader {
    const database = openForReading(folder);
    try {
      return new StoreReader(database);
    } catch (error) {
      database.close();
      throw explainStoreError(error);
    }
  }

  /** Newest first, by keyset: a page costs the same at any depth. Errors: `invalid_argument` for a cursor not given here. */
  page(query: ItemsQuery, cursor: string | undefined, limit: number, now: number): ItemsPage {
    return this.#explained(() => this.#page(query, cursor, limit, now));
  }

  /** How many items a list holds. Kept counters answer where there is one for it. */
  count(query: ItemsQuery, now: number): number {
    return this.#explained(() => this.#count(query, now));
  }

  /** Errors: `not_found`. */
  item(id: string): StoredItem {
    const [record] = this.#explained(() => this.#all<ItemRecord>(ITEM_SQL, [id]));
    if (!record) throw new BroadsheetError('not_found', 'This item is not stored: it was withdrawn, or never fetched.');
    return fromRecord(record);
  }

  counts(): Counts {
    return this.#explained(() => this.#counters.read(this.selectedComplete));
  }

  /** What the latest runs of a resource did, newest first. */
  runs(resource: ResourceName, limit: number): SyncRun[] {
    return this.#explained(() => this.#journal.runs(resource, limit)).map((run) => ({
      ...run,
      startedAt: new Date(run.startedAt).toISOString(),
      endedAt: new Date(run.endedAt).toISOString(),
    }));
  }

  /** Whether the selected set is whole. Half a snapshot is never shown as the set. */
  get selectedComplete(): boolean {
    return this.#explained(() => this.#selectedSet.complete);
  }

  get source(): string {
    return this.#explained(() => this.#properties.get('source') ?? '');
  }

  /** When a resource was asked and is to be asked; null for one that never was. */
  facts(resource: ResourceName): ScheduleFacts | null {
    return this.#explained(() => this.#journal.facts(resource));
  }

  close(): void {
    this.#database.close();
  }

  #page(query: ItemsQuery, cursor: string | undefined, limit: number, now: number): ItemsPage {
    const watermark = this.#properties.number('sequence');
    const filter = listFilter(query, now, this.selectedComplete);
    if (!filter) return { rows: [], next: null, watermark };
    if (cursor !== undefined) fromKey(filter, '<', parseCursor(cursor));
    // One more than is shown tells whether there is a next page.
    const records = this.#all<ItemRecord>(pageSql(filter), [...filter.bound, limit + 1]);
    const shown = records.slice(0, limit);
    const last = shown.at(-1);
    const next = records.length > limit && last ? String(last.key) : null;
    return { rows: shown.map((record) => toRow(record, filter)), next, watermark };
  }

  #count(query: ItemsQuery, now: number): number {
    const kept = countOf(query, this.counts());
    if (kept !== null) return kept;
    const filter = listFilter(query, now, this.selectedComplete);
    if (!filter) return 0;
    const sql = `SELECT count(*) AS count FROM ${filter.from} ${whereClause(filter)}`;
    return this.#all<{ count: number }>(sql, filter.bound)[0]?.count ?? 0;
  }

  #all<T>(sql: string, bound: readonly unknown[]): T[] {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement.all(...bound) as T[];
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

/** Reads a page's rows; bound are the filter's values, then how many. The order of the tables is the order of reading. */
export function pageSql(filter: Filter): string {
  return `SELECT ${COLUMNS} FROM ${filter.from} CROSS JOIN item ON item.key = listing.key
    LEFT JOIN user.mark ON mark.item_id = item.id
    ${whereClause(filter)} ORDER BY ${keyColumn(filter)} DESC LIMIT ?`;
}

/** The kept counter of a list, where there is one: stored for ever, not searched, not only the starred ones. */
function countOf({ scope, window, state, category, text }: ItemsQuery, counts: Counts): number | null {
  if (window !== 'any' || state === 'starred' || text?.trim()) return null;
  const place = category === undefined ? counts : counts.categories.find((row) => row.category === category);
  return place?.[scope][state === 'unread' ? 'unread' : 'total'] ?? 0;
}

function toRow(record: ItemRecord, filter: Filter): ItemRow {
  const row = toItemRow(record);
  if (filter.search) row.snippets = snippetsFor({ ...row, sourceName: row.source.name }, filter.search);
  return row;
}

function parseCursor(cursor: string): number {
  if (!/^\d{1,16}$/.test(cursor)) {
    throw new BroadsheetError(
      'invalid_argument',
      'This page address does not belong to this list. Load the list again.',
    );
  }
  return Number(cursor);
}

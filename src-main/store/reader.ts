import type { Database, Statement } from 'better-sqlite3';
import type { ReportKind, ReportLine, StoredReport } from '../contract/model/report.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { SinceLastVisit, Revision, VisitList, Withdrawal } from '../contract/model/visit.ts';
import type { Counts } from '../contract/model/counts.ts';
import type { ItemRow, ItemsPage, ItemsQuery, StoredItem } from '../contract/model/item.ts';
import type { ResourceName } from '../contract/model/resource.ts';
import type { Workload } from '../contract/model/model.ts';
import type { StoredNotification } from '../contract/model/notification.ts';
import { ModelQueries } from './models/model-queries.ts';
import { Counters } from './items/counters.ts';
import { noteCorruption } from './database/corruption.ts';
import { openForReading } from './database/connection.ts';
import { ReportQueries } from './reports/report-queries.ts';
import { explainStoreError } from './database/errors.ts';
import { SERVICE_COLUMNS, fromRecord, toItemRow, type ItemRecord } from './items/item-rows.ts';
import { StoreHealth } from './database/health.ts';
import { FetchLog, type ScheduleState } from './schedule/fetch-log.ts';
import { fromKey, keyColumn, listFilter, whereClause, type Filter } from './items/list-filter.ts';
import { MentionedModels } from './models/mentions/mentioned-models.ts';
import { ModelStatusesTable, type Alias } from './models/model-statuses-table.ts';
import { NotificationQueries } from './notifications/notification-queries.ts';
import { TextPages, type TextPage } from './text-pages.ts';
import { PauseProperty, type Pause } from './schedule/pause.ts';
import { Properties } from './database/properties.ts';
import { RankingsTable } from './stories/rankings-table.ts';
import { Revisions } from './items/revisions-table.ts';
import { countRows } from './database/row-counts.ts';
import { SelectedSet } from './items/selected-set.ts';
import { snippetsFor } from './search/snippets.ts';
import { StoryQueries } from './stories/story-queries.ts';
import { readUserTables, type UserTables } from './user-data/exported-tables.ts';
import { visitLists, VisitsTable } from './items/visits-table.ts';

const COLUMNS = `item.key, item.id, ${SERVICE_COLUMNS.map((name) => `item.${name}`).join(', ')}, item.revised_at,
  item_index.generation, item_status.read_at, item_status.starred_at`;

const ITEM_SQL = `SELECT ${COLUMNS} FROM item JOIN item_index USING (key) LEFT JOIN user.item_status ON item_status.item_id = item.id
  WHERE item.id = ?`;

/** By key, which is by time: both tables are walked in one order. */
const NEWS_SQL = `SELECT ${COLUMNS} FROM mention CROSS JOIN item USING (key) CROSS JOIN item_index USING (key)
  LEFT JOIN user.item_status ON item_status.item_id = item.id WHERE mention.model = ? ORDER BY mention.key DESC LIMIT ?`;

/** Every question about what is stored, on a connection that cannot write. */
export class StoreReader {
  readonly fetchLog: FetchLog;
  readonly rankings: RankingsTable;
  readonly stories: StoryQueries;
  readonly models: ModelQueries;
  readonly health: StoreHealth;
  readonly #database: Database;
  readonly #properties: Properties;
  readonly #pause: PauseProperty;
  readonly #selectedSet: SelectedSet;
  readonly #counters: Counters;
  readonly #visits: VisitsTable;
  readonly #visitList: ReturnType<typeof visitLists>;
  readonly #revisions: Revisions;
  readonly #reports: ReportQueries;
  readonly #modelMarks: ModelStatusesTable;
  readonly #mentioned: MentionedModels;
  readonly #pages: TextPages;
  readonly #notifications: NotificationQueries;
  readonly #statements = new Map<string, Statement>();

  /** @param database a connection of its own, or the writer's where everything is in memory */
  constructor(database: Database) {
    this.#database = database;
    this.#properties = new Properties(database, 'main');
    this.#selectedSet = new SelectedSet(database);
    this.#counters = new Counters(database);
    this.fetchLog = new FetchLog(database);
    this.rankings = new RankingsTable(database);
    this.stories = new StoryQueries(database);
    this.models = new ModelQueries(database);
    this.health = new StoreHealth(database);
    this.#pause = new PauseProperty(database);
    this.#visits = new VisitsTable(database);
    this.#visitList = visitLists(database, COLUMNS, (records) => this.#rows(records));
    this.#revisions = new Revisions(database);
    this.#reports = new ReportQueries(database);
    this.#modelMarks = new ModelStatusesTable(database);
    this.#mentioned = new MentionedModels(database);
    this.#pages = new TextPages(database);
    this.#notifications = new NotificationQueries(database);
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
    return this.explained(() => this.#page(query, cursor, limit, now));
  }

  /** How many items a list holds. Kept counters answer where there is one for it. */
  count(query: ItemsQuery, now: number): number {
    return this.explained(() => this.#count(query, now));
  }

  /** Errors: `not_found`. */
  item(id: string): StoredItem {
    const [record] = this.explained(() => this.#all<ItemRecord>(ITEM_SQL, [id]));
    if (!record) throw new BroadsheetError('not_found', 'This item is not stored: it was withdrawn, or never fetched.');
    return fromRecord(record, this.explained(() => this.#mentioned.of([record.key])).get(record.key) ?? []);
  }

  /** Newest first; empty for an item that was never revised. Errors: `not_found`. */
  revisions(id: string): Revision[] {
    const [record] = this.explained(() => this.#all<ItemRecord>(ITEM_SQL, [id]));
    if (!record) throw new BroadsheetError('not_found', 'This item is not stored: it was withdrawn, or never fetched.');
    return this.explained(() => this.#revisions.of(record.key, record));
  }

  /** What came since the last visit. */
  caughtUp(): SinceLastVisit {
    return this.explained(() => this.#visits.caughtUp());
  }

  /** What a number of {@link caughtUp} stands for, newest first. */
  visitList(which: VisitList): { rows: ItemRow[]; withdrawals: Withdrawal[] } {
    return this.explained(() => {
      const visit = this.#visits.last;
      return visit ? this.#visitList(which, visit) : { rows: [], withdrawals: [] };
    });
  }

  /** Stored items that seem to name a model, newest first; empty also for a model that is not listed. */
  newsOf(model: string, limit: number): ItemRow[] {
    return this.explained(() => this.#rows(this.#all<ItemRecord>(NEWS_SQL, [model, limit])));
  }

  /** A text page of the service; null where it was never fetched. */
  textPage(name: string): TextPage | null {
    return this.explained(() => this.#pages.get(name));
  }

  /** Every daily, weekly or monthly that the service has listed, newest first. */
  reportIndex(kind: ReportKind): ReportLine[] {
    return this.explained(() => this.#reports.index(kind));
  }

  /** Errors: `not_found`. */
  report(kind: ReportKind, label: string): StoredReport {
    return this.explained(() => this.#reports.get(kind, label));
  }

  /** In the order in which they were made. */
  workloads(): Workload[] {
    return this.explained(() => this.#modelMarks.workloads());
  }

  /** What else the reader calls models: words by which the news find them. */
  aliases(): Alias[] {
    return this.explained(() => this.#modelMarks.aliases());
  }

  /** The history of notifications, newest first. */
  notifications(limit: number): StoredNotification[] {
    return this.explained(() => this.#notifications.list(limit));
  }

  /** What the reader did, as an export holds it. */
  userTables(): UserTables {
    return this.explained(() => readUserTables(this.#database));
  }

  /** How many records of a resource are stored; null for those that have kept counters. */
  rows(resource: ResourceName): number | null {
    return this.explained(() => countRows(this.#database, resource));
  }

  counts(): Counts {
    return this.explained(() => this.#counters.read(this.selectedComplete));
  }

  /** Whether the selected set is whole. Half a snapshot is never shown as the set. */
  get selectedComplete(): boolean {
    return this.explained(() => this.#selectedSet.complete);
  }

  get source(): string {
    return this.explained(() => this.#properties.get('source') ?? '');
  }

  /** When a resource was asked and is to be asked; null for one that never was. */
  facts(resource: ResourceName): ScheduleState | null {
    return this.explained(() => this.fetchLog.facts(resource));
  }

  /** The name of the gateway whose model lists the fetch log speaks of; null where none was named yet. */
  get gateway(): string | null {
    return this.explained(() => this.#properties.get('gateway'));
  }

  /** The reader's wish as it is stored, perhaps over by now. */
  get pause(): Pause | null {
    return this.explained(() => this.#pause.get());
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
    return { rows: this.#rows(shown).map((row) => withSnippets(row, filter)), next, watermark };
  }

  #count(query: ItemsQuery, now: number): number {
    const kept = countOf(query, this.counts());
    if (kept !== null) return kept;
    const filter = listFilter(query, now, this.selectedComplete);
    if (!filter) return 0;
    const sql = `SELECT count(*) AS count FROM ${filter.from} ${whereClause(filter)}`;
    return this.#all<{ count: number }>(sql, filter.bound)[0]?.count ?? 0;
  }

  #rows(records: ItemRecord[]): ItemRow[] {
    const models = this.#mentioned.of(records.map(({ key }) => key));
    return records.map((record) => toItemRow(record, models.get(record.key) ?? []));
  }

  #all<T>(sql: string, bound: readonly unknown[]): T[] {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement.all(...bound) as T[];
  }

  /** Runs a question of a table that stands for itself; what SQLite throws becomes the app's error. */
  explained<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      noteCorruption(error, this.#database);
      throw explainStoreError(error);
    }
  }
}

/** Reads a page's rows; bound are the filter's values, then how many. The order of the tables is the order of reading. */
export function pageSql(filter: Filter): string {
  return `SELECT ${COLUMNS} FROM ${filter.from} CROSS JOIN item ON item.key = item_index.key
    LEFT JOIN user.item_status ON item_status.item_id = item.id
    ${whereClause(filter)} ORDER BY ${keyColumn(filter)} DESC LIMIT ?`;
}

/** The kept counter of a list, where there is one: stored for ever, not searched, not only the starred ones. */
function countOf({ scope, window, state, category, text }: ItemsQuery, counts: Counts): number | null {
  if (window !== 'any' || state === 'starred' || text?.trim()) return null;
  const place = category === undefined ? counts : counts.categories.find((row) => row.category === category);
  return place?.[scope][state === 'unread' ? 'unread' : 'total'] ?? 0;
}

function withSnippets(row: ItemRow, { search }: Filter): ItemRow {
  return search ? { ...row, snippets: snippetsFor({ ...row, sourceName: row.source.name }, search) } : row;
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

import type { Database } from 'better-sqlite3';
import { asTime } from '../../common/timestamp.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Counts } from '../../contract/model/counts.ts';
import type {
  FoldedReports,
  Item,
  ItemPlaces,
  ItemRow,
  ItemsCount,
  ItemsPage,
  ItemsQuery,
  HidingRule,
  StoredItem,
} from '../../contract/model/item.ts';
import type { OnlineResult, Revision } from '../../contract/model/visit.ts';
import type { Properties } from '../database/properties.ts';
import { STATUS_JOIN, THIS_MIRROR } from '../database/this-mirror.ts';
import { readOrNull } from '../database/stored-json.ts';
import { ITEM_HAS_NOTE } from '../user-data/notes.ts';
import { mentionedModels } from '../models/mentions/mentioned-models.ts';
import type { AppliedRules } from '../rules/applied-rules.ts';
import { parseSearch } from '../search/search-query.ts';
import { SourceList } from './lists/source-list.ts';
import { snippetsFor } from '../search/snippets.ts';
import type { Counters } from './counters.ts';
import { openDepartures } from './departures.ts';
import { countParked, parkingOf, type Parking } from './parked-items.ts';
import { fromRecord, ITEM_COLUMNS, STARTED_AT, toItemRows, type ItemRecord } from './item-rows.ts';
import { fromKey, keysOf, listFilter, rowsOf, type Filter } from './lists/list-filter.ts';
import { FoldedRows } from './lists/folded-rows.ts';
import { countOf, sizesOf } from './lists/list-counts.ts';
import { endOf, pageOf, parseCursor } from './lists/list-pages.ts';
import { StatementCache, type BoundSql } from './lists/statement-cache.ts';
import { revisionsOf } from './revisions.ts';
import type { SelectedSet } from './selected-set.ts';
import { earliestTime, keyAt, sortTime } from './time-key.ts';
import { countWithdrawnStars, withdrawnStars, type PlacedRow } from './withdrawn-stars.ts';

const ITEM_SQL = `SELECT ${ITEM_COLUMNS} FROM item JOIN item_index USING (key) ${STATUS_JOIN}
  WHERE item.id = ?`;

/** Not of an item that came back. */
const WITHDRAWAL_SQL = `SELECT max(at) AS at FROM withdrawal
  WHERE id = ? AND NOT EXISTS (SELECT 1 FROM item WHERE item.id = withdrawal.id)`;

/** In key order, which is time order. */
const NEWS_SQL = `SELECT ${ITEM_COLUMNS} FROM mention CROSS JOIN item_index USING (key) CROSS JOIN item USING (arrival)
  ${STATUS_JOIN} WHERE mention.model = ? AND item_index.muted = 0 ORDER BY mention.key DESC LIMIT ?`;

/** Bind a JSON list of keys. */
const ROWS_SQL = `SELECT ${ITEM_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN item_index ON item_index.key = wanted.value
  CROSS JOIN item ON item.arrival = item_index.arrival ${STATUS_JOIN}`;

/** Withdrawn items with one place that are shown. */
const MOST_IN_A_SECOND = 64;

/** Results of a search that are counted at most: nobody needs the exact number, and each is looked up. */
export const MAX_COUNTED = 1_000;

const STARRED: ItemsQuery = { scope: 'all', window: 'any', state: 'starred' };

interface ItemQueryTables {
  mirror: Properties;
  selectedSet: SelectedSet;
  counters: Counters;
  appliedRules: AppliedRules;
}

interface KnownItem {
  generation: number;
  left_at: number | null;
  revised_at: number | null;
  started_at: number | null;
}

/** Lists of items, with or without a search, and single items. */
export class ItemQueries {
  readonly #database: Database;
  readonly #tables: ItemQueryTables;
  readonly #known;
  readonly #key;
  readonly #status;
  readonly #isListed;
  readonly #lacksReason;
  readonly #listedSince;
  readonly #markedSince;
  readonly #isKept;
  readonly #folded: FoldedRows;
  readonly #sources: SourceList;
  readonly #hiding;
  readonly #statements: StatementCache;

  constructor(database: Database, tables: ItemQueryTables) {
    this.#database = database;
    this.#tables = tables;
    this.#statements = new StatementCache(database);
    this.#folded = new FoldedRows(database, tables.selectedSet);
    this.#sources = new SourceList(database, tables.mirror);
    this.#hiding = database.prepare<[number], HidingRule>(
      `SELECT id, query FROM rule_match CROSS JOIN rule USING (slot) WHERE key = ? AND kind = 'mute' AND gone = 0
       ORDER BY slot`,
    );
    this.#known = database.prepare<[string], KnownItem>(
      `SELECT generation, revised_at, CASE WHEN unread = 0 THEN ${STARTED_AT} END AS started_at, (SELECT at FROM departure WHERE departure.id = item.id) AS left_at
       FROM item JOIN item_index USING (key) WHERE item.id = ?`,
    );
    this.#key = database.prepare<[string], number>('SELECT key FROM item WHERE id = ?').pluck();
    this.#status = database.prepare<[string], { read_at: number | null; starred_at: number | null }>(
      `SELECT read_at, starred_at FROM user.item_status WHERE mirror = ${THIS_MIRROR} AND item_id = ?`,
    );
    this.#isListed = database
      .prepare<[string], number>('SELECT listed FROM item JOIN item_index USING (key) WHERE id = ?')
      .pluck();
    this.#lacksReason = database.prepare<[string], number>('SELECT reason IS NULL FROM item WHERE id = ?').pluck();
    this.#listedSince = database.prepare<
      [number],
      { id: string; published_at: string | null; discovered_at: string | null }
    >(
      `SELECT id, published_at, discovered_at FROM item_index JOIN item USING (arrival)
       WHERE item_index.key >= ? AND generation = 0 AND listed = 1`,
    );
    this.#markedSince = database.prepare<[number], { marked: number; lacking: number }>(
      `SELECT count(*) AS marked,
              count(*) FILTER (WHERE generation = 0 AND NOT EXISTS (
                SELECT 1 FROM departure WHERE departure.id = item.id AND confirmed = 0)) AS lacking
       FROM item_index JOIN item USING (arrival) WHERE item_index.key >= ? AND listed = 1 AND item.selected = 1`,
    );
    this.#isKept = database
      .prepare<[string], number>(
        `SELECT ${ITEM_HAS_NOTE} OR EXISTS (SELECT 1 FROM user.item_status
           WHERE mirror = ${THIS_MIRROR} AND item_id = item.id AND starred_at IS NOT NULL)
         FROM (SELECT ? AS id) AS item`,
      )
      .pluck();
  }

  /** Newest first, by keyset: every page costs the same. Errors: `invalid_argument` for an unknown cursor. */
  page(query: ItemsQuery, cursor: string | undefined, limit: number, now: number): ItemsPage {
    const watermark = this.#tables.mirror.number('sequence');
    const filter = this.#filter(query, now);
    if (!filter) return { rows: [], places: [], next: null, watermark };
    const below = cursor === undefined ? null : parseCursor(cursor);
    if (below !== null) fromKey(filter, '<', below);
    // One extra row shows whether there is a next page.
    const records = this.#statements.all<ItemRecord>(pageSql(filter, limit + 1));
    const stars = withdrawnStars(this.#database, query, below, limit + 1, now);
    const { shown, next } = pageOf<ItemRecord | PlacedRow>([...records, ...stars], limit);
    const saved = this.#rows(shown.filter((place): place is ItemRecord => !('row' in place))).map((row) =>
      withSnippets(row, filter),
    );
    const byId = new Map(saved.map((row) => [row.id, row]));
    const keyed = new Map(shown.map((place) => [place.key, 'row' in place ? undefined : byId.get(place.id)]));
    this.#nameRules(query, keyed);
    const folded = this.#folded.of(
      shown.map(({ key }) => key),
      query,
      now,
    );
    const placed = shown
      .map((place) => ({
        place: place.key,
        row: 'row' in place ? place.row : withFolded(byId.get(place.id), folded.get(place.key)),
      }))
      .filter((one): one is { place: number; row: ItemRow } => one.row !== undefined);
    return { rows: placed.map(({ row }) => row), places: placed.map(({ place }) => place), next, watermark };
  }

  /**
   * The places of a list, newest first, from below a place: they are read from an index alone.
   */
  places(query: ItemsQuery, below: number | undefined, limit: number, now: number): ItemPlaces {
    const filter = this.#filter(query, now);
    if (!filter) return { places: [], more: false };
    if (below !== undefined) fromKey(filter, '<', below);
    const keys = this.#statements.pluck<number>(keysOf(filter, limit + 1));
    const stars = withdrawnStars(this.#database, query, below ?? null, limit + 1, now)
      .map(({ key }) => key)
      .filter((key) => below === undefined || key < below);
    const places = stars.length === 0 ? keys : [...keys, ...stars].sort((a, b) => b - a);
    const end = endOf(places, (place) => place, limit);
    return { places: places.slice(0, end), more: places.length > end };
  }

  /**
   * The rows at these places, also those that no longer match; null where nothing is saved any more. With `ids`, those of
   * these items, wherever they are now.
   */
  rows(query: ItemsQuery, at: readonly number[], now: number, ids: readonly string[] = []): (ItemRow | null)[] {
    const places = at.map((place, index) => this.#key.get(ids[index] ?? '') ?? place);
    const records = this.#statements.all<ItemRecord>({ sql: ROWS_SQL, bound: [JSON.stringify([...new Set(places)])] });
    const parsed = parseSearch(query.text ?? '');
    const search = parsed.blank ? null : parsed;
    const keys = new Map(records.map(({ id, key }) => [id, key]));
    const folded = this.#folded.of([...keys.values()], query, now);
    const saved = this.#rows(records).map((row) => {
      const key = keys.get(row.id);
      return { key, row: withSnippets(withFolded(row, folded.get(key ?? -1)), { search }) };
    });
    this.#nameRules(query, new Map(saved.map(({ key, row }) => [key ?? -1, row])));
    const below = Math.max(...places) + 1;
    const stars = withdrawnStars(this.#database, query, below, places.length + MOST_IN_A_SECOND, now);
    // A withdrawn item may share its place with a saved one, which comes first, as in a page.
    const found = Map.groupBy([...saved, ...stars], ({ key }) => key);
    return places.map((place) => found.get(place)?.shift()?.row ?? null);
  }

  /** The number of items in a list if a counter has it, else null. */
  counted(query: ItemsQuery): ItemsCount | null {
    // What is shown before the selected set is complete has no counter.
    if (query.scope === 'selected' && !this.#tables.selectedSet.complete) return null;
    const count = countOf(query, this.counts());
    if (count === null) return null;
    // A list with a counter has no time window, so that the time does not matter.
    const folded = this.#folded.count(query, 0);
    return withFoldedCount({ count: count - folded }, folded);
  }

  /** The number of items in a list, from a counter if there is one. Results of a search are counted to a limit. */
  count(query: ItemsQuery, now: number): ItemsCount {
    const counted = this.counted(query);
    if (counted) return counted;
    const folded = this.#folded.count(query, now);
    const stars = countWithdrawnStars(this.#database, query, now);
    const filter = this.#filter(query, now);
    if (!filter) return { count: 0 };
    const limit = filter.search ? MAX_COUNTED + 1 : -1;
    const count = this.#statements.all<{ count: number }>(countSql(filter, limit))[0]?.count ?? 0;
    if (filter.search && count > MAX_COUNTED) return { count: MAX_COUNTED, atLeast: true };
    return withFoldedCount({ count: stars + count }, folded);
  }

  /** The items for which a row of a list stands, itself too, newest first. */
  folded(query: ItemsQuery, id: string, now: number): ItemRow[] {
    const keys = this.#folded.keysUnder(this.#record(id).key, query, now);
    return this.#rows(
      this.#statements.all<ItemRecord>({ sql: ROWS_SQL, bound: [JSON.stringify(keys)] }).sort((a, b) => b.key - a.key),
    );
  }

  /** In a list of hidden items, each row names the rules that hide it. */
  #nameRules(query: ItemsQuery, rows: ReadonlyMap<number, ItemRow | undefined>): void {
    if (!query.muted) return;
    for (const [key, row] of rows) if (row) row.mutedBy = this.#hiding.all(key);
  }

  #filter(query: ItemsQuery, now: number): Filter | null {
    const { selectedSet, appliedRules } = this.#tables;
    const { complete } = selectedSet;
    const saved = query.saved === undefined ? null : appliedRules.search(query.saved);
    if (!query.text?.trim()) return listFilter(query, now, complete, { saved });
    // The counters don't know how many items of a list are hidden, or in a saved search.
    const isKnown = complete && saved === null && !query.muted;
    const counts = this.counts();
    const sizes = isKnown ? { sizes: (list: ItemsQuery) => sizesOf(list, counts) } : {};
    return listFilter(query, now, complete, { ...sizes, ...this.#sources.forFilter(), saved });
  }

  /** The counters of all lists. An incomplete selected set counts as empty. */
  counts(): Counts {
    const counts = this.#tables.counters.read(this.#tables.selectedSet.complete);
    const starred = { ...counts.starred };
    starred.total += countWithdrawnStars(this.#database, STARRED, 0);
    return { ...counts, starred };
  }

  /** What is saved, hidden or not: for syncs, which must not depend on what a reader hides. */
  stored(): { all: number; selected: number } {
    const { all, selected } = this.#tables.counters.stored();
    return { all, selected: this.#tables.selectedSet.complete ? selected : 0 };
  }

  /** Errors: `not_found`. */
  get(id: string): StoredItem {
    const record = this.#record(id);
    const models = mentionedModels(this.#database, [record.key]).get(record.key) ?? [];
    const item = readOrNull(this.#database, () => fromRecord(record, models));
    if (item) return item;
    throw new BroadsheetError('not_found', 'This saved item is damaged. It is downloaded again with the next syncs.');
  }

  /** Newest first; empty if the item was never revised. Errors: `not_found`. */
  revisions(id: string): Revision[] {
    const record = this.#record(id);
    return revisionsOf(this.#database, record.key, record);
  }

  /** Saved items that seem to name a model, newest first; empty also for a model that is not listed. */
  naming(model: string, limit: number): ItemRow[] {
    return this.#rows(this.#statements.all<ItemRecord>({ sql: NEWS_SQL, bound: [model, limit] }));
  }

  /**
   * Adds saved data to an item from an online search: whether it is in the lists, and its status, which may exist
   * without a saved item. The texts stay as received.
   */
  online(item: Item, now: number): OnlineResult {
    const known = this.#known.get(item.id);
    const status = this.#status.get(item.id);
    return {
      ...item,
      effectiveAt: asTime(sortTime(item, now)) ?? '',
      stored: known !== undefined,
      inSelectedSet: known !== undefined && known.generation > 0,
      leftSelectionAt: asTime(known?.left_at ?? null),
      withdrawnAt: null,
      revisedAt: asTime(known?.revised_at ?? null),
      state: {
        readAt: asTime(status?.read_at ?? known?.started_at ?? null),
        starredAt: asTime(status?.starred_at ?? null),
      },
      // Mentions are found only in saved items.
      models: [],
    };
  }

  /** True if the reader starred an item or wrote a note about it. It need not be saved. */
  isKept(id: string): boolean {
    return this.#isKept.get(id) === 1;
  }

  /** True if an item is saved or kept by the reader, and so exempt from the age limit for new items. */
  isSavedOrKept(id: string): boolean {
    return this.#key.get(id) !== undefined || this.isKept(id);
  }

  /** Whether GET /items has returned this item before. Paging back may stop at such an item. */
  isListed(id: string): boolean {
    return this.#isListed.get(id) === 1;
  }

  /** Whether an item is saved without a reason. */
  lacksReason(id: string): boolean {
    return this.#lacksReason.get(id) === 1;
  }

  /** When an item that is not saved was withdrawn (RFC 3339); null for any other. */
  withdrawnAt(id: string): string | null {
    const [withdrawal] = this.#statements.all<{ at: number | null }>({ sql: WITHDRAWAL_SQL, bound: [id] });
    return asTime(withdrawal?.at ?? null);
  }

  /** The number of items that are parked for this reason. */
  parked(parking: Parking): number {
    return countParked(this.#database, parking);
  }

  /** Why an item is parked; undefined for one that isn't. */
  parkingOf(id: string): Parking | undefined {
    return parkingOf(this.#database, id);
  }

  /** The items that left the selected set and may be withdrawn; since when, in ms since 1970. */
  openDepartures(): { id: string; at: number }[] {
    return openDepartures(this.#database);
  }

  /** Unselected items from the list whose times are all at or after `since` (ms since 1970). */
  listedSince(since: number, now: number): string[] {
    return this.#listedSince
      .all(keyAt(since))
      .filter((row) => earliestTime({ discoveredAt: row.discovered_at, publishedAt: row.published_at }, now) >= since)
      .map(({ id }) => id);
  }

  /**
   * How many items since then (ms since 1970) the list marks as selected, and how many of these the selected set lacks. What
   * left it, and was not seen in the list since, counts as belonging elsewhere.
   */
  markedSince(since: number): { marked: number; lacking: number } {
    return this.#markedSince.get(keyAt(since)) ?? { marked: 0, lacking: 0 };
  }

  #record(id: string): ItemRecord {
    const [record] = this.#statements.all<ItemRecord>({ sql: ITEM_SQL, bound: [id] });
    if (!record)
      throw new BroadsheetError(
        'not_found',
        'This item is not saved: it was withdrawn, it left the selected set and is older than the seven days that the news service lists, or it was never downloaded.',
      );
    return record;
  }

  #rows(records: ItemRecord[]): ItemRow[] {
    return toItemRows(this.#database, records);
  }
}

/** Reads the rows of a page. */
export function pageSql(filter: Filter, limit: number): BoundSql {
  return rowsOf(filter, ITEM_COLUMNS, STATUS_JOIN, limit);
}

/** Counts a list up to a limit. */
function countSql(filter: Filter, limit: number): BoundSql {
  const { sql, bound } = keysOf(filter, limit);
  return { sql: `SELECT count(*) AS count FROM (${sql})`, bound };
}

function withFolded<Row extends ItemRow | undefined>(row: Row, folded: FoldedReports | undefined): Row {
  return row && folded ? { ...row, folded } : row;
}

function withFoldedCount(count: ItemsCount, folded: number): ItemsCount {
  return folded === 0 ? count : { ...count, folded };
}

function withSnippets(row: ItemRow, { search }: Pick<Filter, 'search'>): ItemRow {
  return search ? { ...row, snippets: snippetsFor({ ...row, sourceName: row.source.name }, search) } : row;
}

import type { ItemsQuery } from '../../contract/model/item.ts';
import { sourceKey } from '../../common/source-label.ts';
import { foldBit, foldsStories } from '../stories/folds-table.ts';
import { keyAt } from './time-key.ts';
import { restrictTo, SEARCH_SCHEMA, type SearchedList } from '../search/search-index.ts';
import { parseSearch, type ParsedSearch } from '../search/search-query.ts';

const WINDOW_MS = { '24h': 24 * 3_600_000, '7d': 7 * 24 * 3_600_000 };

/** The list covers seven days (document 1 section 4.1), by clocks that may differ. */
const PREVIEWED_MS = 8 * 24 * 3_600_000;

/** The start of a list's window in ms since 1970; 0 for any time. */
export function windowStart({ window }: ItemsQuery, now: number): number {
  return window === 'any' ? 0 : now - WINDOW_MS[window];
}

/** A part of a statement, with its bound values in order. */
export interface Filter {
  /** The tables to read: `item_index`, joined to the search index for a search. */
  from: string;
  where: string[];
  bound: (string | number)[];
  search: ParsedSearch | null;
  /** The column to order by: the key of the table that is read first. */
  key: 'item_text.rowid' | 'item_index.key';
}

/** Up to so many unread or starred items are looked up in the search index one by one, each in some 20 µs. */
const FEW = 300;

/** How many items there are, as far as the counters know: this decides how a search reads, not what it finds. */
export interface ListSizes {
  /** At most so many are in the list without the search and its time window. */
  list: number;
  /** The list without its state: of all items, those in its scope, those in its category, those in both. */
  all: number;
  inScope: number;
  inCategory: number;
  inBoth: number;
}

const OF_SOURCE = 'item_index.source = (SELECT id FROM source WHERE source.key = ?)';

const UNKNOWN: ListSizes = { list: Infinity, all: Infinity, inScope: 0, inCategory: 0, inBoth: 0 };

/**
 * With up to so many rows looked at for each row found, it is faster to look at the rows of all hits. For fewer, the
 * index itself finds those in the list; but it then reads the entries of the whole list, one after another.
 */
const MOST_LOOKED_AT = 16;

/**
 * The content of a list as SQL over `item_index`. Null if nothing can match: a search without a word.
 *
 * @param sizes if they are known: a short list is read first
 */
export function listFilter(
  query: ItemsQuery,
  now: number,
  selectedComplete: boolean,
  sizes: ListSizes = UNKNOWN,
): Filter | null {
  const isPreview = query.scope === 'selected' && !selectedComplete;
  const filter: Filter = { from: 'item_index', where: [], bound: [], search: null, key: 'item_index.key' };
  const search = parseSearch(query.text ?? '');
  if (!search.blank) {
    if (search.match === null) return null;
    filter.search = search;
    if (sizes.list <= FEW && !hasPrefix(search)) {
      filter.from = `item_index CROSS JOIN ${SEARCH_SCHEMA}.item_text ON item_text.rowid = item_index.key`;
      add(filter, 'item_text MATCH ?', search.match);
    } else {
      filter.from = `${SEARCH_SCHEMA}.item_text CROSS JOIN item_index ON item_index.key = item_text.rowid`;
      filter.key = 'item_text.rowid';
      const list = narrowed(isPreview ? { ...query, scope: 'all' } : query, sizes);
      add(filter, 'item_text MATCH ?', restrictTo(search.match, list));
    }
  }
  if (isPreview) preview(filter, now);
  else if (query.scope === 'selected') add(filter, 'item_index.generation > 0');
  // Starred items and those of a source are fewer than those of a category: the unary plus keeps SQLite from reading those.
  const category =
    query.state === 'starred' || query.source !== undefined ? '+item_index.category = ?' : 'item_index.category = ?';
  if (query.category !== undefined) add(filter, category, query.category);
  if (query.source !== undefined) add(filter, OF_SOURCE, sourceKey(query.source));
  if (query.state === 'unread') add(filter, 'item_index.unread = 1');
  if (query.state === 'starred') add(filter, 'item_index.starred = 1');
  // What stands for an item need not be in a preview.
  if (foldsStories(query) && !isPreview) {
    // A lookup for each row: a list of a hundred thousand keys is then still read from an index alone.
    const isFolded = `SELECT 1 FROM fold WHERE fold.key = item_index.key AND fold.bits & ${String(foldBit(query))}`;
    add(filter, `NOT EXISTS (${isFolded})`);
  }
  if (query.window !== 'any') fromKey(filter, '>=', keyAt(windowStart(query, now)));
  return filter;
}

/**
 * Before the first snapshot of the selected set is complete: recent items that the list of all items has and that it says
 * are selected. Half a snapshot is no set, but these are readable at once (docs/decisions/077).
 */
function preview(filter: Filter, now: number): void {
  fromKey(filter, '>=', keyAt(now - PREVIEWED_MS));
  add(filter, 'item_index.listed = 1');
  add(filter, 'EXISTS (SELECT 1 FROM item AS shown WHERE shown.arrival = item_index.arrival AND shown.selected = 1)');
}

/** The restrictions that the index applies itself: none for a large part of all items, else each that excludes most. */
function narrowed({ scope, category }: ItemsQuery, { all, inScope, inCategory, inBoth }: ListSizes): SearchedList {
  if (inBoth * MOST_LOOKED_AT >= all) return { selected: false };
  return {
    selected: scope === 'selected' && inScope * 2 < all,
    category: inCategory * 2 < all ? category : undefined,
  };
}

/** The beginning of a word is looked up in a hundred times that. */
function hasPrefix({ groups, excluded }: ParsedSearch): boolean {
  return [...groups.flat(), ...excluded].some(({ prefix }) => prefix);
}

/** Limits a filter by key, on the table that is read first: this makes paging cheap. */
export function fromKey(filter: Filter, operator: '>=' | '<', key: number): void {
  // Numbers are bound as REAL, but FTS5 seeks only to an INTEGER.
  add(filter, `${filter.key} ${operator} CAST(? AS INTEGER)`, key);
}

export function add(filter: Filter, condition: string, ...bound: (string | number)[]): void {
  filter.where.push(condition);
  filter.bound.push(...bound);
}

export function whereClause(filter: Filter): string {
  return filter.where.length === 0 ? '' : `WHERE ${filter.where.join(' AND ')}`;
}

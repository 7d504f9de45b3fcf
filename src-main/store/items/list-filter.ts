import type { ItemsQuery } from '../../contract/model/item.ts';
import { keyAt } from './time-key.ts';
import { SEARCH_SCHEMA } from '../search/search-index.ts';
import { parseSearch, type ParsedSearch } from '../search/search-query.ts';

const WINDOW_MS = { '24h': 24 * 3_600_000, '7d': 7 * 24 * 3_600_000 };

/** A part of a statement, with what is bound to it in order. */
export interface Filter {
  /** Tables to read from: `item_index`, behind the search index where a text is searched for. */
  from: string;
  where: string[];
  bound: (string | number)[];
  search: ParsedSearch | null;
}

/**
 * What a list shows, as SQL over `item_index`. Null where nothing can match: a text without a word in it, or the selected set
 * while that is not `selectedComplete`, for half a snapshot is not the set.
 */
export function listFilter(query: ItemsQuery, now: number, selectedComplete: boolean): Filter | null {
  if (query.scope === 'selected' && !selectedComplete) return null;
  const filter: Filter = { from: 'item_index', where: [], bound: [], search: null };
  const search = parseSearch(query.text ?? '');
  if (!search.blank) {
    if (search.match === null) return null;
    filter.search = search;
    filter.from = `${SEARCH_SCHEMA}.item_text CROSS JOIN item_index ON item_index.key = item_text.rowid`;
    add(filter, 'item_text MATCH ?', search.match);
  }
  if (query.scope === 'selected') add(filter, 'item_index.generation > 0');
  if (query.category !== undefined) add(filter, 'item_index.category = ?', query.category);
  if (query.state === 'unread') add(filter, 'item_index.unread = 1');
  if (query.state === 'starred') add(filter, 'item_index.starred = 1');
  if (query.window !== 'any') fromKey(filter, '>=', keyAt(now - WINDOW_MS[query.window]));
  return filter;
}

/** Narrows a filter by key, in the terms of the table that is read first: that is what makes paging cheap. */
export function fromKey(filter: Filter, operator: '>=' | '<', key: number): void {
  // A number is bound as REAL, and FTS5 goes straight to an INTEGER only.
  add(filter, `${keyColumn(filter)} ${operator} CAST(? AS INTEGER)`, key);
}

/** The column to order by: that of the table which is read first. */
export function keyColumn(filter: Filter): string {
  return filter.search ? 'item_text.rowid' : 'item_index.key';
}

export function add(filter: Filter, condition: string, ...bound: (string | number)[]): void {
  filter.where.push(condition);
  filter.bound.push(...bound);
}

export function whereClause(filter: Filter): string {
  return filter.where.length === 0 ? '' : `WHERE ${filter.where.join(' AND ')}`;
}

import type { ItemsQuery } from '../../contract/model/item.ts';
import { keyAt } from './time-key.ts';
import { SEARCH_SCHEMA } from '../search/search-index.ts';
import { parseSearch, type ParsedSearch } from '../search/search-query.ts';

const WINDOW_MS = { '24h': 24 * 3_600_000, '7d': 7 * 24 * 3_600_000 };

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
}

/**
 * The content of a list as SQL over `item_index`. Null if nothing can match: a search without a word, or a selected set
 * that is not complete.
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
  if (query.window !== 'any') fromKey(filter, '>=', keyAt(windowStart(query, now)));
  return filter;
}

/** Limits a filter by key, on the table that is read first: this makes paging cheap. */
export function fromKey(filter: Filter, operator: '>=' | '<', key: number): void {
  // Numbers are bound as REAL, but FTS5 seeks only to an INTEGER.
  add(filter, `${keyColumn(filter)} ${operator} CAST(? AS INTEGER)`, key);
}

/** The column to order by: the key of the table that is read first. */
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

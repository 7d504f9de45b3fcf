import { parseQuery } from '../../common/query/parse-query.ts';
import type { ItemRow, ItemsQuery } from '../../contract/model/item.ts';
import {
  SEARCH_KINDS,
  type SearchGroup,
  type SearchHit,
  type SearchKind,
  type SearchResults,
  type SearchSnippet,
  type SearchSuggestion,
} from '../../contract/model/search.ts';
import type { ItemQueries } from '../items/item-queries.ts';
import { suggestionsAt } from '../../common/query/suggest.ts';

/** What to search: see the contract's `search.find`. `now` is ms since 1970. */
export interface Search {
  text: string;
  in?: readonly SearchKind[];
  limit: number;
  now: number;
}

/** One search over everything that is saved. */
export class SearchQueries {
  readonly #items: Pick<ItemQueries, 'page' | 'count'>;

  constructor(items: Pick<ItemQueries, 'page' | 'count'>) {
    this.#items = items;
  }

  find({ text, in: kinds = SEARCH_KINDS, limit, now }: Search): SearchResults {
    const { blank, problems } = parseQuery(text);
    const wanted = SEARCH_KINDS.filter((kind) => kinds.includes(kind));
    const groups = wanted.map((kind) => (blank ? emptyGroup(kind) : this.#group(kind, text, limit, now)));
    return { groups, problems };
  }

  suggest(text: string, at: number): SearchSuggestion[] {
    return suggestionsAt(text, at);
  }

  #group(kind: SearchKind, text: string, limit: number, now: number): SearchGroup {
    return kind === 'items' ? this.#findItems(text, limit, now) : emptyGroup(kind);
  }

  #findItems(text: string, limit: number, now: number): SearchGroup {
    const query: ItemsQuery = { scope: 'all', window: 'any', state: 'any', text };
    const { rows, next } = this.#items.page(query, undefined, limit, now);
    // The first page has everything, mostly.
    const { count, atLeast = false } = next === null ? { count: rows.length } : this.#items.count(query, now);
    return { kind: 'items', count, atLeast, hits: rows.slice(0, limit).map(itemHit) };
  }
}

function emptyGroup(kind: SearchKind): SearchGroup {
  return { kind, count: 0, atLeast: false, hits: [] };
}

function itemHit(row: ItemRow): SearchHit {
  const title = row.snippets.find(({ field }) => field === 'title');
  const other = row.snippets.find(({ field }) => field !== 'title');
  return {
    kind: 'items',
    id: row.id,
    title: title?.text ?? row.title,
    titleRanges: title?.ranges ?? [],
    snippet: other ? (other as SearchSnippet) : null,
    at: row.effectiveAt,
    source: row.source.name,
    category: row.category,
    unread: row.state.readAt === null,
    starred: row.state.starredAt !== null,
    report: null,
    model: null,
  };
}

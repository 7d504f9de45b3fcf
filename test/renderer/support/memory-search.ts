import type { ItemRow } from '../../../src-main/contract/model/item.ts';
import {
  SEARCH_KINDS,
  type SearchHit,
  type SearchResults,
  type SearchSuggestion,
} from '../../../src-main/contract/model/search.ts';

/** The answers of a search in memory. Tests put other ones in their place. */
export class MemorySearch {
  find: (text: string, limit: number) => SearchResults;
  suggest: (text: string, at: number) => SearchSuggestion[] = () => [];

  /** @param rows the saved items */
  constructor(rows: () => readonly ItemRow[]) {
    this.find = (text, limit) => {
      const hits = rows()
        .filter(({ title }) => text.trim() !== '' && title.includes(text.trim()))
        .map(({ id, title }) => madeUpHit({ id, title, titleRanges: [[title.indexOf(text.trim()), title.length]] }));
      return answer({ items: hits }, limit);
    };
  }
}

export function madeUpHit(changes: Partial<SearchHit>): SearchHit {
  return {
    kind: 'items',
    id: 'item-0',
    title: 'A title',
    titleRanges: [],
    snippet: null,
    at: null,
    source: null,
    category: null,
    unread: null,
    starred: null,
    report: null,
    model: null,
    ...changes,
  };
}

export function answer(
  hits: Partial<Record<(typeof SEARCH_KINDS)[number], SearchHit[]>>,
  limit = 5,
  problems: SearchResults['problems'] = [],
): SearchResults {
  const groups = SEARCH_KINDS.map((kind) => ({
    kind,
    count: hits[kind]?.length ?? 0,
    atLeast: false,
    hits: (hits[kind] ?? []).slice(0, limit),
  }));
  return { groups, problems };
}

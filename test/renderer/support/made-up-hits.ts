import { SEARCH_KINDS, type SearchHit, type SearchResults } from '../../../src-main/contract/model/search.ts';

export function madeUpHit(changes: Partial<SearchHit>): SearchHit {
  return {
    kind: 'items',
    id: 'item-0',
    title: 'A title',
    titleRanges: [],
    snippet: null,
    summary: null,
    at: null,
    source: null,
    sourceCount: null,
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

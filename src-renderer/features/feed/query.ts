import { viewNames } from '../../../src-main/common/i18n/labels.ts';
import { categoryName } from '../../../src-main/common/i18n/names.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { savedNames } from './saved-names.svelte.ts';

export type ViewId =
  | { kind: 'selected' | 'everything' | 'unread' | 'starred' | 'muted' }
  | { kind: 'category'; category: string }
  | { kind: 'saved'; id: string };

/** The time windows to choose from. */
export const FILTER_WINDOWS = ['24h', '7d', 'any'] as const;

/** What the page shows first. */
export const FIRST_QUERY: ItemsQuery = { scope: 'selected', window: 'any', state: 'any' };

/** The view that a query belongs to: the narrowest thing that was chosen. */
export function viewOf(query: ItemsQuery): ViewId {
  if (query.saved !== undefined) return { kind: 'saved', id: query.saved };
  if (query.muted) return { kind: 'muted' };
  if (query.category !== undefined) return { kind: 'category', category: query.category };
  if (query.state !== 'any') return { kind: query.state };
  return { kind: query.scope === 'selected' ? 'selected' : 'everything' };
}

/** What the interface calls a view. */
export function viewName(view: ViewId): string {
  if (view.kind === 'saved') return savedNames.get(view.id) ?? '';
  return view.kind === 'category' ? categoryName(view.category) : viewNames[view.kind]();
}

/** The query of a view. A category keeps the current scope. */
export function queryOf(view: ViewId, scope: ItemsQuery['scope']): ItemsQuery {
  switch (view.kind) {
    case 'selected':
      return FIRST_QUERY;
    case 'everything':
      return { ...FIRST_QUERY, scope: 'all' };
    case 'unread':
    case 'starred':
      return { ...FIRST_QUERY, scope: 'all', state: view.kind };
    case 'muted':
      return { ...FIRST_QUERY, scope: 'all', muted: true };
    case 'saved':
      return { ...FIRST_QUERY, scope: 'all', saved: view.id };
    case 'category':
      return { ...FIRST_QUERY, scope, category: view.category };
  }
}

/** A query with another search text; the contract wants an empty one left out. */
export function withText(query: ItemsQuery, text: string): ItemsQuery {
  const { text: _, ...rest } = query;
  return text.trim() === '' ? rest : { ...rest, text };
}

/** A query that folds stories, or doesn't. */
export function withFold(query: ItemsQuery, folds: boolean): ItemsQuery {
  const { foldStories: _, ...rest } = query;
  return folds ? { ...rest, foldStories: true } : rest;
}

/** Whether a list can fold stories: it shows each match of a state or a search. */
export function canFold({ state, text }: ItemsQuery): boolean {
  return state === 'any' && text === undefined;
}

/** A query with another category, or with none. */
export function withCategory(query: ItemsQuery, category: string | null): ItemsQuery {
  const { category: _, ...rest } = query;
  return category === null ? rest : { ...rest, category };
}

export function sameView(a: ViewId, b: ViewId): boolean {
  if (a.kind === 'saved' && b.kind === 'saved') return a.id === b.id;
  if (a.kind === 'category' || b.kind === 'category') {
    return a.kind === 'category' && b.kind === 'category' && a.category === b.category;
  }
  return a.kind === b.kind;
}

/** How many filters narrow the list down. The scope is no filter: each of the two is a view. */
export function filterCount({ window, category, state }: ItemsQuery): number {
  return [window !== 'any', category !== undefined, state !== 'any'].filter(Boolean).length;
}

/** A query without its filters. */
export function withoutFilters(query: ItemsQuery): ItemsQuery {
  return { ...withCategory(query, null), window: 'any', state: 'any' };
}

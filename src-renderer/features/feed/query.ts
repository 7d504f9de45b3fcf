import { categoryName, viewNames } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { sourceKey, sourceLabel } from '../../../src-main/common/source-label.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { ViewId } from '../../ui/page-context.ts';
import { savedNames } from './saved-names.svelte.ts';

/** Longest name of a source, in UTF-16 units. */
const LONGEST_NAME = 80;

export const FILTER_WINDOWS = ['24h', '7d', 'any'] as const;

/** The initial list. */
export const FIRST_QUERY: ItemsQuery = { scope: 'selected', window: 'any', state: 'any' };

/** Returns the list that a query belongs to: category, time and unread only narrow it. */
export function viewOf(query: ItemsQuery): ViewId {
  if (query.saved !== undefined) return { kind: 'saved', id: query.saved };
  if (query.muted) return { kind: 'muted' };
  if (query.source !== undefined) return { kind: 'source', source: query.source };
  if (query.state === 'starred') return { kind: 'starred' };
  return { kind: query.scope === 'selected' ? 'selected' : 'everything' };
}

/** Returns the name of a source in the interface. */
export function sourceName(source: string): string {
  return sourceLabel(source, LONGEST_NAME) || m.article_unknown_source();
}

/** Returns the name of a view in the interface. */
export function viewName(view: ViewId): string {
  if (view.kind === 'saved') return savedNames.get(view.id) ?? '';
  if (view.kind === 'category') return categoryName(view.category);
  if (view.kind === 'source') return sourceName(view.source);
  return viewNames[view.kind]();
}

/** Returns the query of a view. Unread is a filter of all items, and a category one of the current scope. */
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
    case 'source':
      return { ...FIRST_QUERY, scope: 'all', source: view.source };
  }
}

/** Returns the same text for equal queries, folded or not. */
export function queryKey({ scope, window, state, category, source, saved, muted, text }: ItemsQuery): string {
  return JSON.stringify([scope, window, state, category, source, saved, muted, text]);
}

/** Returns a query with another search text; the contract wants an empty one left out. */
export function withText(query: ItemsQuery, text: string): ItemsQuery {
  const { text: _, ...rest } = query;
  return text.trim() === '' ? rest : { ...rest, text };
}

export function withFold(query: ItemsQuery, folds: boolean): ItemsQuery {
  const { foldStories: _, ...rest } = query;
  return folds ? { ...rest, foldStories: true } : rest;
}

/** Returns true if a list can fold stories: it shows every match of a state, a source or a search, and hidden items. */
export function canFold({ state, source, text, saved, muted }: ItemsQuery): boolean {
  return state === 'any' && [source, text, saved].every((one) => one === undefined) && muted !== true;
}

/** Null for all categories. */
export function withCategory(query: ItemsQuery, category: string | null): ItemsQuery {
  const { category: _, ...rest } = query;
  return category === null ? rest : { ...rest, category };
}

/** Null for all sources. */
export function withSource(query: ItemsQuery, source: string | null): ItemsQuery {
  const { source: _, ...rest } = query;
  return source === null ? rest : { ...rest, source };
}

export function sameView(a: ViewId, b: ViewId): boolean {
  if (a.kind === 'saved' && b.kind === 'saved') return a.id === b.id;
  if (a.kind === 'source' && b.kind === 'source') return sourceKey(a.source) === sourceKey(b.source);
  return a.kind === b.kind;
}

/** Returns the number of active filters. The scope is not a filter: each of the two is a view. */
export function filterCount({ window, category, source, state }: ItemsQuery): number {
  return [window !== 'any', category !== undefined, source !== undefined, state !== 'any'].filter(Boolean).length;
}

export function withoutFilters(query: ItemsQuery): ItemsQuery {
  return { ...withSource(withCategory(query, null), null), window: 'any', state: 'any' };
}

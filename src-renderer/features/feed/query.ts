import { categoryName, viewNames } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { precedeEach } from '../../../src-main/common/query.ts';
import { sourceKey, sourceLabel } from '../../../src-main/common/source-label.ts';
import { lastWeek } from '../../../src-main/common/time.ts';
import { parseLocation, writeList } from '../../../src-main/contract/location.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { ViewId } from '../../ui/page-context.ts';
import { savedNames } from './saved-names.svelte.ts';

/** Longest name of a source, in UTF-16 units. */
const LONGEST_NAME = 80;

export const FIRST_QUERY: ItemsQuery = { scope: 'selected', window: 'any', state: 'any' };

/** Returns the list that a query belongs to: category, time and unread only narrow it. */
export function viewOf(query: ItemsQuery): ViewId {
  if (query.saved !== undefined) return { kind: 'saved', id: query.saved };
  if (query.muted) return { kind: 'muted' };
  if (query.source !== undefined) return { kind: 'source', source: query.source };
  if (query.scope === 'selected') return { kind: 'selected' };
  return { kind: query.state === 'starred' ? 'starred' : 'everything' };
}

/** Returns true for the two lists that are shown again with their filters: picks, and all items. */
export function isPlace(query: ItemsQuery): boolean {
  const { kind } = viewOf(query);
  return query.text === undefined && (kind === 'selected' || kind === 'everything');
}

export function sourceName(source: string): string {
  return sourceLabel(source, LONGEST_NAME) || m.article_unknown_source();
}

export function viewName(view: ViewId): string {
  if (view.kind === 'saved') return savedNames.get(view.id)?.name ?? '';
  if (view.kind === 'category') return categoryName(view.category);
  if (view.kind === 'source') return sourceName(view.source);
  return viewNames[view.kind]();
}

const ALL_ITEMS: ItemsQuery = { ...FIRST_QUERY, scope: 'all' };

/** The filters of the two lists, as locations (`Settings.listFilters`). */
export type ListFilters = Readonly<Record<string, string>>;

/** Returns the query of a view. A category keeps the current scope; the two lists have the filters they were left with. */
export function queryOf(view: ViewId, scope: ItemsQuery['scope'], filters: ListFilters = {}): ItemsQuery {
  switch (view.kind) {
    case 'selected':
      return leftWith('selected', filters);
    case 'everything':
      return leftWith('all', filters);
    case 'unread':
      return { ...leftWith('all', filters), state: 'unread' };
    case 'starred':
      return { ...ALL_ITEMS, state: 'starred' };
    case 'muted':
      return { ...ALL_ITEMS, muted: true };
    case 'saved':
      return { ...ALL_ITEMS, saved: view.id };
    case 'category':
      return { ...leftWith(scope, filters), category: view.category };
    case 'source':
      return { ...ALL_ITEMS, source: view.source };
  }
}

function leftWith(scope: ItemsQuery['scope'], filters: ListFilters): ItemsQuery {
  const left = parseLocation(filters[scope] ?? '');
  if (left?.view === 'feed' && left.query.scope === scope && isPlace(left.query)) return left.query;
  return { ...FIRST_QUERY, scope };
}

/** Returns the filters after a list was shown; the same object if they are the same. */
export function withFiltersOf(filters: ListFilters, query: ItemsQuery): ListFilters {
  if (!isPlace(query)) return filters;
  const { [query.scope]: before = '', ...others } = filters;
  const now = filterCount(query) === 0 ? '' : writeList({ view: 'feed', query });
  if (now === before) return filters;
  return now === '' ? others : { ...others, [query.scope]: now };
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

/** The last week is a part of the text: no filter has an end. */
function lastWeekText(now: number): string {
  const { from, to } = lastWeek(now);
  return `after:${from} before:${to}`;
}

export function isOfLastWeek({ text = '' }: ItemsQuery, now: number): boolean {
  return text.includes(lastWeekText(now));
}

export function withLastWeek(query: ItemsQuery, now: number, wanted: boolean): ItemsQuery {
  const span = lastWeekText(now);
  const text = (query.text ?? '').replaceAll(span, '').replaceAll(/ {2,}/g, ' ').trim();
  return wanted ? { ...withText(query, precedeEach(text, [span])), window: 'any' } : withText(query, text);
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
export function filterCount(query: ItemsQuery): number {
  const { window, category, source, state } = query;
  const isFiltered = state !== 'any' && viewOf(query).kind !== 'starred';
  return [window !== 'any', category !== undefined, source !== undefined, isFiltered].filter(Boolean).length;
}

export function withoutFilters(query: ItemsQuery): ItemsQuery {
  const state = viewOf(query).kind === 'starred' ? query.state : 'any';
  return { ...withSource(withCategory(query, null), null), window: 'any', state };
}

import type { ItemsQuery, OnlineSearch } from './model/item.ts';
import { isItemId } from './model/record.ts';
import { REPORT_KINDS, type ReportKind } from './model/report.ts';
import { MODEL_LISTS, type ModelListName } from './model/resource.ts';
import { WINDOWS } from './model/search.ts';
import { VISIT_LISTS, type VisitList } from './model/today.ts';
import { oneOf, parseRefs, writeRef, type Ref } from './refs.ts';

export const STORY_LISTS = ['followed', 'starred', 'all'] as const;
export type StoryList = (typeof STORY_LISTS)[number];

const SCOPES = ['selected', 'all'] as const;

export const MODEL_PANELS = ['table', 'chart', 'changes'] as const;
export type ModelPanel = (typeof MODEL_PANELS)[number];

export const SOURCES_PANELS = ['list', 'statistics'] as const;
export type SourcesPanel = (typeof SOURCES_PANELS)[number];

export type ListOf =
  | { view: 'feed'; query: ItemsQuery }
  /** Over a list of items: what changed since the last visit, the items that a row stands for, an online search. */
  | { view: 'visit'; which: VisitList; scope: ItemsQuery['scope'] }
  | { view: 'folded'; query: ItemsQuery; id: string }
  | { view: 'online'; request: OnlineSearch }
  | { view: 'stories'; list: StoryList }
  /** `alone` without the list of reports, as Today opens them. */
  | { view: 'archive'; list: ReportKind; alone?: true }
  | { view: 'models'; list: ModelListName; panel: ModelPanel }
  /** Everything saved that matches a text, by kind. */
  | { view: 'search'; text: string }
  | { view: 'today' }
  | { view: 'hotTopics' }
  | { view: 'notes' }
  | { view: 'sources'; panel: SourcesPanel };

/** `open` is a stack: the last one is on top, and going back closes it. */
export type Location = ListOf & { readonly open: readonly Ref[] };

const IN_FEED = ['visit', 'folded', 'online'] as const;
type InFeed = (typeof IN_FEED)[number];

/** A view of the page: all lists of items are part of the feed. */
export type ViewName = Exclude<Location['view'], InFeed>;

export type LocationIn<V extends ViewName> = Extract<Location, { view: V | (V extends 'feed' ? InFeed : never) }>;

export function viewAt(location: Location): ViewName {
  return isListOfItems(location) ? 'feed' : location.view;
}

export function isListOfItems(location: Location): location is LocationIn<'feed'> {
  return location.view === 'feed' || IN_FEED.some((view) => view === location.view);
}

/** Returns the id of the item that is on top; null for none. */
export function openItem({ open }: Location): string | null {
  const top = open.at(-1);
  return top?.view === 'item' ? top.id : null;
}

export const MAX_LOCATION = 16_000;
/** For example `feed?scope=all&category=paper/item/ID`. */
export function writeLocation(location: Location): string {
  return [writeList(location), ...location.open.map(writeRef)].join('/');
}

/** Never throws, whatever people or other versions wrote. The page's own scroll position may follow after a `#`. */
export function parseLocation(text: string): Location | null {
  if (text.length > MAX_LOCATION) return null;
  const [list = '', ...parts] = text.replace(/#.*$/s, '').split('/');
  const shown = parseList(list);
  const open = parseRefs(parts);
  return shown && open && { ...shown, open: withoutCoverage(open) };
}

/** Once the coverage of a topic was a page over it. */
function withoutCoverage(open: readonly Ref[]): readonly Ref[] {
  const [topic, story] = open;
  const isSame = topic?.view === 'topic' && story?.view === 'story' && topic.id.endsWith(` ${story.publicId}`);
  return isSame ? [topic, ...open.slice(2)] : open;
}

export function writeList(list: ListOf): string {
  switch (list.view) {
    case 'feed':
      return search('feed', parametersOf(list.query));
    case 'visit':
      return search('visit', { which: list.which, scope: list.scope });
    case 'folded':
      return search('folded', { ...parametersOf(list.query), id: list.id });
    case 'online':
      return search('online', list.request);
    case 'search':
      return search('search', { text: list.text });
    case 'stories':
      return search('stories', { list: list.list });
    case 'archive':
      return search('archive', { list: list.list, alone: list.alone && '1' });
    case 'models':
      return search('models', { list: list.list, panel: list.panel });
    case 'sources':
      return search('sources', { panel: list.panel });
    default:
      return list.view;
  }
}

/** Null if something in it can't be used. Unknown parameters are dropped. */
function parseList(text: string): ListOf | null {
  const [view = '', ...rest] = text.split('?');
  const given = new URLSearchParams(rest.join('?'));
  switch (view) {
    case 'feed': {
      const query = parseQuery(given);
      return query && { view, query };
    }
    case 'visit': {
      const which = oneOf(VISIT_LISTS, given.get('which'));
      const scope = oneOf(SCOPES, given.get('scope'));
      return which && scope && { view, which, scope };
    }
    case 'folded': {
      const query = parseQuery(given);
      const id = given.get('id') ?? '';
      return query && isItemId(id) ? { view, query, id } : null;
    }
    case 'online': {
      const request = parseRequest(given);
      return request && { view, request };
    }
    case 'search': {
      const text = given.get('text') ?? '';
      return isText(text, 1000, /^/) ? { view, text } : null;
    }
    case 'stories': {
      // Hot ones had a list of their own once.
      const list = given.get('list') === 'hot' ? 'all' : oneOf(STORY_LISTS, given.get('list'));
      return list && { view, list };
    }
    case 'archive': {
      const list = oneOf(REPORT_KINDS, given.get('list'));
      return list && { view, list, ...(given.get('alone') === '1' && { alone: true as const }) };
    }
    case 'models': {
      const list = oneOf(MODEL_LISTS, given.get('list'));
      const panel = oneOf(MODEL_PANELS, given.get('panel'));
      return list && panel && { view, list, panel };
    }
    case 'today':
    case 'hotTopics':
    case 'notes':
      return { view };
    case 'sources':
      return { view, panel: oneOf(SOURCES_PANELS, given.get('panel')) ?? 'list' };
    // A view of an older version.
    case 'statistics':
      return { view: 'sources', panel: view };
    default:
      return null;
  }
}

function parseQuery(given: URLSearchParams): ItemsQuery | null {
  const scope = oneOf(SCOPES, given.get('scope'));
  const window = oneOf(WINDOWS, given.get('window'));
  const state = oneOf(['any', 'unread', 'starred'], given.get('state'));
  const category = given.get('category') ?? undefined;
  const source = given.get('source') ?? undefined;
  const saved = given.get('saved') ?? undefined;
  const text = given.get('text') ?? undefined;
  const areUsable =
    isText(category, 200) && isText(source, 2000) && isText(text, 1000) && isText(saved, 36, /^[0-9a-zA-Z-]+$/);
  if (!scope || !window || !state || !areUsable) return null;
  return {
    ...{ scope, window, state },
    ...(category !== undefined && { category }),
    ...(source !== undefined && { source }),
    ...(saved !== undefined && { saved }),
    ...(given.get('muted') === '1' && { muted: true }),
    ...(text !== undefined && { text }),
  };
}

function parseRequest(given: URLSearchParams): OnlineSearch | null {
  const mode = oneOf(SCOPES, given.get('mode'));
  const window = oneOf(['24h', '7d'], given.get('window'));
  const by = oneOf(['timeline', 'published'], given.get('by'));
  const category = given.get('category') ?? undefined;
  const q = given.get('q') ?? undefined;
  if (!mode || !window || !by || !isText(category, 200) || !isText(q, 1000, /^/)) return null;
  return { mode, window, by, ...(category !== undefined && { category }), ...(q !== undefined && { q }) };
}

function parametersOf({ muted, ...query }: ItemsQuery): Readonly<Record<string, string | undefined>> {
  const { scope, window, state, category, source, saved, text } = query;
  return { scope, window, state, category, source, saved, muted: muted && '1', text };
}

function search(view: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, value);
  return `${view}?${given.toString()}`;
}

function isText(text: string | undefined, most: number, like = /\S/): boolean {
  return text === undefined || (text.length <= most && like.test(text));
}

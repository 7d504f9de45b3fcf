import type { ItemsQuery } from './model/item.ts';
import { REPORT_KINDS, type ReportKind } from './model/report.ts';
import { MODEL_LISTS, type ModelListName } from './model/resource.ts';
import { oneOf, parseRefs, writeRef, type Ref } from './refs.ts';

export const STORY_LISTS = ['hot', 'followed', 'starred', 'all'] as const;
export type StoryList = (typeof STORY_LISTS)[number];

export const MODEL_PANELS = ['table', 'chart', 'changes'] as const;
export type ModelPanel = (typeof MODEL_PANELS)[number];

export type ListOf =
  | { view: 'feed'; query: ItemsQuery }
  /** The front page, or what was opened on it, beside a list of items. */
  | { view: 'today'; query: ItemsQuery }
  | { view: 'stories'; list: StoryList }
  | { view: 'archive'; list: ReportKind }
  | { view: 'models'; list: ModelListName; panel: ModelPanel }
  | { view: 'hotTopics' }
  | { view: 'notes' | 'sources' | 'statistics' };

/** `open` is a stack: the last one is on top, and going back closes it. */
export type Location = ListOf & { readonly open: readonly Ref[] };

/** A view of the page: the front page is part of the feed. */
export type ViewName = Exclude<Location['view'], 'today'>;
export type LocationIn<V extends ViewName> = Extract<Location, { view: V }>;

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
  return shown && open && { ...shown, open };
}

function writeList(list: ListOf): string {
  switch (list.view) {
    case 'feed':
    case 'today': {
      const { scope, window, state, category, source, saved, muted, text } = list.query;
      return search(list.view, { scope, window, state, category, source, saved, muted: muted && '1', text });
    }
    case 'stories':
    case 'archive':
      return search(list.view, { list: list.list });
    case 'models':
      return search('models', { list: list.list, panel: list.panel });
    default:
      return list.view;
  }
}

/** Null if something in it can't be used. Unknown parameters are dropped. */
function parseList(text: string): ListOf | null {
  const [view = '', ...rest] = text.split('?');
  const given = new URLSearchParams(rest.join('?'));
  switch (view) {
    case 'feed':
    case 'today': {
      const query = parseQuery(given);
      return query && { view, query };
    }
    case 'stories': {
      const list = oneOf(STORY_LISTS, given.get('list'));
      return list && { view, list };
    }
    case 'archive': {
      const list = oneOf(REPORT_KINDS, given.get('list'));
      return list && { view, list };
    }
    case 'models': {
      const list = oneOf(MODEL_LISTS, given.get('list'));
      const panel = oneOf(MODEL_PANELS, given.get('panel'));
      return list && panel && { view, list, panel };
    }
    case 'hotTopics':
    case 'notes':
    case 'sources':
    case 'statistics':
      return { view };
    default:
      return null;
  }
}

function parseQuery(given: URLSearchParams): ItemsQuery | null {
  const scope = oneOf(['selected', 'all'], given.get('scope'));
  const window = oneOf(['24h', '7d', 'any'], given.get('window'));
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

function search(view: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, value);
  return `${view}?${given.toString()}`;
}

function isText(text: string | undefined, most: number, like = /\S/): boolean {
  return text === undefined || (text.length <= most && like.test(text));
}

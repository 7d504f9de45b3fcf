import type { ItemsQuery } from './model/item.ts';
import { isItemId, isStoryId } from './model/record.ts';
import { isReportLabel, REPORT_KINDS, type ReportKind } from './model/report.ts';
import { MODEL_LISTS, type ModelListName } from './model/resource.ts';

/**
 * Where the reader is, and the one text for it: in links (`story/ID`), in the addresses of windows, in the history and in
 * the place that is kept for the next start.
 */

export const STORY_LISTS = ['hot', 'followed', 'starred', 'all'] as const;
export type StoryList = (typeof STORY_LISTS)[number];

export const MODEL_PANELS = ['table', 'chart', 'changes'] as const;
export type ModelPanel = (typeof MODEL_PANELS)[number];

/** Something with a page of its own. A topic's id is its key in the ranking. */
export type Ref =
  | { view: 'item'; id: string }
  | { view: 'topic'; id: string }
  | { view: 'story'; publicId: string }
  | { view: 'report'; kind: ReportKind; label: string }
  | { view: 'model'; modelList: ModelListName; id: string };

/** Leads there from outside the page. Notifications are stored with it. */
export type Target =
  Ref | { view: 'feed' | 'modelChanges' | 'notifications' | 'settings' } | { view: 'saved'; id: string };

/** What can have a window of its own. */
export type WindowTarget = Extract<Ref, { view: 'story' | 'report' }>;

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

export const DEEP_LINK_SCHEME = 'broadsheet';

export const MAX_LOCATION = 16_000;
const MAX_LINK = 2048;
/** URL parsers drop these path segments. */
const DOTS = /^\.{1,2}$/;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

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

/** For example `story/ID`, `daily/2026-11-20` or `model/embeddings/ID`. */
export function writeRef(ref: Ref): string {
  switch (ref.view) {
    case 'item':
    case 'topic':
      return `${ref.view}/${encode(ref.id)}`;
    case 'story':
      return `story/${encode(ref.publicId)}`;
    case 'report':
      return `${ref.kind}/${ref.label}`;
    case 'model':
      return `model/${ref.modelList}/${encode(ref.id)}`;
  }
}

export function parseRef(text: string): Ref | null {
  const refs = parseRefs(text.split('/'));
  return refs?.length === 1 ? (refs[0] ?? null) : null;
}

/** Any program or web page can send a link, so parsing is strict, and a link can only open what a click can. */
export function parseLink(link: string): Ref | null {
  if (link.length > MAX_LINK) return null;
  // URL parsers disagree; what they disagree about is refused here.
  const match = /^broadsheet:\/\/([a-z]+)\/([^/?#\\\s]+)\/?$/i.exec(link);
  const ref = match && parseRef(`${match[1]?.toLowerCase() ?? ''}/${match[2] ?? ''}`);
  if (ref?.view === 'item') return isPlain(ref.id) ? ref : null;
  if (ref?.view === 'story') return isPlain(ref.publicId) && isStoryId(ref.publicId) ? ref : null;
  return ref?.view === 'report' ? ref : null;
}

/** Null for what no link leads to. */
export function writeLink(target: Target): string | null {
  if (target.view !== 'item' && target.view !== 'story' && target.view !== 'report') return null;
  const link = `${DEEP_LINK_SCHEME}://${writeRef(target)}`;
  return isWellFormed(target) && parseLink(link) ? link : null;
}

/** The address's part after the page: `window` for a window of its own, `open` for the main one. */
export function writeFragment(where: 'window' | 'open', target: Target): string | null {
  const link = writeLink(target);
  return link === null ? null : `#${where}=${encode(link)}`;
}

export function parseFragment(where: 'open', fragment: string): Ref | null;
export function parseFragment(where: 'window', fragment: string): WindowTarget | null;
export function parseFragment(where: 'window' | 'open', fragment: string): Ref | null {
  const name = `#${where}=`;
  const ref = fragment.startsWith(name) ? parseLink(decode(fragment.slice(name.length)) ?? '') : null;
  return where === 'window' && ref?.view === 'item' ? null : ref;
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

/** Null if one of them can't be used. */
function parseRefs(parts: readonly string[]): Ref[] | null {
  const refs: Ref[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const isModel = parts[at] === 'model';
    const modelList = isModel ? oneOf(MODEL_LISTS, parts[(at += 1)]) : null;
    const ref = refOf(parts[at - (isModel ? 1 : 0)], modelList, decode(parts[at + 1] ?? ''));
    if (!ref) return null;
    refs.push(ref);
  }
  return refs;
}

function refOf(view: string | undefined, modelList: ModelListName | null, id: string | null): Ref | null {
  if (id === null || !isItemId(id)) return null;
  switch (view) {
    case 'item':
    case 'topic':
      return { view, id };
    case 'story':
      return { view, publicId: id };
    case 'model':
      return modelList && { view, modelList, id };
    default: {
      const kind = oneOf(REPORT_KINDS, view);
      return kind && isReportLabel(kind, id) ? { view: 'report', kind, label: id } : null;
    }
  }
}

function search(view: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, value);
  return `${view}?${given.toString()}`;
}

function isPlain(id: string): boolean {
  return !DOTS.test(id) && !HIDDEN.test(id);
}

function isWellFormed(target: Ref): boolean {
  return !('id' in target && !target.id.isWellFormed()) && !('publicId' in target && !target.publicId.isWellFormed());
}

function isText(text: string | undefined, most: number, like = /\S/): boolean {
  return text === undefined || (text.length <= most && like.test(text));
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null | undefined): Value | null {
  return values.find((value) => value === text) ?? null;
}

/** Half a character can't be encoded. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

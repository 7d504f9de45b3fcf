import { isItemId, isStoryId } from './model/record.ts';
import { isReportLabel, REPORT_KINDS, type ReportKind } from './model/report.ts';
import { MODEL_LISTS, type ModelListName } from './model/resource.ts';

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

/** Can have a window of its own. */
export type WindowTarget = Extract<Ref, { view: 'story' | 'report' }>;

export const DEEP_LINK_SCHEME = 'broadsheet';

const MAX_LINK = 2048;
/** URL parsers drop these path segments. */
const DOTS = /^\.{1,2}$/;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

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

/** Returns null if one of them can't be used. */
export function parseRefs(parts: readonly string[]): Ref[] | null {
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

function isPlain(id: string): boolean {
  return !DOTS.test(id) && !HIDDEN.test(id);
}

function isWellFormed(target: Ref): boolean {
  return !('id' in target && !target.id.isWellFormed()) && !('publicId' in target && !target.publicId.isWellFormed());
}

export function oneOf<Value extends string>(values: readonly Value[], text: string | null | undefined): Value | null {
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

import type { ReportKind } from './model/report.ts';
import type { ModelListName } from './model/resource.ts';

/** A place of the reader: where a notification, a deep link or a window of its own leads. */
export type Target =
  | { view: 'feed' | 'modelChanges' | 'notifications' | 'settings' }
  | { view: 'item'; id: string }
  | { view: 'story'; publicId: string }
  | { view: 'report'; kind: ReportKind; label: string }
  | { view: 'model'; modelList: ModelListName; id: string };

/** Targets that can have a window of their own: what is read, not what is worked in. */
export type WindowTarget = Extract<Target, { view: 'story' | 'report' }>;

export const DEEP_LINK_SCHEME = 'broadsheet';

const LABELS: Readonly<Record<ReportKind, RegExp>> = {
  daily: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  weekly: /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/,
  monthly: /^\d{4}-(?:0[1-9]|1[0-2])$/,
};
const LONGEST_LINK = 2048;
const LONGEST_ID = 512;
/** At most 128 characters (document 1 section 8). */
const LONGEST_STORY_ID = 128;
/** What stands for a folder in an address: parsers take it away. */
const DOTS = /^\.{1,2}$/;
/** Controls, formatting such as changes of direction, halves of characters, ends of lines. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const WINDOW_FRAGMENT = '#window=';

/**
 * The target of `broadsheet://daily/2026-11-20`, `weekly/2026-W47`, `monthly/2026-11`, `story/ID`, `item/ID`; null for
 * anything else. Any program and any web page can send one: it is looked at closely, and only
 * ever opens what a click in the page could.
 */
export function targetOfLink(link: string): Target | null {
  if (link.length > LONGEST_LINK) return null;
  // Not by a URL parser: each system has its own, and what they disagree about is refused here.
  const match = /^broadsheet:\/\/([a-z]+)\/([^/?#\\\s]+)\/?$/i.exec(link);
  const id = match && decoded(match[2] ?? '');
  if (!id || DOTS.test(id) || HIDDEN.test(id)) return null;
  const place = match[1]?.toLowerCase();
  if (place === 'item') return id.length <= LONGEST_ID ? { view: 'item', id } : null;
  if (place === 'story') return Array.from(id).length <= LONGEST_STORY_ID ? { view: 'story', publicId: id } : null;
  return isKind(place) && isLabel(place, id) ? { view: 'report', kind: place, label: id } : null;
}

/** The way back; null for a target that no link leads to. */
export function linkOfTarget(target: Target): string | null {
  switch (target.view) {
    case 'item':
      return link('item', target.id);
    case 'story':
      return link('story', target.publicId);
    case 'report':
      return link(target.kind, target.label);
    default:
      return null;
  }
}

/** The fragment of the page's address that tells a window of its own what to show; null for an id that no link holds. */
export function windowFragment(target: WindowTarget): string | null {
  const address = linkOfTarget(target);
  return address === null ? null : `${WINDOW_FRAGMENT}${encodeURIComponent(address)}`;
}

/** What a window of its own shows by its `location.hash`; null for the window that is worked in. */
export function windowTargetOf(fragment: string): WindowTarget | null {
  if (!fragment.startsWith(WINDOW_FRAGMENT)) return null;
  const target = targetOfLink(decoded(fragment.slice(WINDOW_FRAGMENT.length)) ?? '');
  return target && (target.view === 'story' || target.view === 'report') ? target : null;
}

function link(place: string, id: string): string | null {
  if (!id.isWellFormed()) return null;
  const address = `${DEEP_LINK_SCHEME}://${place}/${encodeURIComponent(id)}`;
  return targetOfLink(address) ? address : null;
}

function isKind(place: string | undefined): place is ReportKind {
  return place !== undefined && Object.hasOwn(LABELS, place);
}

function isLabel(kind: ReportKind, label: string): boolean {
  if (!LABELS[kind].test(label)) return false;
  // The parser takes 2026-02-30 for a day in March.
  return kind !== 'daily' || new Date(`${label}T00:00:00Z`).toISOString().startsWith(label);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

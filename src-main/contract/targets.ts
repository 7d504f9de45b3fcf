import { REPORT_KINDS, type ReportKind } from './model/report.ts';
import type { ModelListName } from './model/resource.ts';
import { isReportLabel } from './report-labels.ts';

/** A view that a notification, a deep link or a separate window opens. */
export type Target =
  | { view: 'feed' | 'modelChanges' | 'notifications' | 'settings' }
  | { view: 'item'; id: string }
  | { view: 'saved'; id: string }
  | { view: 'story'; publicId: string }
  | { view: 'report'; kind: ReportKind; label: string }
  | { view: 'model'; modelList: ModelListName; id: string };

/** Targets that can have a separate window. */
export type WindowTarget = Extract<Target, { view: 'story' | 'report' }>;

export const DEEP_LINK_SCHEME = 'broadsheet';

const LONGEST_LINK = 2048;
const LONGEST_ID = 512;
/** At most 128 characters (document 1 section 8). */
const LONGEST_STORY_ID = 128;
/** Path segments that URL parsers remove. */
const DOTS = /^\.{1,2}$/;
/** Control and format characters (such as changes of direction), lone surrogates, line separators. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const WINDOW_FRAGMENT = '#window=';

/**
 * Parses `broadsheet://daily/2026-11-20`, `weekly/2026-W47`, `monthly/2026-11`, `story/ID` or `item/ID`; null for
 * anything else. Any program and any web page can send a link, so parsing is strict, and a link can only open what a
 * click in the page can.
 */
export function targetOfLink(link: string): Target | null {
  if (link.length > LONGEST_LINK) return null;
  // Not a URL parser: implementations differ, and whatever they disagree about is refused here.
  const match = /^broadsheet:\/\/([a-z]+)\/([^/?#\\\s]+)\/?$/i.exec(link);
  const id = match && decoded(match[2] ?? '');
  if (!id || DOTS.test(id) || HIDDEN.test(id)) return null;
  const place = match[1]?.toLowerCase();
  if (place === 'item') return id.length <= LONGEST_ID ? { view: 'item', id } : null;
  if (place === 'story') return Array.from(id).length <= LONGEST_STORY_ID ? { view: 'story', publicId: id } : null;
  return isKind(place) && isReportLabel(place, id) ? { view: 'report', kind: place, label: id } : null;
}

/** The deep link of a target; null for a target without one. */
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

/** The URL fragment for a separate window that shows a target; null for an id that fits no link. */
export function windowFragment(target: WindowTarget): string | null {
  const address = linkOfTarget(target);
  return address === null ? null : `${WINDOW_FRAGMENT}${encodeURIComponent(address)}`;
}

/** What a separate window shows, from its `location.hash`; null for a main window. */
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
  return (REPORT_KINDS as readonly (string | undefined)[]).includes(place);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

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
const OPEN_FRAGMENT = '#open=';

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
  return fragment(WINDOW_FRAGMENT, target);
}

/** The URL fragment for a main window that begins with a target; null for a target without a link. */
export function openFragment(target: Target): string | null {
  return fragment(OPEN_FRAGMENT, target);
}

/** What a separate window shows, from its `location.hash`; null for a main window. */
export function windowTargetOf(fragment: string): WindowTarget | null {
  const target = targetIn(fragment, WINDOW_FRAGMENT);
  return target && (target.view === 'story' || target.view === 'report') ? target : null;
}

/** What a main window begins with, from its `location.hash`; null if it names nothing. */
export function openedTargetOf(fragment: string): Target | null {
  return targetIn(fragment, OPEN_FRAGMENT);
}

function fragment(name: string, target: Target): string | null {
  const address = linkOfTarget(target);
  return address === null ? null : `${name}${encodeURIComponent(address)}`;
}

function targetIn(fragment: string, name: string): Target | null {
  return fragment.startsWith(name) ? targetOfLink(decoded(fragment.slice(name.length)) ?? '') : null;
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

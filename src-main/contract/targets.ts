import { isItemId, isStoryId } from './model/record.ts';
import { REPORT_KINDS, type ReportKind, isReportLabel } from './model/report.ts';
import type { ModelListName } from './model/resource.ts';

export type Target =
  | { view: 'feed' | 'modelChanges' | 'notifications' | 'settings' }
  | { view: 'item'; id: string }
  | { view: 'saved'; id: string }
  | { view: 'story'; publicId: string }
  | { view: 'report'; kind: ReportKind; label: string }
  | { view: 'model'; modelList: ModelListName; id: string };

export type WindowTarget = Extract<Target, { view: 'story' | 'report' }>;

export const DEEP_LINK_SCHEME = 'broadsheet';

const MAX_LINK = 2048;
/** URL parsers drop these path segments. */
const DOTS = /^\.{1,2}$/;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const WINDOW_FRAGMENT = '#window=';
const OPEN_FRAGMENT = '#open=';

/** Any program or web page can send a link, so parsing is strict, and a link can only open what a click can. */
export function targetOfLink(link: string): Target | null {
  if (link.length > MAX_LINK) return null;
  // URL parsers disagree; what they disagree about is refused here.
  const match = /^broadsheet:\/\/([a-z]+)\/([^/?#\\\s]+)\/?$/i.exec(link);
  const id = match && decode(match[2] ?? '');
  if (!id || DOTS.test(id) || HIDDEN.test(id)) return null;
  const place = match[1]?.toLowerCase();
  if (place === 'item') return isItemId(id) ? { view: 'item', id } : null;
  if (place === 'story') return isStoryId(id) ? { view: 'story', publicId: id } : null;
  return isKind(place) && isReportLabel(place, id) ? { view: 'report', kind: place, label: id } : null;
}

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

export function windowFragment(target: WindowTarget): string | null {
  return fragment(WINDOW_FRAGMENT, target);
}

export function openFragment(target: Target): string | null {
  return fragment(OPEN_FRAGMENT, target);
}

export function windowTargetOf(fragment: string): WindowTarget | null {
  const target = targetIn(fragment, WINDOW_FRAGMENT);
  return target && (target.view === 'story' || target.view === 'report') ? target : null;
}

export function openedTargetOf(fragment: string): Target | null {
  return targetIn(fragment, OPEN_FRAGMENT);
}

function fragment(name: string, target: Target): string | null {
  const address = linkOfTarget(target);
  return address === null ? null : `${name}${encodeURIComponent(address)}`;
}

function targetIn(fragment: string, name: string): Target | null {
  return fragment.startsWith(name) ? targetOfLink(decode(fragment.slice(name.length)) ?? '') : null;
}

function link(place: string, id: string): string | null {
  if (!id.isWellFormed()) return null;
  const address = `${DEEP_LINK_SCHEME}://${place}/${encodeURIComponent(id)}`;
  return targetOfLink(address) ? address : null;
}

function isKind(place: string | undefined): place is ReportKind {
  return (REPORT_KINDS as readonly (string | undefined)[]).includes(place);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

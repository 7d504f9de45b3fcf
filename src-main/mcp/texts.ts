import { safeLink } from '../contract/addresses.ts';
import { sourceLabel } from '../common/source-label.ts';
import { bareLine, cutText } from '../common/text.ts';

/** The longest texts of a result, in characters (lines) or UTF-16 units (passages, links). */
export const LONGEST = { title: 300, name: 120, summary: 600, passage: 8_000, link: 2_048 } as const;

/** Two blank lines at most: a text can't push what follows it out of sight. */
const GAPS = /\n{3,}/g;
const BREAKS = /\r\n?|[\n\u0085\u2028\u2029]/;

/** A title or a name on one line, without control characters and marks that turn text; null if nothing is left. */
export function lineOf(text: string | null | undefined, longest: number = LONGEST.title): string | null {
  return bareLine(text ?? '', longest) || null;
}

/** A text of several lines, cleaned like a title. */
export function passageOf(text: string | null | undefined, longest: number = LONGEST.passage): string | null {
  const cut = cutText(text ?? '', longest);
  const lines = cut.split(BREAKS).map((line) => bareLine(line, longest));
  return lines.join('\n').replace(GAPS, '\n\n').trim() || null;
}

/** A source as rows show it. */
export function sourceOf(name: string | null | undefined): string | null {
  return lineOf(sourceLabel(name), LONGEST.name);
}

/** An http or https address as its parser read it; null for any other and for one that is too long. */
export function linkOf(address: string | null | undefined): string | null {
  const link = (address ?? '').length > LONGEST.link ? null : safeLink(address);
  return link !== null && link.length <= LONGEST.link ? link : null;
}

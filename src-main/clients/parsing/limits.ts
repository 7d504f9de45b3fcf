/**
 * Limits for what a service sends, far above anything that a real one was seen to send (observed-11-sizes). Lengths are in UTF-16
 * units. See docs/decisions/049.
 */
import { BroadsheetError } from '../../contract/errors.ts';
import { CUT_MARK, cutText } from '../../common/text.ts';
import type { Json } from '../../contract/model/json.ts';

/** Titles that the service writes, and other texts of one line: names of sources, categories, times. */
export const LINE = 1_000;
/** Summaries, reasons, overviews, and original titles: that of a post is all of it. */
export const PARAGRAPH = 10_000;
/** The digest of a story: Markdown. */
export const DOCUMENT = 100_000;
/** Addresses. A part of one leads elsewhere, so a longer one counts as missing. */
export const ADDRESS = 2_048;
/** The undocumented members of a record together, with their names. */
export const EXTRA = 10_000;

export { CUT_MARK, cutText };

/** A string of at most `limit` units; a longer one is cut, and anything else is null. */
export function textWithin(value: unknown, limit: number): string | null {
  return typeof value === 'string' ? cutText(value, limit) : null;
}

/** Null for an address that is too long, or is not a string. */
export function addressWithin(value: unknown): string | null {
  return typeof value === 'string' && value.length <= ADDRESS ? value : null;
}

/** Cost of a value besides its texts. */
const VALUE = 8;
/** No response nests deeper. More could overflow the stack of recursive code such as JSON.stringify. */
const DEEPEST = 64;

/**
 * Returns the rest of `room` units after a value, or -1 if it does not fit or is nested too deeply. Stops at the first value
 * that does not fit, so the work is bounded by `room`.
 */
export function roomAfter(value: Json | undefined, room: number, depth = 0): number {
  if (typeof value === 'string') return room - value.length - VALUE;
  if (typeof value !== 'object' || value === null) return room - VALUE;
  if (depth >= DEEPEST) return -1;
  let left = room - VALUE;
  if (Array.isArray(value)) {
    for (const member of value) if (left >= 0) left = roomAfter(member, left, depth + 1);
    return left;
  }
  for (const name in value) {
    if (left < 0) return left;
    left = roomAfter(value[name], left - name.length, depth + 1);
  }
  return left;
}

/** How many records a page may have of which `asked` were requested: a service may round up, or repeat some. */
export function mostOf(asked: number): number {
  return 2 * asked + 10;
}

/** In UTF-16 units: the texts of one page together. A page with more is requested again in parts. */
const PAGE_TEXT = 8 * 1024 * 1024;

/** Errors: `too_large` if the texts of a page with more than one record are too long together. */
export function checkPageText(lengths: Iterable<number>): void {
  let total = 0;
  let records = 0;
  for (const length of lengths) {
    total += length;
    records += 1;
  }
  if (total <= PAGE_TEXT || records <= 1) return;
  const mebibytes = PAGE_TEXT / 1024 / 1024;
  throw new BroadsheetError(
    'too_large',
    `The texts of a page are longer than ${mebibytes} Mi characters. Nothing was saved.`,
  );
}

/** Limits in UTF-16 units, far above anything seen (observed-11-sizes, docs/decisions/049). */
import { BroadsheetError } from '../../contract/errors.ts';
import { CUT_MARK, cutText } from '../../common/text.ts';
import type { Json } from '../../contract/model/model.ts';

/** Titles, names of sources, categories, times. */
export const LINE = 1_000;
/** Summaries, reasons, overviews, and original titles: that of a post is all of it. */
export const PARAGRAPH = 10_000;
export const DOCUMENT = 100_000;
/** A part of an address leads elsewhere, so a longer one counts as missing. */
const ADDRESS = 2_048;
/** The undocumented members of a record together, with their names. */
export const EXTRA = 10_000;

export { CUT_MARK, cutText };

export function textWithin(value: unknown, limit: number): string | null {
  return typeof value === 'string' ? cutText(value, limit) : null;
}

export function addressWithin(value: unknown): string | null {
  return typeof value === 'string' && value.length <= ADDRESS ? value : null;
}

const VALUE = 8;
/** More could overflow the stack of recursive code such as JSON.stringify. */
const MAX_DEPTH = 64;

/** Returns -1 if the value does not fit or is nested too deeply. Stops there, so `room` bounds the work. */
export function roomAfter(value: Json | undefined, room: number, depth = 0): number {
  if (typeof value === 'string') return room - value.length - VALUE;
  if (typeof value !== 'object' || value === null) return room - VALUE;
  if (depth >= MAX_DEPTH) return -1;
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

/** Allows for a service that rounds up or repeats some records. */
export function maxRecords(asked: number): number {
  return 2 * asked + 10;
}

/** Texts of one page together. A page with more is requested again in parts. */
const PAGE_TEXT = 8 * 1024 * 1024;

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

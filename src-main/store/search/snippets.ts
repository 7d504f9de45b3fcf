/** Finds matches in texts of shown rows, because the index holds no text. */
import type { Snippet } from '../../contract/model/item.ts';
import type { SearchableItem } from './search-index.ts';
import { phrasesOf, type ParsedSearch, type Phrase } from './search-query.ts';
import { foldText, type FoldedText } from './search-text.ts';

type Range = [start: number, end: number];

/** In UTF-16 units. */
const MAX_CUT = 160;
const LEAD = 40;
const MAX_TITLE = 240;
/** How far a cut may move to keep a word whole. */
const WORD_REACH = 16;
const ELLIPSIS = '…';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

export function snippetsFor(item: Omit<SearchableItem, 'key'>, search: ParsedSearch): Snippet[] {
  const phrases = phrasesOf(search);
  const fields: [Snippet['field'], string | null][] = [
    ['title', item.title],
    ['originalTitle', item.originalTitle],
    ['summary', item.summary],
    ['source', item.sourceName],
    ['reason', item.reason],
  ];
  return fields.flatMap(([field, text]) => {
    const longest = field === 'title' || field === 'originalTitle' ? MAX_TITLE : MAX_CUT;
    const found = text === null ? null : snippetOf(text, phrases, longest);
    return found ? [{ field, ...found }] : [];
  });
}

/** Returns an excerpt of a text longer than `longest` UTF-16 units; null without a match. */
export function snippetOf(text: string, phrases: Phrase[], longest: number): Pick<Snippet, 'text' | 'ranges'> | null {
  const ranges = findRanges(text, phrases);
  if (ranges.length === 0) return null;
  return text.length <= longest ? { text, ranges } : cutAround(text, ranges);
}

function findRanges(text: string, phrases: Phrase[]): Range[] {
  const folded = foldText(text);
  const found = phrases.flatMap((phrase) => occurrences(folded, phrase));
  return merge(found.sort((a, b) => a[0] - b[0]));
}

function occurrences({ folded, offsets }: FoldedText, { tokens, prefix }: Phrase): Range[] {
  const ranges: Range[] = [];
  const wanted = tokens.join(' ');
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const after = at + wanted.length;
    const starts = at === 0 || folded[at - 1] === ' ';
    if (!starts || !(prefix || after === folded.length || folded[after] === ' ')) continue;
    const first = tokenAt(offsets, at);
    ranges.push([offsets[first + 1] ?? 0, offsets[first + 3 * tokens.length - 1] ?? 0]);
  }
  return ranges;
}

function tokenAt(offsets: number[], at: number): number {
  let low = 0;
  let high = offsets.length / 3;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[3 * middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return 3 * low;
}

function merge(sorted: Range[]): Range[] {
  const merged: Range[] = [];
  for (const [start, end] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function cutAround(text: string, ranges: Range[]): { text: string; ranges: Range[] } {
  const first = ranges[0]?.[0] ?? 0;
  const room = MAX_CUT - 2 * ELLIPSIS.length;
  const latestStart = text.length - room;
  const start = wholePair(text, cutBefore(text, Math.max(0, Math.min(first - LEAD, latestStart)), first));
  const end = wholePair(text, cutAfter(text, Math.min(text.length, start + room), first));
  const lead = start > 0 ? ELLIPSIS : '';
  const shift = lead.length - start;
  const inside = ranges.filter(([from]) => from < end);
  return {
    text: `${lead}${text.slice(start, end)}${end < text.length ? ELLIPSIS : ''}`,
    ranges: inside.map(([from, to]) => [from + shift, Math.min(to, end) + shift]),
  };
}

/** Prefers a start after a space, else at a whole character. */
function cutBefore(text: string, at: number, latest: number): number {
  if (at <= 0) return 0;
  for (let cut = at; cut < Math.min(at + WORD_REACH, latest); cut++) {
    if (/\s/u.test(text.charAt(cut - 1)) && /\S/u.test(text.charAt(cut))) return cut;
  }
  const { index, segment } = graphemeAt(text, at);
  return index === at ? at : Math.min(index + segment.length, latest);
}

function cutAfter(text: string, at: number, earliest: number): number {
  if (at >= text.length) return text.length;
  for (let cut = at; cut > Math.max(at - WORD_REACH, earliest); cut--) {
    if (/\s/u.test(text.charAt(cut)) && /\S/u.test(text.charAt(cut - 1))) return cut;
  }
  return Math.max(graphemeAt(text, at).index, earliest + 1);
}

/** Segments only a part: texts can be long, graphemes seldom are. */
function graphemeAt(text: string, at: number): { index: number; segment: string } {
  const from = Math.max(0, at - 64);
  const found = graphemes.segment(text.slice(from, at + 64)).containing(at - from);
  return found === undefined ? { index: at, segment: '' } : { index: from + found.index, segment: found.segment };
}

/** Moves an offset out of a surrogate pair: a grapheme may be too long for `graphemeAt`. */
function wholePair(text: string, at: number): number {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

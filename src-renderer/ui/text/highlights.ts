export interface Highlight {
  text: string;
  hit: boolean;
}

/** Cuts a text at its ranges ([start, end) UTF-16 offsets). Corrects ranges that overlap or leave the text. */
export function highlightsOf(text: string, ranges: readonly (readonly [start: number, end: number])[]): Highlight[] {
  const parts: Highlight[] = [];
  let at = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const start = Math.max(at, from);
    const end = Math.min(text.length, to);
    if (!(end > start)) continue;
    if (start > at) parts.push({ text: text.slice(at, start), hit: false });
    parts.push({ text: text.slice(start, end), hit: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), hit: false });
  return parts;
}

const CLAUSE_END = /[，。；：！？、][”’」』）\s]*/gu;
/** Spaces, and what ends a word or a sentence. */
const AFTER_WORD = /^[\s.,;:!?…\p{Pe}\p{Pf}]*/u;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Returns a text that starts with a whole word, at most `before` UTF-16 units ahead of its first hit, so that a narrow row shows the hit. */
export function fromFirstHit(
  text: string,
  ranges: readonly (readonly [start: number, end: number])[],
  before: number,
): { text: string; ranges: [start: number, end: number][] } {
  const first = Math.min(...ranges.map(([start]) => start));
  const cut = Number.isFinite(first) ? cutBefore(text, first, before) : 0;
  if (cut === 0) return { text, ranges: ranges.map(([start, end]) => [start, end]) };
  return {
    text: `…${text.slice(cut).toWellFormed()}`,
    ranges: ranges.map(([start, end]) => [start - cut + 1, end - cut + 1]),
  };
}

/** Prefers the start of a Chinese clause: a segmenter doesn't know every word. */
function cutBefore(text: string, first: number, before: number): number {
  const at = Math.max(0, first - before);
  if (at === 0 && !text.startsWith('…')) return 0;
  const ends = [...text.slice(0, first).matchAll(CLAUSE_END)];
  const clause = ends.map((end) => end.index + end[0].length).find((start) => start >= at);
  return clause ?? Math.min(first, wordFrom(text, at));
}

/** Returns where the next word begins, unless one does there. */
function wordFrom(text: string, at: number): number {
  const cut = words.segment(text).containing(at);
  if (!cut || at === 0) return at;
  const from = cut.index === at ? at : cut.index + cut.segment.length;
  return from + (AFTER_WORD.exec(text.slice(from))?.[0].length ?? 0);
}

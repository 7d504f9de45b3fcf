/** The classes of `ReadingHeader.svelte` for sizes. */
export type HeadlineSize = 'full' | 'long' | 'longest';

/** Widths in Latin letters; a Chinese, Japanese or Korean character is two of them wide. */
const FULL = 80;
const LONG = 160;

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/gu;

/** Returns a smaller size for a longer headline, so that all take about the same room. */
export function headlineSize(title: string): HeadlineSize {
  const width = Array.from(title).length + (title.match(WIDE)?.length ?? 0);
  if (width <= FULL) return 'full';
  return width <= LONG ? 'long' : 'longest';
}

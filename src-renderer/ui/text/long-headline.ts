/** In Latin letters. */
const MAX_WIDTH = 160;

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/gu;

/** In Latin letters; a Chinese, Japanese or Korean character is two of them wide. */
export function widthOf(text: string): number {
  return Array.from(text).length + (text.match(WIDE)?.length ?? 0);
}

/** Tells whether a headline would take more than about four lines in the size of headlines. */
export function isLongHeadline(title: string): boolean {
  return widthOf(title) > MAX_WIDTH;
}

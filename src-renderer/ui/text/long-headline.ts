/** In Latin letters; a Chinese, Japanese or Korean character is two of them wide. */
const MAX_WIDTH = 160;

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/gu;

/** Tells whether a headline would take more than about four lines in the size of headlines. */
export function isLongHeadline(title: string): boolean {
  return Array.from(title).length + (title.match(WIDE)?.length ?? 0) > MAX_WIDTH;
}

/**
 * Speeds of silent reading, for texts like the news: 238 English words a minute (Brysbaert 2019, a review of 190 studies),
 * rounded, and 400 Chinese characters, which is the same number of words in Chinese (about 1.6 characters each).
 */
export const WORDS_A_MINUTE = 240;
export const HAN_CHARACTERS_A_MINUTE = 400;

/** Characters that are read one by one: Chinese, Japanese and Korean ones. */
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** `don't`, `2.5` and `state-of-the-art` are one word each. */
const WORD = /[\p{L}\p{N}]+(?:['’.,_-][\p{L}\p{N}]+)*/gu;

/** How many minutes it takes to read these texts: at least 1 if there is anything to read, otherwise 0. */
export function readingMinutes(texts: Iterable<string | null>): number {
  let minutes = 0;
  for (const text of texts) {
    if (!text) continue;
    minutes += countOf(text, HAN) / HAN_CHARACTERS_A_MINUTE;
    minutes += countOf(text.replace(HAN, ' '), WORD) / WORDS_A_MINUTE;
  }
  return minutes === 0 ? 0 : Math.max(1, Math.round(minutes));
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

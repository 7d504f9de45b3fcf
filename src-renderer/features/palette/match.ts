/** In UTF-16 units. The rest of a longer text is ignored. */
const LONGEST_QUERY = 80;
const LONGEST_TEXT = 300;

const BREAKS = /[\p{L}\p{N}]+/gu;
const HAN = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

/**
 * Ranks how well a text matches what was typed: 0 if it begins with it, 1 if its words do, 2 if it has these initials,
 * 3 if it contains each typed word, 4 if it is made of the beginnings of its words, one after another ("maread" for
 * "Mark as read"); null if it doesn't match. Ignores case, accents and the width of characters.
 */
export function fitOf(typed: string, text: string): 0 | 1 | 2 | 3 | 4 | null {
  const query = folded(typed.slice(0, LONGEST_QUERY)).trim().replace(/\s+/gu, ' ');
  const whole = folded(text.slice(0, LONGEST_TEXT));
  if (query === '' || whole.startsWith(query)) return 0;
  const words = wordsOf(whole);
  const parts = query.split(' ');
  if (parts.every((part) => words.some((word) => word.startsWith(part)))) return 1;
  const letters = query.replaceAll(' ', '');
  if (
    words
      .map((word) => Array.from(word)[0])
      .join('')
      .includes(letters)
  )
    return 2;
  if (parts.every((part) => whole.includes(part))) return 3;
  return isMadeOf(letters, words) ? 4 : null;
}

/** Returns the best rank of several texts; null if none matches. */
export function bestFit(typed: string, texts: readonly string[]): number | null {
  const fits = texts.flatMap((text) => fitOf(typed, text) ?? []);
  return fits.length === 0 ? null : Math.min(...fits);
}

/** Returns true if a text is made of beginnings of words, in their order. Words may be skipped. */
function isMadeOf(text: string, words: readonly string[]): boolean {
  // The lengths of the text that the words so far can make up.
  let reached = new Set([0]);
  for (const word of words) {
    const next = new Set(reached);
    for (const from of reached) {
      for (let length = 1; length <= word.length && text[from + length - 1] === word[length - 1]; length += 1) {
        next.add(from + length);
      }
    }
    reached = next;
  }
  return reached.has(text.length);
}

/** Returns runs of letters and digits; in a script without spaces every character is a word. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(BREAKS)].flatMap(([run]) => (HAN.test(run) ? Array.from(run) : [run]));
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

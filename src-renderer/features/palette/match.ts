/** What is typed beyond this is left out, in UTF-16 units. */
const LONGEST_QUERY = 80;
const LONGEST_TEXT = 300;

const BREAKS = /[\p{L}\p{N}]+/gu;
const HAN = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

/**
 * How well a text fits what was typed: 0 if it begins with it, 1 if its words do, 2 if it has these initials, 3 if it
 * contains each typed word, 4 if the beginnings of its words, one after another, make it up ("maread" for "Mark as read");
 * null if it doesn't fit. Case, accents and the width of characters don't count.
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

/** The best fit of several texts; null if none fits. */
export function bestFit(typed: string, texts: readonly string[]): number | null {
  const fits = texts.flatMap((text) => fitOf(typed, text) ?? []);
  return fits.length === 0 ? null : Math.min(...fits);
}

/** Whether beginnings of words, in their order, make up a text. Words may be left out. */
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

/** Runs of letters and digits; of a script without spaces every character is a word. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(BREAKS)].flatMap(([run]) => (HAN.test(run) ? Array.from(run) : [run]));
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The groups of the palette, in their order. */
const PALETTE_GROUPS = ['recent', 'views', 'sources', 'saved', 'categories', 'commands', 'settings'] as const;
export type PaletteGroup = (typeof PALETTE_GROUPS)[number];

export interface PaletteEntry {
  id: string;
  name: string;
  group: PaletteGroup;
  /** The names in the other languages, which are searched, too. */
  otherNames: readonly string[];
  /** Keys to press one after another for the same; empty if there are none. */
  keys: readonly string[];
  run: () => void;
}

const MOST_OF_A_GROUP = 40;
/** Most sources before anything is typed, so that the next groups stay near. */
const MOST_UNTYPED_SOURCES = 8;

/**
 * Returns the entries that match a text: the best group first, and in it the best entry. Without a text all of them
 * except for the sources, only the first of which are included, in the order of the groups.
 */
export function paletteGroups(
  entries: readonly PaletteEntry[],
  typed: string,
  titles: Readonly<Record<PaletteGroup, () => string>>,
): { key: PaletteGroup; title: string; options: PaletteEntry[] }[] {
  const found = entries.flatMap((entry) => {
    const fit = bestFit(typed, [entry.name, ...entry.otherNames]);
    return fit === null ? [] : [{ entry, fit }];
  });
  const mostOf = (key: PaletteGroup): number =>
    key === 'sources' && typed.trim() === '' ? MOST_UNTYPED_SOURCES : MOST_OF_A_GROUP;
  return PALETTE_GROUPS.map((key) => {
    const own = found.filter(({ entry }) => entry.group === key).sort((a, b) => a.fit - b.fit);
    return { key, best: own[0]?.fit ?? Infinity, options: own.slice(0, mostOf(key)).map(({ entry }) => entry) };
  })
    .filter(({ options }) => options.length > 0)
    .sort((a, b) => a.best - b.best)
    .map(({ key, options }) => ({ key, title: titles[key](), options }));
}

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

import { sourceLabel } from '../../common/source-label.ts';
import { nameKey } from '../../common/text.ts';
import { indexText, isIdeograph } from './search-text.ts';

/** Which sources a `source:` asks for. */
export interface WantedSource {
  /** All of the name, as it is or as rows show it (folded); null if words of it are enough. */
  whole: string | null;
  /** Its tokens in a row, with a space before each. */
  words: string;
  /** Whether the last token may be the start of a longer one. */
  prefix: boolean;
}

/** @param open whether the last word may still be being typed */
export function sourceName({ text, whole, open }: { text: string; whole: boolean; open: boolean }): WantedSource {
  const words = indexText(text);
  const last = words.slice(words.lastIndexOf(' ') + 1);
  const isWhole = whole || words === '';
  const prefix = (open || /[*＊]$/u.test(text)) && last.length > 1 && !isIdeograph(last);
  return { whole: isWhole ? nameKey(text) : null, words: ` ${words}`, prefix };
}

/** Whether an item's source is meant. An item without one has no name to match. */
export function isSource({ whole, words, prefix }: WantedSource, name: string | null): boolean {
  if (name === null) return false;
  if (whole !== null) return nameKey(name) === whole || nameKey(sourceLabel(name)) === whole;
  return ` ${indexText(name)} `.includes(prefix ? words : `${words} `);
}

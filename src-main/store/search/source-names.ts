import { sourceKey } from '../../common/source-label.ts';
import { indexText, isIdeograph } from './search-text.ts';

/** More than a news service has sources; bounds the memory. */
const MOST_REMEMBERED = 20_000;

/** Which sources a `source:` asks for. */
export interface WantedSource {
  /** The key (common/source-label.ts) of just this one; null if words of it are enough. */
  whole: string | null;
  /** Its tokens in a row, with a space before each. */
  words: string;
  /** Whether the last token may be the start of a longer one. */
  prefix: boolean;
}

/** @param open whether the last word may still be being typed */
export function wantedSource({ text, whole, open }: { text: string; whole: boolean; open: boolean }): WantedSource {
  const words = indexText(text);
  const last = words.slice(words.lastIndexOf(' ') + 1);
  const isWhole = whole || words === '';
  const prefix = (open || /[*＊]$/u.test(text)) && last.length > 1 && !isIdeograph(last);
  return { whole: isWhole ? sourceKey(text) : null, words: ` ${words}`, prefix };
}

/** Whether the source with this key is meant. What has no source has no key. */
export function isSource({ whole, words, prefix }: WantedSource, key: string): boolean {
  if (key === '') return false;
  if (whole !== null) return key === whole;
  return foldedKey(key).includes(prefix ? words : `${words} `);
}

/** The key of a source by its name, remembered: a query asks for it once for each document. */
export const keyOfSource = remembered((name) => sourceKey(name));

const foldedKey = remembered((key) => ` ${indexText(key)} `);

function remembered(make: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let made = known.get(text);
    if (made !== undefined) return made;
    made = make(text);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, made);
    return made;
  };
}

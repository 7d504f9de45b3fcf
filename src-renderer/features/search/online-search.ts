import type { OnlineSearch } from '../../../src-main/contract/model/item.ts';

/** Returns a search with another text; an empty one is left out. */
export function withText({ q: _, ...rest }: OnlineSearch, text: string): OnlineSearch {
  return text.trim() === '' ? rest : { ...rest, q: text.trim() };
}

/** Null for all categories. */
export function withCategory({ category: _, ...rest }: OnlineSearch, category: string | null): OnlineSearch {
  return category === null ? rest : { ...rest, category };
}

/** Returns true if the service accepts a text: none, or 2 to 200 code points (document 1 section 4.1). */
export function isValidText(text: string): boolean {
  const length = Array.from(text.trim()).length;
  return length === 0 || (length >= 2 && length <= 200);
}

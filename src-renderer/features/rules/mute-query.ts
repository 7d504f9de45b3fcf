const QUOTES = /["“”„‟«»「」『』＂〝〞〟]/u;
const BREAKS = /[\s,;，。、；！？（）()"“”„‟«»「」『』＂〝〞〟]+/u;

/**
 * The query that mutes a source by its whole name. A name with quotes can't be quoted in the query language: its words are
 * asked for one by one.
 */
export function muteOfSource(name: string): string {
  if (!QUOTES.test(name)) return `source:"${name.trim()}"`;
  const words = name.split(BREAKS).filter((word) => word !== '');
  return words.map((word) => `source:${word}`).join(' ');
}

export function muteOfCategory(category: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(category) ? `category:${category}` : `category:"${category}"`;
}

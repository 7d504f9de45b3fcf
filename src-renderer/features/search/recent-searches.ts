/** Most entries, and the longest entry in UTF-16 units. The contract refuses more. */
const MOST = 10;
const LONGEST = 200;

/** Adds a search in front of the recent ones. Drops one that is too long to be shown. */
export function withSearch(recent: readonly string[], text: string): string[] {
  const wanted = text.trim().replace(/\s+/gu, ' ');
  if (wanted === '' || wanted.length > LONGEST) return [...recent];
  return [wanted, ...recent.filter((other) => other !== wanted)].slice(0, MOST);
}

/** As many as are kept, and the longest of them in UTF-16 units. The contract refuses more. */
const MOST = 10;
const LONGEST = 200;

/** The recent searches after another one, the newest first. One that is too long to be shown is left out. */
export function withSearch(recent: readonly string[], text: string): string[] {
  const wanted = text.trim().replace(/\s+/gu, ' ');
  if (wanted === '' || wanted.length > LONGEST) return [...recent];
  return [wanted, ...recent.filter((other) => other !== wanted)].slice(0, MOST);
}

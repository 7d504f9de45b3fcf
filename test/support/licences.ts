/** The names of the packages in a text of `npm run licences`. */
export function packageNamesIn(licences: string): string[] {
  return [...licences.matchAll(/^={80}\n(\S+) /gm)].map(([, name = '']) => name);
}

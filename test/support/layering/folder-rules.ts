import { posix } from 'node:path';

/** A flat folder works up to about this many files. */
const MOST_FILES = 25;

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/;
const PASCAL = /^([A-Z][a-z0-9]*)+\.svelte$/;

/** What is wrong with the name of a file: components are PascalCase, everything else is kebab-case. */
export function nameBreach(file: string): string | null {
  const name = posix.basename(file);
  if (name.endsWith('.svelte')) return PASCAL.test(name) ? null : `${file}: a component's name is PascalCase`;
  return KEBAB.test(name) ? null : `${file}: a file's name is kebab-case`;
}

/** Folders that have grown too large, with the number of their files. */
export function overfullFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder, count]) => `${folder}: ${count} files`);
}

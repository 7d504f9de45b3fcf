import { posix } from 'node:path';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/;
const PASCAL = /^([A-Z][a-z0-9]*)+\.svelte$/;

/** Describes a wrong file name; null for a right one. Components are PascalCase, everything else is kebab-case. */
export function nameBreach(file: string): string | null {
  const name = posix.basename(file);
  if (name.endsWith('.svelte')) return PASCAL.test(name) ? null : `${file}: a component's name is PascalCase`;
  return KEBAB.test(name) ? null : `${file}: a file's name is kebab-case`;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Where the build puts the page. */
export const BUILT_PAGE = join(import.meta.dirname, '../../out/renderer');

/** The names of the files that the page asks for before it can show anything. */
export function neededAtStart(): string[] {
  const html = readFileSync(join(BUILT_PAGE, 'index.html'), 'utf8');
  return [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
}

/**
 * Returns the size of the first load in bytes: scripts, styles and the page itself compressed, and fonts, which are
 * already.
 */
export function firstLoad(): { compressed: number; fonts: number } {
  const read = (name: string): Buffer => readFileSync(join(BUILT_PAGE, 'assets', name));
  const names = neededAtStart();
  const isFont = (name: string): boolean => name.endsWith('.woff2');
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
  const others = names.filter((name) => !isFont(name)).map((name) => gzipSync(read(name)).length);
  const html = gzipSync(readFileSync(join(BUILT_PAGE, 'index.html'))).length;
  return { compressed: sum(others) + html, fonts: sum(names.filter(isFont).map((name) => read(name).length)) };
}

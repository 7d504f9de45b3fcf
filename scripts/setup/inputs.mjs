import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lists the files at and under some paths, relative to the root, in the same order on every system.
 * @param {string} root
 * @param {readonly string[]} paths
 * @returns {string[]}
 */
export function filesAt(root, paths) {
  /** @type {(path: string) => string[]} */
  const under = (path) => {
    if (!existsSync(join(root, path))) return [];
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return readdirSync(join(root, path)).flatMap((name) => under(`${path}/${name}`));
  };
  return [...new Set(paths.flatMap(under))].sort();
}

/**
 * Hashes file names and contents; the result is the same in every copy of the project.
 * @param {string} root
 * @param {readonly string[]} paths
 */
export function contentHash(root, paths) {
  const hash = createHash('sha256');
  for (const file of filesAt(root, paths)) {
    const content = createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
    hash.update(`${file} ${content}\n`);
  }
  return hash.digest('hex');
}

/**
 * Returns a hash that changes when a file is added, removed, resized or touched. Uses only names, sizes and times,
 * because it is computed at every start.
 * @param {string} root
 * @param {readonly string[]} paths relative to the root
 */
export function fingerprint(root, paths) {
  const hash = createHash('sha256');
  for (const file of filesAt(root, paths)) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

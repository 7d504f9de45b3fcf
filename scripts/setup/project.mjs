import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with package.json, without a trailing slash. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Returns an absolute path inside the project. @param {...string} parts */
export function inProject(...parts) {
  return join(projectRoot, ...parts);
}

/** True in a checkout, false in a package that npm installed: npm packs no lock file. */
export const isCheckout = existsSync(inProject('package-lock.json'));

/**
 * Returns the folder of an installed package: in node_modules here or, for a package that npm installed, beside it.
 * @param {string} name
 * @returns {string} maybe not installed yet
 */
export function packageFolder(name) {
  for (let folder = projectRoot; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (isCheckout || existsSync(found)) return found;
    if (folder === dirname(folder)) return inProject('node_modules', name);
  }
}

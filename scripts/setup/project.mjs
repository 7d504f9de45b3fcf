import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with package.json, without a trailing slash. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * An absolute path inside the project.
 * @param {...string} parts
 */
export function inProject(...parts) {
  return join(projectRoot, ...parts);
}

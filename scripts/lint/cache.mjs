// Keeps the results of earlier runs: the keys of files that passed, never of files that failed. May be deleted at any
// time.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hashOf } from './signatures.mjs';

/**
 * @typedef {object} LintCache
 * @property {Record<string, string>} passed key of each file that passed
 * @property {Record<string, { shared: string, states: Record<string, import('./signatures.mjs').FileState> }>} projects by tsconfig.json
 */

/** @returns {LintCache} */
const empty = () => ({ passed: {}, projects: {} });

/**
 * Returns an empty cache if the file is missing or damaged.
 * @param {string | null} file
 * @returns {LintCache}
 */
export function readCache(file) {
  if (file === null) return empty();
  try {
    const [mark, text = ''] = readFileSync(file, 'utf8').split('\n');
    return mark === hashOf(text) ? JSON.parse(text) : empty();
  } catch {
    return empty();
  }
}

/**
 * @param {string} file
 * @param {LintCache} cache
 */
export function writeCache(file, cache) {
  const text = JSON.stringify(cache);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${hashOf(text)}\n${text}`);
  renameSync(`${file}.new`, file);
}

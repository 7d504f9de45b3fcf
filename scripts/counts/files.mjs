import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @typedef {{ path: string, text: string, code: number, comments: number }} CodeFile `code`, `comments`: lines. */

/**
 * @param {string} folder
 * @returns {CodeFile[]}
 */
export function codeFiles(folder) {
  return globSync(`${folder}/**/*.{ts,svelte,css,js,mjs}`, { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('/i18n/compiled/'))
    .sort()
    .map((path) => {
      const text = readFileSync(posix.join(ROOT, path), 'utf8');
      return { path, text, ...lineCounts(text) };
    });
}

/** @param {string} text Empty lines are neither code nor comments. */
export function lineCounts(text) {
  let code = 0;
  let comments = 0;
  /** @type {string | null} The end of the block comment that a line is in. */
  let end = null;
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    if (end === null && line.startsWith('/*')) end = '*/';
    else if (end === null && line.startsWith('<!--')) end = '-->';
    const isComment = end !== null ? !line.includes(end) || line.endsWith(end) : line.startsWith('//');
    if (isComment) comments += 1;
    else code += 1;
    if (end !== null && line.includes(end)) end = null;
  }
  return { code, comments };
}

/**
 * Returns line numbers. Only the first of several lines with `//` begins a comment.
 *
 * @param {string} text
 */
export function bannedOpenings(text) {
  const openings = /(?:\/\*\*?|<!--|(?<!^[ \t]*\/\/.*\n[ \t]*)\/\/)[\s*]*(?:What|Whether|Of|Its|Answers|Who)\b/gm;
  return [...text.matchAll(openings)].map(({ index }) => text.slice(0, index).split('\n').length);
}

/**
 * Counts imports of types and dynamic imports too.
 *
 * @param {readonly CodeFile[]} files
 * @returns {Map<string, number>}
 */
export function importerCounts(files) {
  const counts = new Map(files.map(({ path }) => [path, 0]));
  for (const { path, text } of files) {
    const specifiers = text.matchAll(/(?:from|import|import\(|new URL\()\s*['"](\.{1,2}\/[^'"]+)['"]/g);
    const targets = new Set([...specifiers].map(([, target = '']) => posix.join(posix.dirname(path), target)));
    for (const target of targets) {
      const found = counts.get(target);
      if (found !== undefined) counts.set(target, found + 1);
    }
  }
  return counts;
}

import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface CodeFile {
  path: string;
  text: string;
  /** In lines, as `comments`. */
  code: number;
  comments: number;
}

export interface Weight {
  files: number;
  lines: number;
  /** Comments among the lines that are not empty. */
  commentPercent: number;
  /** As file and line. */
  bannedOpenings: string[];
}

export function codeFiles(...folders: string[]): CodeFile[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,svelte,css,js,mjs}`),
    { cwd: ROOT },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('/i18n/compiled/'))
    .sort()
    .map((path) => {
      const text = readFileSync(posix.join(ROOT, path), 'utf8');
      return { path, text, ...lineCounts(text) };
    });
}

export function weightOf(files: readonly CodeFile[]): Weight {
  const sum = (of: (file: CodeFile) => number): number => files.reduce((total, file) => total + of(file), 0);
  const comments = sum((file) => file.comments);
  return {
    files: files.length,
    lines: sum(({ text }) => text.split('\n').length - 1),
    commentPercent: (100 * comments) / (sum((file) => file.code) + comments),
    bannedOpenings: files.flatMap(({ path, text }) => bannedOpenings(text).map((line) => `${path}:${line}`)),
  };
}

/** Empty lines are neither code nor comments. */
export function lineCounts(text: string): { code: number; comments: number } {
  let code = 0;
  let comments = 0;
  /** The end of the block comment that a line is in. */
  let end: string | null = null;
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

/** Returns line numbers. Only the first of several lines with `//` begins a comment. */
export function bannedOpenings(text: string): number[] {
  const openings = /(?:\/\*\*?|<!--|(?<!^[ \t]*\/\/.*\n[ \t]*)\/\/)[\s*]*(?:What|Whether|Of|Its|Answers|Who)\b/gm;
  return [...text.matchAll(openings)].map(({ index }) => text.slice(0, index).split('\n').length);
}

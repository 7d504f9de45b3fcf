import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const LISTS = ['news', 'models', 'observed'] as const;
type List = (typeof LISTS)[number];

const ENTRY = /^- `([^`]+)` \S/;
/** Below an entry that no test holds, with the reason. */
const EXCEPTION = /^ {2}- (?:Not met|No test): \S/;
/** A marker and the first line of code below it. */
const MARKED = /^[ \t]*\/\/ Holds: (.*)$(?=(?:\n[ \t]*\/\/.*)*\n[ \t]*(.*))/gm;
/** The beginning of a test that always runs, which those with other modifiers (skip, todo, skipIf, runIf, fails) may not. */
const ALWAYS = /^it(?:\(|\.each\b|\.for\b)/;
const CONDITIONAL_GROUP = /\bdescribe\.(?:skip|todo|skipIf|runIf)\b/;
const FACT = /\bobserved-\d+(?:-[a-z0-9]+)+/g;
const SECTION = /\bdocument ([12]),? sections? (\d[\d.]*(?:(?:, | and | to |, and )\d[\d.]*)*)/g;

interface Entry {
  id: string;
  /** The number of its section. */
  section: string;
  isExcused: boolean;
}

describe('the facts in docs/requirements', () => {
  const lists = Object.fromEntries(LISTS.map((name) => [name, readList(name)])) as Record<List, Entry[]>;
  const held = new Map(filesOf('test').flatMap(({ path, text }) => idsHeldIn(text).map((id) => [id, path])));

  it('have an id of their own, with their document and section', () => {
    const ids = Object.values(lists).flatMap((entries) => entries.map(({ id }) => id));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const name of LISTS)
      for (const { id, section } of lists[name]) expect(id).toMatch(new RegExp(`^${name}-${section}(-[a-z0-9]+)+$`));
  });

  it('are held by a test, or say why not', () => {
    const required = [...lists.news, ...lists.models];
    expect(required.filter(({ id, isExcused }) => held.has(id) === isExcused)).toEqual([]);
    const known = new Set(required.map(({ id }) => id));
    expect([...held].filter(([id]) => !known.has(id))).toEqual([]);
  });

  it('are named above tests that always run', () => {
    const wrong = filesOf('test').filter(
      ({ path, text }) =>
        text.search(MARKED) >= 0 &&
        (!path.endsWith('.test.ts') ||
          CONDITIONAL_GROUP.test(text) ||
          [...text.matchAll(MARKED)].some(([, , below = '']) => !ALWAYS.test(below))),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('are what comments and documents cite', () => {
    const facts = new Set(lists.observed.map(({ id }) => id));
    const cited = new Set<string>();
    for (const { path, text } of filesOf('docs', 'scripts', 'src-main', 'src-renderer', 'test')) {
      // A citation can be broken over two lines of a comment.
      const line = text.replaceAll(/\s*\n[ \t]*(?:\*|\/\/|#)?[ \t]*/g, ' ');
      for (const [id] of line.matchAll(FACT)) {
        expect(facts, `${path} cites ${id}`).toContain(id);
        cited.add(id);
      }
      for (const [citation, document, numbers = ''] of line.matchAll(SECTION))
        for (const number of numbers.split(/, and |, | and | to /))
          expect(hasSection(lists[document === '1' ? 'news' : 'models'], number), `${path}: ${citation}`).toBe(true);
    }
    expect([...facts].filter((id) => !cited.has(id))).toEqual([]);
  });
});

function readList(name: List): Entry[] {
  const entries: Entry[] = [];
  let section = '';
  for (const line of readFileSync(join(ROOT, 'docs/requirements', `${name}.md`), 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = line.split(' ')[1] ?? '';
    const id = ENTRY.exec(line)?.[1];
    const last = entries.at(-1);
    if (id !== undefined) entries.push({ id, section, isExcused: false });
    else if (last !== undefined && EXCEPTION.test(line)) last.isExcused = true;
    // A line that only looks like an entry would leave its fact out.
    else expect(line).not.toMatch(/^\s*[-*|+]/);
  }
  return entries;
}

function idsHeldIn(text: string): string[] {
  return [...text.matchAll(MARKED)].flatMap(([, ids = '']) => ids.split(',').map((id) => id.trim()));
}

/** True if a list has a section, or does not divide the chapter that it is a part of. */
function hasSection(entries: readonly Entry[], given: string): boolean {
  const number = given.replace(/\.$/, '');
  const numbers = entries.map(({ section }) => section);
  if (numbers.includes(number)) return true;
  const [chapter = ''] = number.split('.');
  return numbers.includes(chapter) && !numbers.some((other) => other.startsWith(`${chapter}.`));
}

function filesOf(...folders: string[]): { path: string; text: string }[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,mjs,js,svelte,md}`),
    { cwd: ROOT },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('docs/requirements/') && !path.includes('/compiled/'))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

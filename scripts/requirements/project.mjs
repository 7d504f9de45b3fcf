import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { citationProblems } from './citations.mjs';
import { coverageTable, problemsOf } from './coverage.mjs';
import { readRequirements } from './list.mjs';
import { taggedTests } from './tagged-tests.mjs';

const documents = ['news', 'models'];
/** The files that vitest.config.ts includes: no project runs others. */
const testFile = /\.test\.ts$/;
const citing = /\.(?:ts|mjs|js|svelte|md)$/;

/**
 * @param {string} root
 * @param {readonly string[]} files of the tests, relative to the root
 */
export function readCoverage(root, files) {
  const lists = documents.map((name) => readList(root, name));
  const readSource = sourceReader(root);
  const naming = files.filter((file) => file.endsWith('.ts') && namesRequirements(join(root, file)));
  const read = naming.map((file) =>
    testFile.test(file) ? taggedTests(file, readSource) : { tests: [], problems: [`${file} is not run as a test`] },
  );
  const tests = read.flatMap((file) => file.tests);
  const problems = [...lists, ...read].flatMap((part) => part.problems);
  return { text: coverageTable(lists, tests), problems: [...problems, ...problemsOf(lists, tests)] };
}

/**
 * Checks the citations in comments and documents, and the form of the list of observed facts.
 *
 * @param {string} root
 * @param {readonly string[]} files relative to the root
 * @returns {string[]}
 */
export function readCitations(root, files) {
  const lists = {
    news: readList(root, 'news'),
    models: readList(root, 'models'),
    observed: readList(root, 'observed'),
  };
  const texts = files
    .filter((file) => citing.test(file) && !file.startsWith('docs/requirements/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  return [...lists.observed.problems, ...citationProblems(lists, texts)];
}

/** @param {string} root @param {string} name */
function readList(root, name) {
  return readRequirements(name, readFileSync(join(root, 'docs', 'requirements', `${name}.md`), 'utf8'));
}

/** @param {string} path */
function namesRequirements(path) {
  return /^[ \t]*\/\/ Holds:/m.test(readFileSync(path, 'utf8'));
}

/** @param {string} root @returns {import('./assertions.mjs').ReadSource} */
function sourceReader(root) {
  /** @type {Map<string, ts.SourceFile | null>} */
  const held = new Map();
  return (file) => {
    const known = held.get(file);
    if (known !== undefined) return known;
    const path = join(root, file);
    const source = existsSync(path)
      ? ts.createSourceFile(file, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
      : null;
    held.set(file, source);
    return source;
  };
}

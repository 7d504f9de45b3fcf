import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { citationProblems } from './citations.mjs';
import { coverageTable, problemsOf, taggedFile } from './coverage.mjs';
import { readRequirements } from './list.mjs';

const documents = ['news', 'models'];
const citing = /\.(?:ts|mjs|js|svelte|md)$/;

/**
 * @param {string} root
 * @param {readonly string[]} files of the tests, relative to the root
 */
export function readCoverage(root, files) {
  const lists = documents.map((name) => readList(root, name));
  const tests = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => taggedFile(file, readFileSync(join(root, file), 'utf8')));
  const problems = [...lists, ...tests].flatMap((part) => part.problems);
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

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { coverageTable, problemsOf } from './coverage.mjs';
import { readRequirements } from './list.mjs';
import { taggedTests } from './tagged-tests.mjs';

const documents = ['news', 'models'];
/** What vitest.config.ts includes: other files are run by no project. */
const testFile = /\.test\.ts$/;

/**
 * @param {string} root
 * @param {readonly string[]} files of the tests, relative to the root
 */
export function readCoverage(root, files) {
  const lists = documents.map((name) =>
    readRequirements(name, readFileSync(join(root, 'docs', 'requirements', `${name}.md`), 'utf8')),
  );
  const readSource = sourceReader(root);
  const naming = files.filter((file) => file.endsWith('.ts') && namesRequirements(join(root, file)));
  const read = naming.map((file) =>
    testFile.test(file) ? taggedTests(file, readSource) : { tests: [], problems: [`${file} is not run as a test`] },
  );
  const tests = read.flatMap((file) => file.tests);
  const problems = [...lists, ...read].flatMap((part) => part.problems);
  return { text: coverageTable(lists, tests), problems: [...problems, ...problemsOf(lists, tests)] };
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

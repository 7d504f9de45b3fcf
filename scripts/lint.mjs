// Lints the files at the given paths, or all files, one after the other in alphabetical order: `node scripts/lint.mjs
// src-main`. ESLint's own command starts with the file that was read first. Some rules use types whose result can
// depend on earlier queries (such as the order of a union's members), so the same files passed in one run and failed
// in another. With --cache=FILE, files that passed with the same text are left out (docs/testing.md).
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ESLint } from 'eslint';
import { runCommand } from './setup/failure.mjs';
import { contentHash, filesAt } from './setup/inputs.mjs';
import { inProject, projectRoot } from './setup/project.mjs';

const linted = /\.(?:js|mjs|cjs|ts|svelte)$/;
const notOurs = ['node_modules', 'out', 'installers', 'test-output'];
/** Inputs of every file's result. */
const everywhere = ['package.json', 'package-lock.json', 'eslint.config.js', 'svelte.config.js', 'tsconfig.json'];

function everything() {
  return readdirSync(projectRoot).filter((name) => !name.startsWith('.') && !notOurs.includes(name));
}

/** @param {string} name */
const optionsOf = (name) =>
  process.argv.filter((arg) => arg.startsWith(`--${name}=`)).map((arg) => arg.slice(name.length + 3));

/**
 * @param {string | undefined} file
 * @returns {Record<string, string>} the hash with which each file passed; none if the cache is missing or damaged
 */
function readCache(file) {
  try {
    return file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

await runCommand(async () => {
  const paths = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const without = optionsOf('without');
  const [cacheFile] = optionsOf('cache');
  const isWanted = (/** @type {string} */ file) =>
    linted.test(file) && !without.some((path) => file.startsWith(`${path}/`));
  const files = filesAt(projectRoot, paths.length > 0 ? paths : everything()).filter(isWanted);
  const eslint = new ESLint({ cwd: projectRoot });
  const before = readCache(cacheFile);
  const rules = contentHash(projectRoot, everywhere);
  /** @type {Record<string, string>} */
  const passed = {};
  /** @type {ESLint.LintResult[]} */
  const results = [];
  for (const file of files) {
    const hash = `${rules} ${contentHash(projectRoot, [file])}`;
    if (before[file] !== hash) {
      const found = await eslint.lintText(readFileSync(inProject(file), 'utf8'), {
        filePath: file,
        warnIgnored: false,
      });
      results.push(...found);
      if (found.some(({ messages }) => messages.length > 0)) continue;
    }
    passed[file] = hash;
  }
  if (cacheFile !== undefined) {
    mkdirSync(dirname(cacheFile), { recursive: true });
    writeFileSync(cacheFile, JSON.stringify(passed));
  }
  const text = await (await eslint.loadFormatter('stylish')).format(results);
  if (text !== '') console.log(text);
  // Warnings fail too.
  return results.some(({ messages }) => messages.length > 0) ? 1 : 0;
});

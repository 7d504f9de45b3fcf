// Lints the files at the given paths, or all files, in alphabetical order: `node scripts/lint.mjs src-main`. With
// --cache=FILE, only files whose result may have changed since (docs/testing.md). ESLint's
// own command starts with the file that was read first. Some rules use types whose result can depend on earlier queries
// (such as the order of a union's members), so the same files passed in one run and failed in another.
import { readdirSync } from 'node:fs';
import { ESLint } from 'eslint';
import { lintFiles } from './lint/lint.mjs';
import { runCommand } from './setup/failure.mjs';
import { filesAt } from './setup/inputs.mjs';
import { projectRoot } from './setup/project.mjs';

const linted = /\.(?:js|mjs|cjs|ts|svelte)$/;
const notOurs = ['node_modules', 'out', 'installers', 'test-output'];

function everything() {
  return readdirSync(projectRoot).filter((name) => !name.startsWith('.') && !notOurs.includes(name));
}

/** @param {string} name */
const optionsOf = (name) =>
  process.argv.filter((arg) => arg.startsWith(`--${name}=`)).map((arg) => arg.slice(name.length + 3));

await runCommand(async () => {
  const paths = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const without = optionsOf('without');
  const [cacheFile = null] = optionsOf('cache');
  const isWanted = (/** @type {string} */ file) =>
    linted.test(file) && !without.some((path) => file.startsWith(`${path}/`));
  const files = filesAt(projectRoot, paths.length > 0 ? paths : everything()).filter(isWanted);
  const { results } = await lintFiles({ root: projectRoot, files, cacheFile });
  const text = await (await new ESLint({ cwd: projectRoot }).loadFormatter('stylish')).format(results);
  if (text !== '') console.log(text);
  // Warnings fail too.
  return results.some(({ messages }) => messages.length > 0) ? 1 : 0;
});

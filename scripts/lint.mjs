// Lints the files at the given paths, or all files, in alphabetical order: `node scripts/lint.mjs src-main`.
// ESLint's own command starts with the file that was read first. Some rules use types whose result can depend on earlier
// queries (such as the order of a union's members), so the same files passed in one run and failed in another.
import { readdirSync, readFileSync } from 'node:fs';
import { ESLint } from 'eslint';
import { runCommand } from './setup/failure.mjs';
import { filesAt } from './setup/inputs.mjs';
import { inProject, projectRoot } from './setup/project.mjs';

const linted = /\.(?:js|mjs|cjs|ts|svelte)$/;
const notOurs = ['node_modules', 'out', 'installers', 'test-output'];

function everything() {
  return readdirSync(projectRoot).filter((name) => !name.startsWith('.') && !notOurs.includes(name));
}

/**
 * @param {ESLint} eslint
 * @param {readonly string[]} files
 */
async function lint(eslint, files) {
  const results = [];
  for (const file of files) {
    const text = readFileSync(inProject(file), 'utf8');
    results.push(...(await eslint.lintText(text, { filePath: inProject(file), warnIgnored: false })));
  }
  return results;
}

await runCommand(async () => {
  const paths = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const without = process.argv.filter((arg) => arg.startsWith('--without=')).map((arg) => arg.slice(10));
  const isWanted = (/** @type {string} */ file) =>
    linted.test(file) && !without.some((path) => file.startsWith(`${path}/`));
  const eslint = new ESLint({ cwd: projectRoot });
  const files = filesAt(projectRoot, paths.length > 0 ? paths : everything()).filter(isWanted);
  // Components last: each one makes the compiler rebuild its program.
  const [components = [], others = []] = [true, false].map((is) =>
    files.filter((file) => file.endsWith('.svelte') === is),
  );
  const results = await lint(eslint, [...others, ...components]);
  const text = await (await eslint.loadFormatter('stylish')).format(results);
  if (text !== '') console.log(text);
  // Warnings fail too.
  return results.some(({ messages }) => messages.length > 0) ? 1 : 0;
});

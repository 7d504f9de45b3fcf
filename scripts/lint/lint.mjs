// Lints files and remembers which passed. A file is linted again when its text changed, when a declaration that it can
// see changed, or when anything changed that applies everywhere: rules, compiler settings, packages, these scripts.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { readCache, writeCache } from './cache.mjs';
import { createProject, forward, settingsOf } from './program.mjs';
import { hashOf, keysOf, sharedKey, statesOf } from './signatures.mjs';

/** Inputs of every file's result. */
const everywhere = ['package.json', 'package-lock.json', 'eslint.config.js', 'svelte.config.js'];

/** @param {string} root */
function keyOfEverything(root) {
  const settings = globSync('**/tsconfig*.json', { cwd: root, exclude: (name) => name === 'node_modules' });
  const own = globSync('*.mjs', { cwd: import.meta.dirname }).map((name) => join(import.meta.dirname, name));
  const files = [...everywhere, ...settings.sort()].map((name) => join(root, name));
  const hash = createHash('sha256').update(process.version);
  for (const file of [...files, ...own.sort()]) {
    hash.update(`${file}\n`);
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

/**
 * @param {ESLint} eslint
 * @param {string} root
 * @returns {Promise<import('./program.mjs').SvelteParsing | null>}
 */
async function svelteParsing(eslint, root) {
  const { languageOptions } = (await eslint.calculateConfigForFile(join(root, 'any.svelte'))) ?? {};
  return languageOptions?.parserOptions?.parser ? languageOptions : null;
}

/**
 * Groups files by the tsconfig.json that their rules need ('' if they need no types), without ignored files.
 * @param {ESLint} eslint
 * @param {string} root
 * @param {readonly string[]} files relative to the root
 */
async function grouped(eslint, root, files) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const file of files) {
    const config = await eslint.calculateConfigForFile(join(root, file));
    if (config === undefined) continue;
    const typed = Boolean(config.languageOptions?.parserOptions?.projectService);
    const settings = typed ? settingsOf(root, file) : '';
    groups.set(settings, [...(groups.get(settings) ?? []), file]);
  }
  return groups;
}

/**
 * @param {{ root: string, files: readonly string[], cacheFile?: string | null }} wanted
 *   files: relative to the root, linted in this order; cacheFile: where passed files are remembered between runs
 * @returns {Promise<{ results: ESLint.LintResult[], linted: string[] }>} linted: the files that were not remembered
 */
export async function lintFiles({ root, files, cacheFile = null }) {
  const plain = new ESLint({ cwd: root });
  const before = readCache(cacheFile);
  const shared = keyOfEverything(root);
  const parsing = await svelteParsing(plain, root);
  /** @type {import('./cache.mjs').LintCache} */
  const after = { passed: {}, projects: {} };
  /** @type {ESLint.LintResult[]} */
  const results = [];
  /** @type {string[]} */
  const linted = [];
  const lint = async (/** @type {ESLint} */ eslint, /** @type {string} */ file, /** @type {string} */ key) => {
    if (before.passed[file] !== key) {
      const text = readFileSync(join(root, file), 'utf8');
      const found = await eslint.lintText(text, { filePath: join(root, file), warnIgnored: false });
      linted.push(file);
      results.push(...found);
      if (found.some(({ messages }) => messages.length > 0)) return;
    }
    after.passed[file] = key;
  };
  for (const [settings, members] of await grouped(plain, root, files)) {
    if (settings === '') {
      for (const file of members)
        await lint(plain, file, hashOf(`${shared}\n${readFileSync(join(root, file), 'utf8')}`));
      continue;
    }
    const components = members.filter((file) => file.endsWith('.svelte')).map((file) => join(root, file));
    const project = createProject({ root, settings, components, parsing });
    const parserOptions = {
      projectService: false,
      programs: [project.program],
      disallowAutomaticSingleRunInference: true,
    };
    const eslint = new ESLint({ cwd: root, overrideConfig: { languageOptions: { parserOptions } } });
    const key = sharedKey(project, shared);
    const old = before.projects[settings];
    const states = statesOf(project, old?.shared === key ? old.states : {});
    const keyOf = keysOf(project, states, key);
    for (const file of members) await lint(eslint, file, keyOf(forward(join(root, file))));
    after.projects[settings] = { shared: key, states };
  }
  if (cacheFile !== null) writeCache(cacheFile, after);
  return { results, linted };
}

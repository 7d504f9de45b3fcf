// `npm run check`: lint, types, components, format and known weaknesses, one a core; prints what failed.
import './setup/node-gate.mjs';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { auditDependencies } from './setup/audit.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { contentHash } from './setup/inputs.mjs';
import { ensureMessages } from './setup/messages.mjs';
import { say } from './setup/progress.mjs';
import { inProject, projectRoot } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

const checkLimitMs = 15 * 60_000;

/** Kept between runs. All of it may go at any time. */
const cache = (/** @type {string} */ name) => inProject('node_modules', '.cache', 'check', name);

const page = ['src-renderer', 'test/renderer', 'test/e2e'];
/** On what lint depends everywhere: what the code is, how it is compiled, and the rules. */
const everywhere = ['src-main', 'test', 'scripts', 'package-lock.json', 'tsconfig.json', 'eslint.config.js'];

/**
 * @typedef {object} Check
 * @property {string} title
 * @property {string[]} command the file that Node runs, and its arguments
 * @property {string[]} [inputs] where all that its result depends on is known: it is left out while nothing there changes.
 *   ESLint's own cache looks at a file alone, while its rules ask for the types of others, too
 */

/** The longest first. @type {readonly Check[]} */
const checks = [
  {
    title: 'lint of the page',
    command: ['scripts/lint.mjs', ...page],
    inputs: [...everywhere, 'src-renderer', 'svelte.config.js'],
  },
  {
    title: 'lint of the rest',
    command: ['scripts/lint.mjs', ...page.map((path) => `--without=${path}`)],
    inputs: [
      ...everywhere,
      'src-renderer',
      'bin',
      'svelte.config.js',
      'electron.vite.config.ts',
      'electron-builder.config.ts',
      'vitest.config.ts',
    ],
  },
  {
    title: 'format',
    command: [
      'node_modules/prettier/bin/prettier.cjs',
      ...['--check', '--log-level', 'warn', '--cache', '--cache-location', cache('prettier'), '.'],
    ],
  },
  {
    title: 'page and its tests',
    command: [
      'node_modules/svelte-check/bin/svelte-check',
      ...['--tsconfig', 'test/renderer/tsconfig.json', '--fail-on-warnings'],
    ],
  },
  { title: 'types', command: ['node_modules/typescript/bin/tsc', '--project', '.', ...incremental('main')] },
  {
    // Code that runs inside the page needs the page's types; the rest must not see them.
    title: 'types of the end-to-end tests',
    command: ['node_modules/typescript/bin/tsc', '--project', 'test/e2e', ...incremental('e2e')],
  },
];

/** @param {string} name */
function incremental(name) {
  return ['--incremental', '--tsBuildInfoFile', cache(`${name}.tsbuildinfo`)];
}

/** @param {Check} check */
function markOf({ title, inputs }) {
  return { file: cache(title.replaceAll(' ', '-')), hash: contentHash(projectRoot, inputs ?? []) };
}

/** @param {{ file: string, hash: string }} mark */
function hasPassed({ file, hash }) {
  try {
    return readFileSync(file, 'utf8') === hash;
  } catch {
    return false;
  }
}

/** @param {Check} check */
async function passes(check) {
  const { title, command, inputs } = check;
  const mark = inputs ? markOf(check) : null;
  if (mark && hasPassed(mark)) {
    say(`${title}: passed (nothing has changed since)`);
    return true;
  }
  const [file = '', ...args] = command;
  const ended = await runProjectNode([inProject(file), ...args], { limitMs: checkLimitMs, output: 'keep' });
  const passed = ended.code === 0;
  say(`${title}: ${passed ? 'passed' : ended.timedOut ? 'took too long' : 'failed'}`);
  if (!passed) process.stdout.write(`${ended.output.trimEnd()}\n`);
  if (mark && passed) await writeFile(mark.file, mark.hash);
  return passed;
}

/** One a core: more at a time only take the memory and the caches of the processor from each other. */
async function passAll() {
  const waiting = [...checks];
  /** @type {boolean[]} */
  const results = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await passes(next));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results.every(Boolean);
}

/** Where nobody can be asked, the check says so and does not stand in the way. */
async function passesAudit() {
  const { asked, grave } = await auditDependencies();
  if (!asked) say('known weaknesses of dependencies: not asked, for the package registry gives no answer here');
  else say(`known weaknesses of dependencies: ${grave.length === 0 ? 'none' : 'failed'}`);
  for (const line of grave) process.stdout.write(`${line}\n`);
  return grave.length === 0;
}

await runCommand(async () => {
  await ensureDependencies();
  await ensureMessages();
  await mkdir(cache(''), { recursive: true });
  const results = await Promise.all([passAll(), passesAudit()]);
  return results.every(Boolean) ? 0 : 1;
});

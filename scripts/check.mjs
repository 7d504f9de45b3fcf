import { readOptions, run } from './setup/command.mjs';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { ensureMessages } from './setup/messages.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

readOptions({
  name: 'check',
  about: 'Checks lint, types, components and format, one check per core, and prints what failed.',
});

const checkLimitMs = 15 * 60_000;

/** Kept between runs; can be deleted at any time. */
const cache = (/** @type {string} */ name) => inProject('node_modules', '.cache', 'check', name);

const page = ['src-renderer', 'test/renderer', 'test/e2e'];

/**
 * @typedef {object} Check
 * @property {string} title
 * @property {string[]} command the file that Node runs, and its arguments
 */

/** Longest first. @type {readonly Check[]} */
const checks = [
  {
    title: 'lint (page)',
    command: ['scripts/lint.mjs', `--cache=${cache('lint-page')}`, ...page],
  },
  {
    title: 'lint (everything else)',
    command: ['scripts/lint.mjs', `--cache=${cache('lint-else')}`, ...page.map((path) => `--without=${path}`)],
  },
  {
    title: 'format',
    command: [
      'node_modules/prettier/bin/prettier.cjs',
      ...['--check', '--log-level', 'warn', '--cache', '--cache-location', cache('prettier'), '.'],
    ],
  },
  {
    title: 'components (page and its tests)',
    command: [
      'node_modules/svelte-check/bin/svelte-check',
      ...['--tsconfig', 'test/renderer/tsconfig.json', '--fail-on-warnings'],
    ],
  },
  { title: 'types', command: ['node_modules/typescript/bin/tsc', '--project', '.', ...incremental('main')] },
  {
    // Code that runs in the page needs browser types, which other code must not have.
    title: 'types (end-to-end tests)',
    command: ['node_modules/typescript/bin/tsc', '--project', 'test/e2e', ...incremental('e2e')],
  },
];

/** @param {string} name */
function incremental(name) {
  return ['--incremental', '--tsBuildInfoFile', cache(`${name}.tsbuildinfo`)];
}

/** @param {Check} check */
async function passes({ title, command }) {
  const [file = '', ...args] = command;
  const ended = await runProjectNode([inProject(file), ...args], { limitMs: checkLimitMs, output: 'keep' });
  const passed = ended.code === 0;
  say(`${title}: ${passed ? 'passed' : ended.timedOut ? 'timed out' : 'failed'}`);
  if (!passed) process.stdout.write(`${ended.output.trimEnd()}\n`);
  return passed;
}

/** One check per core: more would compete for memory and processor caches. */
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

await run(async () => {
  await ensureMessages();
  await mkdir(cache(''), { recursive: true });
  return (await passAll()) ? 0 : 1;
});

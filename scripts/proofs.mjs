import './setup/node-gate.mjs';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ensureBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { contentHash } from './setup/inputs.mjs';
import { readOptions, wholeNumber } from './setup/options.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runVitest } from './testing/vitest.mjs';

const MAX_SEED = 2 ** 31 - 1;

const { values, operands } = readOptions({
  name: 'proofs',
  about: `Runs the complete versions of tests that npm test runs in a short form: the simulated month, every kill,
all pictures.`,
  operands: { name: 'PATH ...', about: 'only these test files and folders, one after the other' },
  options: {
    'if-changed': { type: 'boolean', about: 'only those whose inputs differ from test/proven.json' },
    seed: { type: 'string', value: 'N', about: 'of all generated cases', fault: wholeNumber(0, MAX_SEED) },
    path: { type: 'string', value: 'P', about: 'repeat one generated case, as a failure prints it' },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * (MAX_SEED + 1)));

/** For each project. On two cores the longest, of the core, takes half an hour, and longer beside other work. */
const limitMs = 60 * 60_000;
const recordFile = inProject('test', 'proven.json');
const shared = [
  'bin',
  'src-main',
  'scripts',
  'test/support',
  'package.json',
  'package-lock.json',
  'vitest.config.ts',
  'tsconfig.json',
];

/** By vitest project. List everything that can change a result; an unnecessary folder only costs an extra run. */
const inputs = {
  main: [...shared, 'test/core', 'test/fortnight', 'test/mutants', 'test/store', 'test/sync'],
  e2e: [...shared, 'test/e2e', 'src-renderer', 'resources', 'svelte.config.js', 'electron.vite.config.ts'],
};

/** Test files with limits of time. They run one after the other, when nothing else of the proofs runs. */
const timed = readdirSync(inProject('test'), { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => readFileSync(inProject(file), 'utf8').includes('/support/timed.ts'));

/** @returns {Record<string, string>} the hash of the inputs with which each project last passed */
function readRecord() {
  return existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {};
}

/**
 * @param {string} project
 * @param {string | null} browser
 */
async function prove(project, browser) {
  // Only the test files that import the proofs switch.
  const args = ['related', '--run', '--project', project, 'test/support/proofs.ts'];
  const side = await run([...args, ...timed.flatMap((file) => ['--exclude', file])], browser);
  if (project !== 'main') return side;
  return (await runAlone(['--project', project, ...timed], browser)) && side;
}

/**
 * Runs test files one after the other, with their limits of time.
 * @param {readonly string[]} files
 * @param {string | null} browser
 */
function runAlone(files, browser) {
  return run(['run', '--maxWorkers=1', ...files], browser, { BROADSHEET_TIMED: '1' });
}

/**
 * @param {readonly string[]} args
 * @param {string | null} browser
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<boolean>} whether all passed
 */
async function run(args, browser, env = {}) {
  const proofs = { BROADSHEET_PROOFS: '1', BROADSHEET_SEED: String(seed), BROADSHEET_PATH: values.path ?? '' };
  const ended = await runVitest(args, { limitMs, browser, env: { ...proofs, ...env } });
  if (ended.timedOut) say(`The proofs timed out after ${limitMs / 60_000} minutes.`);
  return ended.code === 0;
}

/** @param {readonly string[]} projects */
async function proveAll(projects) {
  await ensureBuild();
  const browser = projects.includes('e2e') ? await ensureBrowser() : null;
  const proven = [];
  for (const project of projects) {
    // Without a browser, the e2e suites are skipped.
    if ((await prove(project, browser)) && (project !== 'e2e' || browser !== null)) proven.push(project);
    else say(`${project}: failed`);
  }
  return proven;
}

await runCommand(async () => {
  await ensureDependencies();
  say(`Seed ${seed}`);
  if (operands.length > 0) {
    await ensureBuild();
    return (await runAlone(operands, await ensureBrowser())) ? 0 : 1;
  }
  const record = readRecord();
  const hashes = Object.entries(inputs).map(
    ([project, paths]) => /** @type {const} */ ([project, contentHash(inProject(), paths)]),
  );
  const wanted = hashes
    .filter(([project, hash]) => !values['if-changed'] || record[project] !== hash)
    .map(([project]) => project);
  if (wanted.length === 0) say('Unchanged since the proofs last passed.');
  const proven = wanted.length === 0 ? [] : await proveAll(wanted);
  for (const [project, hash] of hashes) if (proven.includes(project)) record[project] = hash;
  if (proven.length > 0) writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
  return proven.length === wanted.length ? 0 : 1;
});

import { readOptions, run } from './setup/command.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { ensureBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { wholeNumber } from './setup/options.mjs';
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
    seed: { type: 'string', value: 'N', about: 'of all generated cases', fault: wholeNumber(0, MAX_SEED) },
    path: { type: 'string', value: 'P', about: 'repeat one generated case, as a failure prints it' },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * (MAX_SEED + 1)));

/** For each project. On two cores the longest, of the core, takes half an hour, and longer beside other work. */
const limitMs = 3 * 60 * 60_000;
/** Test files with limits of time. They run one after the other, when nothing else of the proofs runs. */
const timed = readdirSync(inProject('test'), { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => readFileSync(inProject(file), 'utf8').includes('/support/timed.ts'));

/**
 * @param {string} project
 * @param {string | null} browser
 */
async function prove(project, browser) {
  // Only the test files that import the proofs switch.
  const args = ['related', '--run', '--project', project, 'test/support/proofs.ts'];
  const side = await runProofs([...args, ...timed.flatMap((file) => ['--exclude', file])], browser);
  if (project !== 'main') return side;
  return (await runAlone(['--project', project, ...timed], browser)) && side;
}

/**
 * Runs test files one after the other, with their limits of time.
 * @param {readonly string[]} files
 * @param {string | null} browser
 */
function runAlone(files, browser) {
  return runProofs(['run', '--maxWorkers=1', ...files], browser, { BROADSHEET_TIMED: '1' });
}

/**
 * @param {readonly string[]} args
 * @param {string | null} browser
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<boolean>} whether all passed
 */
async function runProofs(args, browser, env = {}) {
  const proofs = { BROADSHEET_PROOFS: '1', BROADSHEET_SEED: String(seed), BROADSHEET_PATH: values.path ?? '' };
  const ended = await runVitest(args, { limitMs, browser, env: { ...proofs, ...env } });
  if (ended.timedOut) say(`The proofs timed out after ${limitMs / 60_000} minutes.`);
  return ended.code === 0;
}

await run(async () => {
  say(`Seed ${seed}`);
  await ensureBuild();
  const browser = await ensureBrowser();
  if (operands.length > 0) return (await runAlone(operands, browser)) ? 0 : 1;
  const ended = [await prove('main', browser), await prove('renderer', browser), await prove('e2e', browser)];
  return ended.every(Boolean) ? 0 : 1;
});

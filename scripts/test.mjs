// `npm test`: installs and builds what is missing, runs the quick tests and ends with "N passed, N failed".
// `npm run test:all` runs every test.
import './setup/node-gate.mjs';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { ensureBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { Interrupted, reportFailure, runCommand } from './setup/failure.mjs';
import { ensureMessages } from './setup/messages.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { isQuick, TESTS_VARIABLE } from './testing/slow-tests.mjs';
import { countTotals, totalsLine } from './testing/totals.mjs';
import { runVitest } from './testing/vitest.mjs';

const testLimitMs = 40 * 60_000;
const reportFile = inProject('test-output', 'results.json');

/** @param {readonly string[]} args */
function wantsBrowser(args) {
  const projects = args.flatMap((arg, index) => {
    if (arg.startsWith('--project=')) return [arg.slice('--project='.length)];
    return args[index - 1] === '--project' ? [arg] : [];
  });
  return projects.length === 0 || projects.includes('e2e');
}

/** A failed build counts as one failure. Tests that do not need it still run. */
async function buildOrReport() {
  try {
    await ensureBuild();
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    reportFailure(error);
    return 1;
  }
}

/**
 * @param {readonly string[]} args
 * @param {string | null} browser
 */
async function runTests(args, browser) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const forVitest = args.filter((arg) => arg !== '--all');
  const env = isQuick(args) ? { [TESTS_VARIABLE]: 'quick' } : {};
  const ended = await runVitest(['run', ...reporters, ...forVitest], { limitMs: testLimitMs, browser, env });
  if (ended.timedOut) say(`The tests timed out after ${testLimitMs / 60_000} minutes.`);
  return ended.code;
}

function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return null;
  }
}

/** @param {readonly string[]} args */
async function setUpAndRun(args) {
  await ensureDependencies();
  await ensureMessages();
  const otherFailures = await buildOrReport();
  const browser = wantsBrowser(args) ? await ensureBrowser() : null;
  return { exitCode: await runTests(args, browser), otherFailures };
}

await runCommand(async () => {
  mkdirSync(inProject('test-output'), { recursive: true });
  rmSync(reportFile, { force: true });
  const args = process.argv.slice(2);
  const run = await setUpAndRun(args).catch((error) => {
    if (error instanceof Interrupted) throw error;
    reportFailure(error);
    return { exitCode: 1, otherFailures: 1 };
  });
  // Without changes there is nothing to test.
  const totals = countTotals(readReport(), { ...run, mayBeEmpty: args.includes('--changed') });
  if (isQuick(args)) say('These were the quick tests. `npm run test:all` runs every test.');
  console.log(totalsLine(totals));
  return totals.failed > 0 ? 1 : 0;
});

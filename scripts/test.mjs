import './setup/node-gate.mjs';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { ensureBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { Interrupted, reportFailure, runCommand } from './setup/failure.mjs';
import { ensureMessages } from './setup/messages.mjs';
import { oneOf, readOptions } from './setup/options.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { countTotals, totalsLine } from './testing/totals.mjs';
import { runVitest } from './testing/vitest.mjs';

const testLimitMs = 40 * 60_000;
/** As in vitest.config.ts. */
const projects = ['main', 'renderer', 'e2e'];
const reportFile = inProject('test-output', 'results.json');

const { values, operands } = readOptions({
  name: 'test',
  about: 'Installs and builds what is missing, runs the tests, and ends with "N passed, N failed".',
  operands: { name: 'PATH ...', about: 'only these test files and folders' },
  options: {
    changed: { type: 'boolean', about: 'those that the changes since the last commit affect', default: false },
    project: { type: 'string', value: 'NAME', multiple: true, about: 'main, renderer or e2e', fault: oneOf(projects) },
    testNamePattern: { type: 'string', short: 't', value: 'PATTERN', about: 'those whose name it matches' },
    update: { type: 'boolean', short: 'u', about: 'write snapshots again', default: false },
  },
});
const { changed, project, testNamePattern, update } = values;

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

/** @param {string | null} browser */
async function runTests(browser) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const chosen = [
    ...(changed ? ['--changed'] : []),
    ...(update ? ['--update=true'] : []),
    ...(project ?? []).map((name) => `--project=${name}`),
    ...(testNamePattern === undefined ? [] : [`--testNamePattern=${testNamePattern}`]),
    ...operands,
  ];
  const ended = await runVitest(['run', ...reporters, ...chosen], { limitMs: testLimitMs, browser });
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

async function setUpAndRun() {
  await ensureDependencies();
  await ensureMessages();
  const otherFailures = await buildOrReport();
  const browser = !project || project.includes('e2e') ? await ensureBrowser() : null;
  return { exitCode: await runTests(browser), otherFailures };
}

await runCommand(async () => {
  mkdirSync(inProject('test-output'), { recursive: true });
  rmSync(reportFile, { force: true });
  const run = await setUpAndRun().catch((error) => {
    if (error instanceof Interrupted) throw error;
    reportFailure(error);
    return { exitCode: 1, otherFailures: 1 };
  });
  // Without changes there is nothing to test.
  const totals = countTotals(readReport(), { ...run, mayBeEmpty: changed });
  console.log(totalsLine(totals));
  return totals.failed > 0 ? 1 : 0;
});

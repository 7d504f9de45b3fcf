import './setup/node-gate.mjs';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { faultsPage } from './faults/page.mjs';
import { parts } from './faults/parts.mjs';
import { ensureBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { contentHash } from './setup/inputs.mjs';
import { oneOf, readOptions, wholeNumber } from './setup/options.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runVitest } from './testing/vitest.mjs';

/** @typedef {import('./faults/page.mjs').Result} Result */

const MAX_SEED = 2 ** 31 - 1;
/** For the whole run; a part whose own limit would exceed it is not started. */
const limitMs = 40 * 60_000;
/** Parts at a time. Each runs its test files one after the other, so two use the two cores of a small computer. */
const lanes = 2;
const heartbeatMs = 30_000;
const folder = inProject('test-output', 'faults');
const summaryFile = inProject('test-output', 'faults.json');
const pageFile = inProject('docs', 'faults.md');
/** Inputs of every part, besides its tests. The page marks results whose inputs have changed since. */
const inputs = ['src-main', 'src-renderer', 'test/support', 'package-lock.json', 'vitest.config.ts'];

const { values } = readOptions({
  name: 'faults',
  about: `Runs everything in docs/faults.md in its long form, with one seed. Two parts run at a time, in one process each.`,
  options: {
    seed: { type: 'string', value: 'N', about: 'of all generated cases', fault: wholeNumber(0, MAX_SEED) },
    only: {
      type: 'string',
      value: 'PART',
      multiple: true,
      about: 'run this part only',
      fault: oneOf(parts.map(({ name }) => name)),
    },
    path: { type: 'string', value: 'P', about: 'repeat one generated case of a part, as a failure prints it' },
  },
});

/**
 * @param {string} file
 * @returns {any} null if it is missing or not JSON
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * @param {string} file one JSON object a line
 * @returns {import('./faults/page.mjs').Figures[]}
 */
function readFigures(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/**
 * Returns the messages of failed tests, which name the seed and the smallest case.
 * @param {any} report of vitest
 * @returns {string[]}
 */
function failuresIn(report) {
  /** @type {any[]} */
  const files = report?.testResults ?? [];
  return files.flatMap((file) => {
    /** @type {any[]} */
    const failed = file.assertionResults.filter((/** @type {any} */ one) => one.status === 'failed');
    const texts = failed.map((one) => `${one.fullName}\n${one.failureMessages.join('\n')}`);
    return file.status === 'failed' && failed.length === 0 ? [`${file.name}\n${file.message}`] : texts;
  });
}

/**
 * @typedef {object} Run
 * @property {number} seed
 * @property {string | undefined} path of a single generated case
 * @property {string | null} browser path of a Chromium
 * @property {number} until when all has to be over, in ms
 * @property {number} workers processes for the test files of a part
 */

/**
 * @param {import('./faults/parts.mjs').Part} part
 * @param {Run} run
 * @returns {Promise<Result>}
 */
async function runPart(part, { seed, path, browser, until, workers }) {
  const { name, tests, project, limitMinutes } = part;
  const tree = treeOf(part);
  const reportFile = `${folder}/${name}.json`;
  const figuresFile = `${folder}/${name}.jsonl`;
  for (const file of [reportFile, figuresFile]) rmSync(file, { force: true });
  const begun = Date.now();
  const reporting = ['--reporter=json', `--outputFile.json=${reportFile}`];
  const ended = await runVitest(['run', '--project', project, `--maxWorkers=${workers}`, ...reporting, ...tests], {
    limitMs: Math.min(limitMinutes * 60_000, until - begun),
    browser: project === 'e2e' ? browser : null,
    output: 'keep',
    env: {
      BROADSHEET_PROOFS: '1',
      BROADSHEET_SEED: String(seed),
      BROADSHEET_FIGURES: figuresFile,
      BROADSHEET_PATH: path ?? '',
    },
  });
  const report = readJson(reportFile);
  const failures = failuresIn(report);
  if (project === 'e2e' && browser === null) failures.push('There is no browser for these tests.');
  if (ended.timedOut) failures.push(`Not ended after ${Math.round((Date.now() - begun) / 60_000)} minutes.`);
  if (ended.code !== 0 && failures.length === 0) failures.push(`vitest ended with ${ended.code}.\n${ended.output}`);
  return {
    name,
    tree,
    seed,
    date: new Date().toISOString().slice(0, 10),
    seconds: Math.round((Date.now() - begun) / 1000),
    tests: report?.numPassedTests ?? 0,
    skipped: report?.numPendingTests ?? 0,
    figures: readFigures(figuresFile),
    failures,
  };
}

/** @param {Result} result */
function print({ name, seed, seconds, tests, skipped, figures, failures }) {
  for (const { what, amount, counts } of figures) {
    const held = Object.entries(counts).map(([key, value]) => `${key} ${value}`);
    console.log(`${name}: ${amount} ${what}: ${held.join(', ')}`);
  }
  const skips = skipped > 0 ? `, ${skipped} skipped` : '';
  console.log(`${name}: ${failures.length === 0 ? 'held' : 'FAILED'}, ${tests} tests passed${skips}, ${seconds} s`);
  for (const failure of failures) console.log(failure);
  if (failures.length > 0) console.log(`Again: npm run faults -- --seed ${seed} --only ${name}`);
}

/** @param {import('./faults/parts.mjs').Part} part */
const treeOf = ({ tests }) => contentHash(inProject(), [...inputs, ...tests.map((path) => path.replace(/\/$/, ''))]);

/**
 * Reads the results of earlier runs here, which `--only` adds to.
 * @returns {{ parts: Result[], whole: import('./faults/page.mjs').Whole | null }}
 */
const lastResults = () => ({ parts: [], whole: null, ...readJson(summaryFile) });

/** @param {{ parts: Result[], whole: import('./faults/page.mjs').Whole | null }} summary */
const saveResults = (summary) => writeFileSync(summaryFile, `${JSON.stringify(summary, null, 2)}\n`);

/**
 * Runs parts, the longest first, some at a time, and prints the progress.
 * @param {readonly import('./faults/parts.mjs').Part[]} wanted
 * @param {Omit<Run, 'workers'>} run
 * @returns {Promise<boolean>} whether everything held
 */
async function runParts(wanted, run) {
  const waiting = wanted.toSorted((a, b) => b.limitMinutes - a.limitMinutes);
  const workers = Math.max(1, Math.floor(lanes / waiting.length));
  const begun = Date.now();
  /** @param {number} since */
  const seconds = (since) => `${Math.round((Date.now() - since) / 1000)} s`;
  /** @type {Map<string, number>} */
  const running = new Map();
  let [ended, held] = [0, true];
  const heartbeat = setInterval(() => {
    const names = [...running].map(([name, since]) => `${name} (${seconds(since)})`).join(', ');
    say(`After ${seconds(begun)}: ${ended} of ${wanted.length} parts have ended; running: ${names}`);
  }, heartbeatMs);
  const lane = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      if (Date.now() >= run.until) {
        say(`${part.name}: not begun, because ${limitMs / 60_000} minutes are over.`);
        held = false;
        continue;
      }
      running.set(part.name, Date.now());
      const result = await runPart(part, { ...run, workers });
      running.delete(part.name);
      ended += 1;
      print(result);
      held &&= result.failures.length === 0;
      if (run.path !== undefined) continue;
      const last = lastResults();
      saveResults({ ...last, parts: [...last.parts.filter(({ name }) => name !== result.name), result] });
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    clearInterval(heartbeat);
  }
  return held;
}

await runCommand(async () => {
  const { only = [], path } = values;
  const seed = Number(values.seed ?? Math.floor(Math.random() * (MAX_SEED + 1)));
  await ensureDependencies();
  await ensureBuild();
  mkdirSync(folder, { recursive: true });
  const wanted = only.length === 0 ? parts : parts.filter(({ name }) => only.includes(name));
  const browser = wanted.some(({ project }) => project === 'e2e') ? await ensureBrowser() : null;
  console.log(`Seed ${seed}`);
  const begun = Date.now();
  const held = await runParts(wanted, { seed, path, browser, until: begun + limitMs });
  const seconds = Math.round((Date.now() - begun) / 1000);
  console.log(`${wanted.length} parts, ${held ? 'all held' : 'NOT all held'}, ${seconds} s`);
  if (only.length === 0) saveResults({ ...lastResults(), whole: { seconds, seed, lanes } });
  const { parts: last, whole } = lastResults();
  const results = last.map((result) => ({
    ...result,
    isCurrent: parts.some((part) => part.name === result.name && treeOf(part) === result.tree),
  }));
  if (parts.every(({ name }) => results.some((result) => result.name === name)))
    writeFileSync(pageFile, await faultsPage(parts, results, whole));
  else say('docs/faults.md is written when all parts have run here.');
  return held ? 0 : 1;
});

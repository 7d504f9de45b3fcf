// `npm run faults [-- --seed N] [--only NAME] [--path P]`: everything of docs/faults.md in its long form, with one seed.
// `--path` repeats one generated case of a part, as a failure prints it.
import './setup/node-gate.mjs';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { faultsPage } from './faults/page.mjs';
import { parts } from './faults/parts.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { Failure, runCommand } from './setup/failure.mjs';
import { contentHash } from './setup/inputs.mjs';
import { ensureMessages } from './setup/messages.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runVitest } from './setup/vitest.mjs';

/** @typedef {import('./faults/page.mjs').Result} Result */

/** Together with the limits of the parts: a part that would begin later is not begun. */
const limitMs = 40 * 60_000;
const folder = inProject('test-output', 'faults');
const summaryFile = inProject('test-output', 'faults.json');
const pageFile = inProject('docs', 'faults.md');
/** With a part's tests, what its result depends on. The page says which results are of other inputs than now. */
const inputs = ['src-main', 'test/support', 'package-lock.json', 'vitest.config.ts'];

/** @returns {{ seed: number, only: string[], path: string | undefined }} */
function readOptions() {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, only: { type: 'string', multiple: true }, path: { type: 'string' } },
    allowPositionals: false,
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 31)
    throw new Failure('--seed needs a whole number from 0 to 2147483647.');
  const only = values.only ?? [];
  const names = parts.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Failure(`There is no part ${unknown}. Parts: ${names.join(', ')}.`);
  return { seed, only, path: values.path };
}

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
 * The messages of failed tests, which name the seed and the smallest case.
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
 * @param {import('./faults/parts.mjs').Part} part
 * @param {number} seed
 * @param {{ leftMs: number, path: string | undefined }} options leftMs: of the whole run; path: of a single generated case
 * @returns {Promise<Result>}
 */
async function runPart(part, seed, { leftMs, path }) {
  const { name, tests, project, limitMinutes } = part;
  const tree = treeOf(part);
  const reportFile = `${folder}/${name}.json`;
  const figuresFile = `${folder}/${name}.jsonl`;
  for (const file of [reportFile, figuresFile]) rmSync(file, { force: true });
  const begun = Date.now();
  const args = ['run', '--project', project, '--reporter=json', `--outputFile.json=${reportFile}`, ...tests];
  const ended = await runVitest(args, {
    limitMs: Math.min(limitMinutes * 60_000, leftMs),
    browser: null,
    env: {
      BROADSHEET_PROOFS: '1',
      BROADSHEET_SEED: String(seed),
      BROADSHEET_FIGURES: figuresFile,
      BROADSHEET_PATH: path ?? '',
    },
  });
  const report = readJson(reportFile);
  const failures = failuresIn(report);
  if (ended.timedOut) failures.push(`Not ended after ${Math.round((Date.now() - begun) / 60_000)} minutes.`);
  if (ended.code !== 0 && failures.length === 0) failures.push(`vitest ended with ${ended.code}.`);
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

/** @returns {Result[]} the last one of each part that ever ran here; `--only` adds to them */
const lastResults = () => readJson(summaryFile)?.parts ?? [];

await runCommand(async () => {
  const { seed, only, path } = readOptions();
  await ensureDependencies();
  await ensureMessages();
  await ensureBuild();
  mkdirSync(folder, { recursive: true });
  const wanted = only.length === 0 ? parts : parts.filter(({ name }) => only.includes(name));
  console.log(`Seed ${seed}`);
  const begun = Date.now();
  let failed = false;
  for (const part of wanted) {
    const leftMs = begun + limitMs - Date.now();
    if (leftMs <= 0) {
      say(`${part.name}: not begun, because ${limitMs / 60_000} minutes are over.`);
      failed = true;
      continue;
    }
    const result = await runPart(part, seed, { leftMs, path });
    print(result);
    failed ||= result.failures.length > 0;
    if (path !== undefined) continue;
    const results = [...lastResults().filter(({ name }) => name !== result.name), result];
    writeFileSync(summaryFile, `${JSON.stringify({ parts: results }, null, 2)}\n`);
  }
  const results = lastResults().map((result) => ({
    ...result,
    isCurrent: parts.some((part) => part.name === result.name && treeOf(part) === result.tree),
  }));
  if (parts.every(({ name }) => results.some((result) => result.name === name)))
    writeFileSync(pageFile, await faultsPage(parts, results));
  else say('docs/faults.md is written when all parts have run here.');
  return failed ? 1 : 0;
});

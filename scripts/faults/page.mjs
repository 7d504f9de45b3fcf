import { arch, cpus, platform, totalmem } from 'node:os';
import { readFileSync } from 'node:fs';
import { runProjectNode } from '../setup/project-node.mjs';
import { inProject } from '../setup/project.mjs';

/**
 * @typedef {object} Figures see test/support/figures.ts
 * @property {string} what
 * @property {number} amount
 * @property {Readonly<Record<string, number | string>>} counts
 */

/**
 * @typedef {object} Result of a part
 * @property {string} name
 * @property {string} tree hash of what it depends on
 * @property {number} seed
 * @property {string} date of its end, YYYY-MM-DD
 * @property {number} seconds it took
 * @property {number} tests that passed
 * @property {number} skipped tests that this computer can't run
 * @property {boolean} [isCurrent] whether sources and tests are still the same
 * @property {readonly Figures[]} figures
 * @property {readonly string[]} failures
 */

/**
 * @typedef {object} Whole the last run of all parts
 * @property {number} seconds
 * @property {number} seed
 * @property {number} lanes parts at a time
 */

/** Counts that must stay 0, with a column each. Not every part has all of them. */
const losses = ['lost user rows', 'unequal mirrors', 'crashes'];

/** Listed on the page, so that nobody takes the table for more than it is. */
const notCovered = [
  'A loss of power: SIGKILL leaves what the system has not yet written to the disk, a loss of power does not.',
  'Disks that report a write as done and lose it, and folders on network drives.',
  'Windows and macOS: files that another program keeps open, their signals, and their full disks.',
  "A disk that is really full: SQLite's limit of pages takes its place where no small file system can be mounted.",
  'Defects of Chromium and Electron themselves, and answers of the real service: everything is sent by the demo service.',
  'Every order of two faults at once; they meet only where a part says so.',
];

/** @param {string} name */
const versionOf = (name) => JSON.parse(readFileSync(inProject('node_modules', name, 'package.json'), 'utf8')).version;

/** @returns {Promise<string>} the versions of everything that takes part */
async function versions() {
  const script =
    "import Database from 'better-sqlite3';" +
    "console.log(process.versions.node, new Database(':memory:').prepare('SELECT sqlite_version()').pluck().get())";
  const { output } = await runProjectNode(['--input-type=module', '--eval', script], {
    limitMs: 30_000,
    output: 'keep',
  });
  const [node, sqlite] = output.trim().split(' ');
  return `Node ${node}, SQLite ${sqlite}, better-sqlite3 ${versionOf('better-sqlite3')}, fast-check ${versionOf('fast-check')}`;
}

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|');

/** @param {Result} result */
function howMuch({ figures, tests, skipped }) {
  const amounts = figures.map(({ what, amount }) => `${amount.toLocaleString('en')} ${what}`);
  const skips = skipped > 0 ? ` (${skipped} skipped)` : '';
  return [...amounts, `${tests} tests${skips}`].join('; ');
}

/**
 * Adds up the counts of something that must not happen in a part.
 * @param {Result} result
 * @param {string} loss
 */
function countOf({ figures }, loss) {
  const counts = figures.flatMap(({ counts }) => (loss in counts ? [Number(counts[loss])] : []));
  return counts.length === 0 ? '–' : String(counts.reduce((sum, count) => sum + count, 0));
}

/** @param {Result} result */
function whatHeld({ figures, failures }) {
  if (failures.length > 0) return `**failed**: ${failures.length}`;
  const counts = figures.flatMap(({ counts }) => Object.entries(counts).filter(([key]) => !losses.includes(key)));
  return ['held', ...counts.map(([key, value]) => `${key} ${value}`)].join('; ');
}

/**
 * @param {readonly Result[]} results
 * @param {Whole | null} whole
 */
function howLong(results, whole) {
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const parts = `The parts took ${Math.ceil(seconds / 60)} minutes together`;
  if (whole === null) return `${parts}, in separate runs,`;
  return `${parts}, and the last whole run, ${whole.lanes} parts at a time, ${Math.ceil(whole.seconds / 60)} minutes,`;
}

/**
 * Formats docs/faults.md.
 * @param {readonly import('./parts.mjs').Part[]} parts
 * @param {readonly Result[]} results one of each part
 * @param {Whole | null} whole null if there was none yet
 */
export async function faultsPage(parts, results, whole) {
  const rows = parts.map((part) => {
    const result = results.find(({ name }) => name === part.name);
    if (!result) throw new Error(`There is no result of ${part.name}.`);
    return [
      `\`${part.name}\``,
      part.what,
      part.holds,
      howMuch(result),
      ...losses.map((loss) => countOf(result, loss)),
      whatHeld(result),
      `${result.seconds} s`,
      String(result.seed),
      result.isCurrent ? result.date : `${result.date}, earlier sources`,
    ];
  });
  const sums = losses.map((loss) => results.reduce((sum, result) => sum + (Number(countOf(result, loss)) || 0), 0));
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const tests = results.reduce((sum, result) => sum + result.tests, 0);
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const verdict = failed === 0 ? 'held' : `**${failed} parts failed**`;
  const total = ['all', '', '', `${tests} tests`, ...sums.map(String), verdict, `${seconds} s`, '', ''];
  const lines = [...rows, total].map((row) => `| ${row.map(cell).join(' | ')} |`);
  const head = ['part', 'what is done', 'what must hold', 'how much', ...losses, 'result', 'took', 'seed', 'date'];
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? arch()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory`;
  const latest =
    results
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? '';
  return `# Faults

Written by \`npm run faults\`; do not edit.

What is done to Broadsheet, how often, and what held. Latest part: ${latest}. ${howLong(results, whole)} on
${machine}, ${platform()} ${arch()}: ${await versions()}.
\`npm run faults -- --seed N --only NAME\` repeats a part with the same generated cases; a failure prints its seed and the
smallest case found. Moments of kills and signals also depend on the speed of the computer. \`npm test\` runs a short
form of every part ([testing](testing.md#the-fault-suite)).

| ${head.join(' | ')} |
| ${head.map(() => '---').join(' | ')} |
${lines.join('\n')}

## Not covered

${notCovered.map((line) => `- ${line}`).join('\n')}
`;
}

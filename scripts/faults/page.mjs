import { arch, cpus, platform } from 'node:os';
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

/** @param {Result} result */
function whatHeld({ figures, failures }) {
  if (failures.length > 0) return `**failed**: ${failures.length}`;
  const counts = figures.flatMap(({ counts }) => Object.entries(counts).map(([key, value]) => `${key} ${value}`));
  return ['held', ...counts].join('; ');
}

/**
 * docs/faults.md.
 * @param {readonly import('./parts.mjs').Part[]} parts
 * @param {readonly Result[]} results one of each part
 */
export async function faultsPage(parts, results) {
  const rows = parts.map((part) => {
    const result = results.find(({ name }) => name === part.name);
    if (!result) throw new Error(`There is no result of ${part.name}.`);
    const took = `${result.seconds} s`;
    return [
      `\`${part.name}\``,
      part.what,
      part.holds,
      howMuch(result),
      whatHeld(result),
      took,
      String(result.seed),
      result.isCurrent ? result.date : `${result.date}, earlier sources`,
    ];
  });
  const lines = rows.map((row) => `| ${row.map(cell).join(' | ')} |`);
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  return `# Faults

Written by \`npm run faults\`; do not edit.

What is done to Broadsheet, how often, and what held. The whole run took ${Math.ceil(seconds / 60)} minutes on
${cpus().length} cores (${platform()} ${arch()}): ${await versions()}.
\`npm run faults -- --seed N --only NAME\` repeats a part with the same generated cases; a failure prints its seed and the
smallest case found. Moments of kills and signals also depend on the speed of the computer. \`npm test\` runs a short
form of every part. Decision [102](decisions/102-fault-suite.md).

| part | what is done | what must hold | how much | result | took | seed | date |
| --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
}

import { readFileSync } from 'node:fs';
import { runNpm } from './dependencies.mjs';
import { inProject } from './project.mjs';

const auditLimitMs = 60_000;

/**
 * @typedef {object} Verdict
 * @property {boolean} checked whether the registry answered; it may be unreachable, or have no advisories
 * @property {string[]} severe known vulnerabilities, high or critical, in code that users run; one line each
 */

/**
 * Runs npm's audit for the packages in an installer, including Electron. Build tools are not included, because they only
 * process our own files.
 * @returns {Promise<Verdict>}
 */
export async function auditDependencies() {
  const ended = await runNpm(['audit', '--json', '--loglevel=silent', '--fetch-retries=0'], auditLimitMs);
  return verdictOf(ended.output, [
    'electron',
    ...namesIn(readFileSync(inProject('resources', 'licences.txt'), 'utf8')),
  ]);
}

/**
 * @param {string} output of `npm audit --json`
 * @param {readonly string[]} carried names of packages
 * @returns {Verdict}
 */
export function verdictOf(output, carried) {
  const report = reportIn(output);
  if (typeof report?.vulnerabilities !== 'object') return { checked: false, severe: [] };
  const found = /** @type {[string, { severity: string, range: string }][]} */ (Object.entries(report.vulnerabilities));
  const severe = found.filter(([name, { severity }]) => carried.includes(name) && /^(high|critical)$/.test(severity));
  return { checked: true, severe: severe.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`) };
}

/**
 * The names of the packages in a text of `npm run licences`.
 * @param {string} licences
 */
export function namesIn(licences) {
  return [...licences.matchAll(/^={80}\n(\S+) /gm)].map(([, name = '']) => name);
}

/** @param {string} output may contain other lines of npm before and after the JSON */
function reportIn(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}

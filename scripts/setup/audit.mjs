import { readFileSync } from 'node:fs';
import { runNpm } from './dependencies.mjs';
import { inProject } from './project.mjs';

const auditLimitMs = 60_000;

/**
 * @typedef {object} Verdict
 * @property {boolean} asked whether the registry answered; it may be out of reach, or keep no advisories
 * @property {string[]} grave known weaknesses, high or critical, in what a reader's machine runs; one line each
 */

/**
 * What npm's audit says about the packages that an installer carries, Electron among them. The tools that build it are left
 * out: what they get to read is our own.
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
  if (typeof report?.vulnerabilities !== 'object') return { asked: false, grave: [] };
  const found = /** @type {[string, { severity: string, range: string }][]} */ (Object.entries(report.vulnerabilities));
  const grave = found.filter(([name, { severity }]) => carried.includes(name) && /^(high|critical)$/.test(severity));
  return { asked: true, grave: grave.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`) };
}

/**
 * The names of the packages in a text of `npm run licences`.
 * @param {string} licences
 */
export function namesIn(licences) {
  return [...licences.matchAll(/^={80}\n(\S+) /gm)].map(([, name = '']) => name);
}

/** @param {string} output which may hold lines of npm's own before and after */
function reportIn(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}

import { readFileSync } from 'node:fs';
import { runNpm } from './dependencies.mjs';
import { causeIn } from './failure.mjs';
import { inProject } from './project.mjs';

const auditLimitMs = 60_000;
/** In bytes. A report of many vulnerabilities is long, and half of it is no JSON. */
const reportLimit = 64 * 1024 * 1024;

/**
 * @typedef {object} Verdict
 * @property {string | null} notAsked why the registry gave no answer: it may be unreachable, or have no advisories. Null if
 *   it did; otherwise nothing is known about the packages
 * @property {string[]} severe known vulnerabilities, high or critical, in code that users run; one line each
 */

/**
 * Runs npm's audit for the packages in an installer, including Electron. Build tools are not included, because they only
 * process our own files.
 * @returns {Promise<Verdict>}
 */
export async function auditDependencies() {
  const ended = await runNpm(['audit', '--json', '--loglevel=silent', '--fetch-retries=0'], auditLimitMs, reportLimit);
  if (ended.timedOut) return { notAsked: `no answer within ${auditLimitMs / 1000} seconds`, severe: [] };
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
  const isAnswer = typeof report?.vulnerabilities === 'object' && report.vulnerabilities !== null;
  if (!isAnswer) return { notAsked: reasonIn(output, report), severe: [] };
  const found = /** @type {[string, { severity: string, range: string }][]} */ (Object.entries(report.vulnerabilities));
  const severe = found.filter(([name, { severity }]) => carried.includes(name) && /^(high|critical)$/.test(severity));
  return { notAsked: null, severe: severe.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`) };
}

/** Reads the names of the packages from a text of `npm run licences`. @param {string} licences */
export function namesIn(licences) {
  return [...licences.matchAll(/^={80}\n(\S+) /gm)].map(([, name = '']) => name);
}

/**
 * @param {string} output
 * @param {{ statusCode?: unknown } | null} report
 */
function reasonIn(output, report) {
  const status = report?.statusCode;
  if (typeof status === 'number') return `the package registry answered with status ${status}`;
  return causeIn(output) ?? 'the package registry gave no usable answer';
}

/**
 * Returns the lines that `npm run check` prints about a verdict, and if it passes.
 * @param {Verdict} verdict
 * @param {{ required: boolean }} options required: a verdict without an answer fails, as in the hosted workflow. Elsewhere
 *   a developer without a network may go on
 * @returns {{ passes: boolean, lines: string[] }}
 */
export function outcomeOf({ notAsked, severe }, { required }) {
  const subject = 'known vulnerabilities in dependencies';
  if (notAsked !== null) {
    const lines = [`${subject}: ${required ? 'failed, ' : ''}NOT CHECKED, because npm could not ask: ${notAsked}`];
    return { passes: !required, lines };
  }
  return { passes: severe.length === 0, lines: [`${subject}: ${severe.length === 0 ? 'none' : 'failed'}`, ...severe] };
}

/** @param {string} output may contain other lines of npm before and after the JSON */
function reportIn(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}

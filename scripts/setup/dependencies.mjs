import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runChild } from './child.mjs';
import { causeIn, Failure } from './failure.mjs';
import { ensure } from './outputs.mjs';
import { inProject } from './project.mjs';
import { projectNode, whyNoProjectNode } from './project-node.mjs';

const lockFile = inProject('package-lock.json');
const stampFile = inProject('node_modules', '.broadsheet-dependencies');
const npmsOwnList = inProject('node_modules', '.package-lock.json');
const installLimitMs = 20 * 60_000;
const pingLimitMs = 30_000;

/**
 * @typedef {object} Locked
 * @property {string} [version]
 * @property {boolean} [optional]
 */
/** @typedef {{ packages?: Record<string, Locked> }} LockFile */

/**
 * Returns true if the installed packages match the lock file. Packages for other systems may be missing.
 * @param {LockFile} wanted package-lock.json
 * @param {LockFile} installed node_modules/.package-lock.json
 */
export function isInstalled(wanted, installed) {
  const there = installed.packages ?? {};
  return Object.entries(wanted.packages ?? {}).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = there[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

/**
 * @param {string} path
 * @returns {LockFile}
 */
function readLock(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

function inPlace() {
  if (whyNoProjectNode(existsSync(projectNode)) !== null) return false;
  const hash = lockHash();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return true;
  // Also accepts packages from a manual `npm install`.
  if (!existsSync(npmsOwnList) || !isInstalled(readLock(lockFile), readLock(npmsOwnList))) return false;
  writeFileSync(stampFile, hash);
  return true;
}

/**
 * Chooses npm: the one that runs this script, else the one of this Node, else the one on PATH.
 * @returns {{ program: string, args: string[], shell: boolean }}
 */
function npmCommand() {
  const { npm_execpath: running, npm_node_execpath: runningNode } = process.env;
  const node = runningNode && existsSync(runningNode) ? runningNode : process.execPath;
  const here = dirname(process.execPath);
  const known = [
    running?.endsWith('npm-cli.js') ? running : '',
    join(here, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(here, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ].find((path) => path && existsSync(path));
  if (known) return { program: node, args: [known], shell: false };
  return { program: 'npm', args: [], shell: process.platform === 'win32' };
}

/**
 * Chooses how to install. `npm ci` first empties node_modules, which fails on Windows while a program in it runs, such
 * as this one if npm put the project's Node first on PATH. In that case only differences are installed.
 */
function installArguments() {
  const runsFromInside = process.execPath.startsWith(inProject('node_modules'));
  const verb = process.platform === 'win32' && runsFromInside ? ['install', '--no-save'] : ['ci'];
  // Short retry delays, because the user is waiting; offline, this fails quickly with a clear message.
  const retries = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];
  // As in .npmrc, and overrides the environment.
  const scripts = '--ignore-scripts';
  return [
    ...verb,
    '--include=dev',
    '--include=optional',
    scripts,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...retries,
  ];
}

/**
 * Runs npm in the project's folder.
 * @param {readonly string[]} args
 * @param {number} limitMs
 * @param {number} [kept] how many characters of the output are kept
 */
export function runNpm(args, limitMs, kept) {
  return runNpmIn(inProject(), args, { limitMs, ...(kept && { kept }) });
}

/**
 * Runs npm in a folder.
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {{ limitMs: number, kept?: number, env?: NodeJS.ProcessEnv }} options
 */
export async function runNpmIn(cwd, args, options) {
  const npm = npmCommand();
  try {
    // npm tells of its own newer versions, in the middle of what a caller reads.
    const all = [...npm.args, ...args, '--no-update-notifier'];
    return await runChild(npm.program, all, { ...options, output: 'keep', cwd, shell: npm.shell });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    throw new Failure('npm was not found. It is part of Node: https://nodejs.org.');
  }
}

/**
 * Explains why the registry cannot be reached; undefined if it answers, even with an error. Without this check, npm
 * would retry every package for minutes while offline.
 */
async function whyUnreachable() {
  const ended = await runNpm(['ping', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'], pingLimitMs);
  return ended.timedOut ? 'the network is not responding' : causeIn(ended.output);
}

async function install() {
  const unreachable = await whyUnreachable();
  // npm's cache may be enough.
  const args = [...installArguments(), ...(unreachable === undefined ? [] : ['--offline'])];
  const ended = await runNpm(args, installLimitMs);
  if (ended.timedOut) throw new Failure('Could not install the dependencies: npm timed out.');
  if (ended.code !== 0) {
    const cause = unreachable ?? causeIn(ended.output);
    throw new Failure(
      `Could not install the dependencies: ${cause ?? `npm failed with exit status ${ended.code}`}.`,
      cause === undefined ? { details: ended.output } : {},
    );
  }
  const missing = whyNoProjectNode(existsSync(projectNode));
  if (missing !== null) throw new Failure(missing);
  writeFileSync(stampFile, lockHash());
}

const dependencies = {
  title: 'Installing the dependencies (a few minutes the first time)',
  isCurrent: inPlace,
  make: install,
};

/** Installs the dependencies of package-lock.json if necessary. */
export function ensureDependencies() {
  return ensure(dependencies);
}

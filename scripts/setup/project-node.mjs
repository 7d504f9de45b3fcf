import { delimiter, join } from 'node:path';
import { inProject } from './project.mjs';
import { runChild } from './child.mjs';

/** The project's Node, a dependency. better-sqlite3 crashes without a message under Node 20. */
export const projectNode = inProject('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Compiled modules: with them a command starts in half the time. */
const compileCache = inProject('node_modules', '.cache', 'broadsheet', 'compiled');

/**
 * An environment with the project's Node and tools first on PATH, and with a cache of compiled modules.
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

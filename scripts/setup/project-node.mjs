import { delimiter, join } from 'node:path';
import { inProject } from './project.mjs';
import { runChild } from './child.mjs';

/** The project's own Node, a dependency like any other. better-sqlite3 crashes without a word under Node 20. */
export const projectNode = inProject('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * The environment in which the project's Node and tools are the first that are found.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function projectEnvironment(env = process.env) {
  // Windows calls it Path; a second PATH beside it would win or lose by chance.
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [join(projectNode, '..'), inProject('node_modules', '.bin'), env[name]];
  return { ...env, [name]: folders.filter(Boolean).join(delimiter) };
}

/**
 * Runs a file under the project's Node, from the project's folder.
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
